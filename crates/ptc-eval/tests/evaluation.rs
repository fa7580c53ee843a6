//! The example suite: its expected values, computed in plain Rust from the same data, and its recordings, which must
//! pass.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails where it stands")]

use std::collections::{BTreeMap, BTreeSet};

use ptc_eval::{Constraint, DataSets, Detail, EvalOptions, Expense, Order, Selection, Suite};
use ptc_transcript::Step;
use serde_json::{Value as Json, json};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/evaluation");

fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

fn average(amounts: impl Iterator<Item = f64>) -> f64 {
    let amounts: Vec<f64> = amounts.collect();
    amounts.iter().sum::<f64>() / amounts.len() as f64
}

/// The sum of amounts for each key.
fn sums<K: Ord>(amounts: impl Iterator<Item = (K, f64)>) -> BTreeMap<K, f64> {
    let mut sums = BTreeMap::new();
    amounts.for_each(|(key, amount)| *sums.entry(key).or_insert(0.0) += amount);
    sums
}

fn largest<K: Copy>(sums: impl IntoIterator<Item = (K, f64)>) -> (K, f64) {
    sums.into_iter().max_by(|(_, left), (_, right)| left.total_cmp(right)).unwrap()
}

/// What a case of the suite must answer.
struct Truth<'a>(&'a DataSets);

