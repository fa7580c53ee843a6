//! The sets that are data: products, orders, employees, expenses.

use super::random::Random;
use super::{Employee, Expense, Order, Product};

const PRODUCTS: u32 = 500;
const ORDERS: u32 = 1000;
const CUSTOMERS: u32 = 200;
const EMPLOYEES: u32 = 200;
const EXPENSES: u32 = 800;
const YEAR: u32 = 2023;

const CATEGORIES: [&str; 7] = ["electronics", "books", "clothing", "home", "toys", "sports", "food"];
const RATINGS: [(u32, u32); 5] = [(1, 5), (2, 10), (3, 25), (4, 35), (5, 25)];
const PRODUCT_STATUS: [(&str, u32); 3] = [("active", 80), ("discontinued", 12), ("out_of_stock", 8)];
const ORDER_STATUS: [(&str, u32); 5] =
    [("delivered", 50), ("shipped", 20), ("pending", 15), ("cancelled", 10), ("refunded", 5)];
const PAYMENTS: [(&str, u32); 4] = [("credit_card", 45), ("paypal", 30), ("bank_transfer", 15), ("gift_card", 10)];
const DEPARTMENTS: [(&str, u32); 6] =
    [("engineering", 30), ("sales", 20), ("support", 20), ("marketing", 12), ("finance", 10), ("hr", 8)];
/// A level and its lowest salary.
const LEVELS: [((&str, u32), u32); 6] = [
    (("junior", 38_000), 25),
    (("mid", 50_000), 30),
    (("senior", 65_000), 22),
    (("lead", 80_000), 10),
    (("manager", 88_000), 9),
    (("director", 115_000), 4),
];
/// The expenses of a category.
#[derive(Clone, Copy)]
struct Spending {
    category: &'static str,
    /// The lowest and the highest amount.
    cents: (u32, u32),
    what: &'static str,
}
const SPENDING: [(Spending, u32); 6] = [
    (Spending { category: "travel", cents: (4_000, 120_000), what: "Trip to a customer" }, 25),
    (Spending { category: "meals", cents: (800, 9_000), what: "Meal with guests" }, 30),
    (Spending { category: "equipment", cents: (5_000, 180_000), what: "Desk equipment" }, 12),
    (Spending { category: "software", cents: (1_000, 60_000), what: "Licence" }, 13),
    (Spending { category: "training", cents: (10_000, 150_000), what: "Course" }, 8),
    (Spending { category: "office", cents: (300, 12_000), what: "Office supplies" }, 12),
];
const EXPENSE_STATUS: [(&str, u32); 4] = [("approved", 60), ("pending", 20), ("reimbursed", 12), ("rejected", 8)];
const FIRST_NAMES: [&str; 20] = [
    "Ada", "Ben", "Carla", "David", "Elif", "Frida", "Georg", "Hana", "Ivan", "Jana", "Karim", "Lena", "Marek", "Nora",
    "Omar", "Petra", "Quentin", "Rosa", "Samir", "Tilda",
];
const LAST_NAMES: [&str; 20] = [
    "Adler", "Bauer", "Costa", "Dvorak", "Eriksen", "Fischer", "Garcia", "Horvat", "Ito", "Jansen", "Kowalski",
    "Lindgren", "Moreau", "Novak", "Okafor", "Petrov", "Rossi", "Silva", "Tanaka", "Weber",
];

/// Whole cents as an amount.
fn amount(cents: u32) -> f64 {
    f64::from(cents) / 100.0
}

pub(super) fn products(seed: u64) -> Vec<Product> {
    let mut random = Random::new(seed, 1);
    let mut product = |id| {
        let status = random.weighted(&PRODUCT_STATUS);
        Product {
            id,
            name: format!("Product {id}"),
            category: random.pick(&CATEGORIES),
            price: amount(random.between(500, 99_999)),
            stock: if status == "out_of_stock" { 0 } else { random.between(1, 500) },
            rating: random.weighted(&RATINGS),
            status,
            created_at: random.day(YEAR - 1),
        }
    };
    (1..=PRODUCTS).map(&mut product).collect()
}

pub(super) fn orders(seed: u64, products: &[Product]) -> Vec<Order> {
    let mut random = Random::new(seed, 2);
    let mut order = |id| {
        let product_id = random.between(1, PRODUCTS);
        let quantity = random.between(1, 10);
        let price = products.iter().find(|product| product.id == product_id).map_or(0.0, |product| product.price);
        Order {
            id,
            customer_id: random.between(1, CUSTOMERS),
            product_id,
            quantity,
            total: (price * f64::from(quantity) * 100.0).round() / 100.0,
            status: random.weighted(&ORDER_STATUS),
            payment_method: random.weighted(&PAYMENTS),
            created_at: random.day(YEAR),
        }
    };
    (1..=ORDERS).map(&mut order).collect()
}

pub(super) fn employees(seed: u64) -> Vec<Employee> {
    let mut random = Random::new(seed, 3);
    let mut employee = |id| {
        let (level, lowest) = random.weighted(&LEVELS);
        let salary = lowest + 100 * random.between(0, lowest / 400);
        Employee {
            id,
            name: format!("{} {}", random.pick(&FIRST_NAMES), random.pick(&LAST_NAMES)),
            department: random.weighted(&DEPARTMENTS),
            level,
            salary,
            bonus: salary * random.between(0, 20) / 100,
            years_employed: random.between(0, 20),
            remote: random.chance(40),
        }
    };
    (1..=EMPLOYEES).map(&mut employee).collect()
}

pub(super) fn expenses(seed: u64) -> Vec<Expense> {
    let mut random = Random::new(seed, 4);
    let mut expense = |id| {
        let Spending { category, cents: (low, high), what } = random.weighted(&SPENDING);
        Expense {
            id,
            employee_id: random.between(1, EMPLOYEES),
            category,
            amount: amount(random.between(low, high)),
            description: format!("{what} ({id})"),
            status: random.weighted(&EXPENSE_STATUS),
            date: random.day(YEAR),
        }
    };
    (1..=EXPENSES).map(&mut expense).collect()
}
