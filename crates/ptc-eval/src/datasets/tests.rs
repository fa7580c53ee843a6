use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn a_seed_makes_the_same_data_for_ever() {
    let sets = DataSets::generate(2026);
    let first = json!([
        sets.products.first(),
        sets.orders.first(),
        sets.employees.first(),
        sets.expenses.first(),
        sets.documents.first()
    ]);
    let lines: Vec<String> = first.as_array().unwrap().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"id":1,"name":"Product 1","category":"electronics","price":195.94,"stock":187,"rating":3,"status":"active","created_at":"2022-02-28"}
    {"id":1,"customer_id":171,"product_id":473,"quantity":4,"total":2443.52,"status":"delivered","payment_method":"paypal","created_at":"2023-10-10"}
    {"id":1,"name":"Karim Kowalski","department":"sales","level":"mid","salary":61200,"bonus":11016,"years_employed":3,"remote":false}
    {"id":1,"employee_id":136,"category":"equipment","amount":1000.59,"description":"Desk equipment (1)","status":"reimbursed","date":"2023-03-04"}
    {"id":"DOC-001","title":"Guide to security","topics":["security","backup","travel"],"department":"sales","content":"Keys are rotated every quarter, and access is granted for one task at a time. Copies are made every night and restored once a month to see that they can be. Trips by train are booked without asking; flights need a reason.","updated_at":"2023-06-16"}
    "#);
    assert_eq!(sets, DataSets::generate(2026));
    assert_ne!(sets.orders, DataSets::generate(2027).orders);
}

#[test]
fn fields_are_told_as_rows_have_them() {
    let sets = DataSets::generate(1);
    let rows = [
        (DataSet::Products, json!(sets.products.first())),
        (DataSet::Orders, json!(sets.orders.first())),
        (DataSet::Employees, json!(sets.employees.first())),
        (DataSet::Expenses, json!(sets.expenses.first())),
        (DataSet::Documents, json!(sets.documents.first())),
    ];
    for (set, row) in rows {
        let told = set.fields();
        for key in row.as_object().unwrap().keys() {
            assert!(told.split([',', ' ']).any(|word| word == key), "{set}: {key} is not told of in: {told}");
        }
    }
}

#[test]
fn sets_have_names_and_values() {
    let sets = DataSets::generate(1);
    for (name, set) in DataSet::ALL {
        assert_eq!(set.as_str(), name);
    }
    let lengths = DataSet::ALL.map(|(_, set)| sets.value(set).unwrap().as_vector().map_or(0, ptc_lisp::Vector::len));
    assert_eq!(lengths, [500, 1000, 200, 800, 40]);
}

/// The documented distribution, within statistical fluctuation.
#[test]
fn shares_are_as_documented() {
    let sets = DataSets::generate(2026);
    let percent = |count: usize, all: usize| count * 100 / all;
    let near =
        |share: usize, wanted: usize| assert!(share.abs_diff(wanted) <= 7, "{share} instead of {wanted} percent");
    near(percent(sets.products.iter().filter(|row| row.status == "active").count(), 500), 80);
    near(percent(sets.orders.iter().filter(|row| row.status == "delivered").count(), 1000), 50);
    near(percent(sets.employees.iter().filter(|row| row.remote).count(), 200), 40);
    near(percent(sets.expenses.iter().filter(|row| row.status == "approved").count(), 800), 60);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the seed, rows refer to rows that exist and their figures fit together.
    #[test]
    fn rows_fit_together(seed: u64) {
        let sets = DataSets::generate(seed);
        let cents = |amount: f64| (amount * 100.0).round() / 100.0;
        prop_assert_eq!(sets.products.len(), 500);
        prop_assert!(sets.products.iter().all(|row| (5.0..1000.0).contains(&row.price) && cents(row.price) == row.price));
        prop_assert!(sets.products.iter().all(|row| (row.stock == 0) == (row.status == "out_of_stock") && (1..=5).contains(&row.rating)));
        for order in &sets.orders {
            let product = sets.products.iter().find(|product| product.id == order.product_id).unwrap();
            prop_assert_eq!(order.total, cents(product.price * f64::from(order.quantity)));
            prop_assert!(order.created_at.starts_with("2023-") && order.created_at.len() == 10);
        }
        prop_assert!(sets.employees.iter().all(|row| row.bonus <= row.salary / 5 && row.years_employed <= 20));
        prop_assert!(sets.expenses.iter().all(|row| sets.employees.iter().any(|employee| employee.id == row.employee_id)));
        for document in &sets.documents {
            let topics: BTreeSet<&String> = document.topics.iter().collect();
            prop_assert!(topics.len() == document.topics.len() && (2..=3).contains(&topics.len()));
            prop_assert!(document.title.ends_with(document.topics.first().unwrap()));
        }
    }
}