impl Truth<'_> {
    fn department(&self, expense: &Expense) -> &'static str {
        self.0.employees.iter().find(|employee| employee.id == expense.employee_id).unwrap().department
    }

    fn approved(&self) -> impl Iterator<Item = &Expense> {
        self.0.expenses.iter().filter(|expense| expense.status == "approved")
    }

    fn delivered(&self) -> impl Iterator<Item = &Order> {
        self.0.orders.iter().filter(|order| order.status == "delivered")
    }

    fn product(&self, order: &Order) -> &ptc_eval::Product {
        self.0.products.iter().find(|product| product.id == order.product_id).unwrap()
    }

    fn basic(&self, case: &str) -> Json {
        let DataSets { products, orders, employees, .. } = self.0;
        match case {
            "count-products" => json!(products.len()),
            "delivered-orders" => json!(self.delivered().count()),
            "order-revenue" => json!(cents(orders.iter().map(|order| order.total).sum())),
            "average-salary" => json!(cents(average(employees.iter().map(|employee| f64::from(employee.salary))))),
            "remote-employees" => json!(employees.iter().filter(|employee| employee.remote).count()),
            "expensive-products" => json!(products.iter().filter(|product| product.price > 500.0).count()),
            "loyal-engineers" => {
                let loyal = employees
                    .iter()
                    .filter(|employee| employee.department == "engineering" && employee.years_employed >= 10);
                json!(loyal.count())
            }
            "cheapest-product" => {
                json!(products.iter().min_by(|left, right| left.price.total_cmp(&right.price)).unwrap().name)
            }
            _ => self.advanced(case),
        }
    }

    fn advanced(&self, case: &str) -> Json {
        let DataSets { products, orders, employees, expenses, .. } = self.0;
        match case {
            "top-three-products" => {
                let mut sorted: Vec<_> = products.iter().collect();
                sorted.sort_by(|left, right| right.price.total_cmp(&left.price));
                sorted.iter().take(3).map(|product| product.name.as_str()).collect()
            }
            "lost-orders" => {
                json!(orders.iter().filter(|order| ["cancelled", "refunded"].contains(&order.status)).count())
            }
            "remote-engineering-salary" => {
                let group = employees.iter().filter(|employee| employee.remote && employee.department == "engineering");
                json!(cents(average(group.map(|employee| f64::from(employee.salary)))))
            }
            "spending-employees" => {
                let spending: BTreeSet<u32> = expenses.iter().map(|expense| expense.employee_id).collect();
                json!(
                    employees
                        .iter()
                        .filter(|employee| employee.department == "sales" && spending.contains(&employee.id))
                        .count()
                )
            }
            "electronics-revenue" => {
                let sold = self.delivered().filter(|order| self.product(order).category == "electronics");
                json!(cents(sold.map(|order| order.total).sum()))
            }
            "category-prices" => {
                let categories: BTreeSet<&str> = products.iter().map(|product| product.category).collect();
                let of = |category: &str| {
                    average(products.iter().filter(|product| product.category == category).map(|product| product.price))
                };
                let averages: BTreeMap<&str, f64> =
                    categories.iter().map(|category| (*category, of(category))).collect();
                let rounded: BTreeMap<&str, f64> =
                    averages.iter().map(|(category, price)| (*category, cents(*price))).collect();
                json!({ "best": largest(averages).0, "averages": rounded })
            }
            "favourite-payment" => {
                let large = orders.iter().filter(|order| order.total > 1000.0);
                json!(largest(sums(large.map(|order| (order.payment_method, 1.0)))).0)
            }
            _ => self.multi_turn(case),
        }
    }

    fn multi_turn(&self, case: &str) -> Json {
        let DataSets { orders, expenses, documents, .. } = self.0;
        let about = |topic: &'static str| {
            documents.iter().filter(move |document| document.topics.iter().any(|known| known == topic))
        };
        match case {
            "fresh-security-documents" => about("security")
                .filter(|document| *document.updated_at >= *"2023-07-01")
                .map(|document| document.id.as_str())
                .collect(),
            "two-topics" => {
                let both: Vec<_> = about("suppliers")
                    .filter(|document| document.topics.iter().any(|topic| topic == "backup"))
                    .collect();
                assert_eq!(both.len(), 1, "the question says that there is one: {both:?}");
                json!(both.first().unwrap().id)
            }
            "growth-month" => {
                let months = sums(orders.iter().map(|order| (order.created_at.get(..7).unwrap(), order.total)));
                let growth =
                    months.iter().zip(months.iter().skip(1)).map(|((_, before), (month, sum))| (*month, sum / before));
                json!(largest(growth).0)
            }
            "pending-budget" => {
                let mut pending: Vec<f64> =
                    expenses.iter().filter(|row| row.status == "pending").map(|row| row.amount).collect();
                pending.sort_by(f64::total_cmp);
                let (mut approved, mut spent) = (0, 0.0);
                for amount in pending {
                    if spent + amount > 5000.0 {
                        break;
                    }
                    approved += 1;
                    spent += amount;
                }
                json!({ "approved": approved, "left": cents(5000.0 - spent) })
            }
            _ => self.plan(case),
        }
    }

    fn plan(&self, case: &str) -> Json {
        let DataSets { employees, expenses, .. } = self.0;
        match case {
            "spending-tiers" => {
                let mut tiers = [0, 0, 0];
                for sum in sums(expenses.iter().map(|expense| (expense.employee_id, expense.amount))).into_values() {
                    *tiers.get_mut(usize::from(sum >= 1000.0) + usize::from(sum >= 3000.0)).unwrap() += 1;
                }
                let [low, medium, high] = tiers;
                json!({ "low": low, "medium": medium, "high": high })
            }
            "two-quarters" => {
                let quarter = |first: &str, last: &str| -> f64 {
                    let month = |order: &&Order| (first..=last).contains(&order.created_at.get(5..7).unwrap());
                    self.delivered().filter(month).map(|order| order.total).sum()
                };
                let (q1, q2) = (quarter("01", "03"), quarter("04", "06"));
                json!({ "q1": cents(q1), "q2": cents(q2), "change": ((q2 / q1 - 1.0) * 1000.0).round() / 10.0 })
            }
            "remote-and-office" => {
                let of = |remote: bool| {
                    let employee = |expense: &&Expense| {
                        employees.iter().any(|row| row.id == expense.employee_id && row.remote == remote)
                    };
                    cents(average(self.approved().filter(employee).map(|expense| expense.amount)))
                };
                json!({ "remote": of(true), "office": of(false) })
            }
            "department-figures" => {
                let departments: BTreeSet<&str> = employees.iter().map(|employee| employee.department).collect();
                let figures = |department: &str| {
                    let people = || employees.iter().filter(|employee| employee.department == department);
                    json!({
                        "people": people().count(),
                        "salary": cents(average(people().map(|employee| f64::from(employee.salary)))),
                        "bonus": people().map(|employee| employee.bonus).sum::<u32>(),
                        "remote": people().filter(|employee| employee.remote).count(),
                    })
                };
                departments
                    .into_iter()
                    .map(|department| (department.to_owned(), figures(department)))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }
            "five-steps" => {
                let loved = self.delivered().filter(|order| self.product(order).rating == 5);
                let (customer, spent) = largest(sums(loved.map(|order| (order.customer_id, order.total))));
                let (department, expenses) =
                    largest(sums(self.approved().map(|row| (self.department(row), row.amount))));
                let ratio = (spent / expenses * 10_000.0).round() / 10_000.0;
                json!({ "customer": customer, "department": department, "ratio": ratio })
            }
            "department-limits" => {
                let limits = [
                    ("engineering", 40_000.0),
                    ("finance", 20_000.0),
                    ("hr", 10_000.0),
                    ("marketing", 15_000.0),
                    ("sales", 25_000.0),
                    ("support", 30_000.0),
                ];
                let spent = sums(self.approved().map(|row| (self.department(row), row.amount)));
                let over = |(name, limit): &(&str, f64)| spent.get(name).is_some_and(|spent| spent > limit);
                limits.into_iter().filter(over).map(|(name, _)| name).collect()
            }
            _ => self.robust(case),
        }
    }

    fn robust(&self, case: &str) -> Json {
        let DataSets { products, orders, expenses, .. } = self.0;
        match case {
            "recovery" => json!(cents(average([19.5, 21.0, 20.5, 22.25, 18.0, 22.15].into_iter()))),
            "misleading-names" => {
                let prices = [31, 12, 87, 45];
                json!({ "smallest": prices.iter().min(), "largest": prices.iter().max() })
            }
            "three-questions" => {
                let customers = sums(orders.iter().map(|order| (order.customer_id, order.total)));
                let above = customers.values().filter(|sum| **sum > 20_000.0).count();
                let (customer, highest) = largest(customers);
                json!({ "customer": customer, "above": above, "highest": cents(highest) })
            }
            "hidden-codes" => {
                let codes = [("engineering", 77_313), ("finance", 55_902), ("hr", 31_097), ("sales", 20_418)];
                codes.into_iter().filter(|(_, code)| code % 2 == 0).map(|(name, _)| name).collect()
            }
            "delegation" => json!(2),
            "compiled-fee" => json!(cents(200.0 * 0.015)),
            "early-return" => json!(orders.iter().map(|order| order.customer_id).collect::<BTreeSet<_>>().len()),
            "type-correction" => {
                let gone: Vec<f64> =
                    products.iter().filter(|row| row.status == "discontinued").map(|row| row.price).collect();
                json!({ "count": gone.len(), "average": cents(average(gone.into_iter())) })
            }
            "outliers" => {
                let of = |category: &str| {
                    average(expenses.iter().filter(|row| row.category == category).map(|row| row.amount))
                };
                let averages: BTreeMap<&str, f64> =
                    expenses.iter().map(|row| row.category).map(|name| (name, of(name))).collect();
                let mut counts = BTreeMap::new();
                for expense in expenses.iter().filter(|row| row.amount > 1.9 * averages.get(row.category).unwrap()) {
                    *counts.entry(expense.category).or_insert(0) += 1;
                }
                json!(counts)
            }
            "data-quality" => json!({ "missing": 2, "malformed": 1, "repeated": 2 }),
            "binary-search" => json!(733),
            _ => panic!("no answer is computed for the case {case}: add one"),
        }
    }
}

/// Every case that compares with a value compares with the true one.
#[test]
fn expected_values_are_those_that_plain_rust_computes() {
    let suite = Suite::load(FOLDER).unwrap();
    let truth = Truth(&suite.sets);
    let mut wrong = Vec::new();
    for case in &suite.cases {
        let wanted = case.expect.iter().find_map(|constraint| match constraint {
            Constraint::Eq(wanted) => Some(wanted),
            _ => None,
        });
        // `nothing-found` is about what no document has.
        let Some(wanted) = wanted else {
            assert_eq!(case.name, "nothing-found", "compares with no value");
            continue;
        };
        let computed = truth.basic(&case.name);
        if let Err(problem) = Constraint::Eq(computed).judge(wanted) {
            wrong.push(format!("{}: {problem}", case.name));
        }
    }
    assert!(wrong.is_empty(), "computed and expected differ:\n{}", wrong.join("\n"));
}

#[test]
fn nothing_is_written_about_submarines() {
    let documents = DataSets::generate(2026).documents;
    assert!(documents.iter().all(|document| !format!("{document:?}").to_lowercase().contains("submarine")));
}

/// The number of answers that a run used, those of sub-agents included.
fn answers(step: &Step) -> usize {
    step.turns().len() + step.child_steps.iter().map(answers).sum::<usize>()
}

/// One test for the whole suite, offline.
///
/// Proves: MIG-001.
#[tokio::test]
async fn all_recordings_pass() {
    let suite = Suite::load(FOLDER).unwrap();
    let cases = suite.select(&Selection::default()).unwrap();
    let report = suite.evaluate(&cases, &EvalOptions::default()).await.unwrap();
    assert!(report.passed(), "{}", report.to_markdown(Detail::Short));
    assert_eq!(report.summary.total, 37, "the number that the documentation names");
    for (case, run) in cases.iter().zip(report.cases.iter().flat_map(|case| &case.runs)) {
        let lines = std::fs::read_to_string(suite.recording(case, None)).unwrap().lines().count();
        assert_eq!(
            lines,
            run.steps.first().map_or(1, answers),
            "{}: the recording has answers that nobody asked for",
            case.name
        );
    }
    let files = std::fs::read_dir(format!("{FOLDER}/recordings")).unwrap().count();
    assert_eq!(files, cases.len(), "a recording belongs to no case");
}
