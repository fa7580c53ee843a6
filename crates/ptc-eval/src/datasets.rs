//! The data of a made-up company, generated from a seed, so that questions about it have exact answers.

mod random;
mod rows;
#[cfg(test)]
mod tests;
mod texts;

use std::fmt;

use ptc_lisp::{Import, Value};
use serde::{Deserialize, Serialize};

use schemars::JsonSchema;

/// All sets of one seed; the fields of the rows are the keys that programs see.
///
/// Amounts are multiples of 0.01. Each set has its own stream of random numbers, so a set does not change when another
/// one does.
#[derive(Debug, Clone, PartialEq)]
pub struct DataSets {
    /// 500 rows.
    pub products: Vec<Product>,
    /// 1,000 rows, oldest id first; dates in no order.
    pub orders: Vec<Order>,
    /// 200 rows.
    pub employees: Vec<Employee>,
    /// 800 rows.
    pub expenses: Vec<Expense>,
    /// 40 documents, which programs reach by the tools `search` and `fetch` only.
    pub documents: Vec<Document>,
}

/// A product: prices from 5.00 to 999.99, all equally likely; 80 % are active.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it, and `DataSet::fields` says more")]
pub struct Product {
    pub id: u32,
    pub name: String,
    pub category: &'static str,
    pub price: f64,
    pub stock: u32,
    pub rating: u32,
    pub status: &'static str,
    pub created_at: String,
}

/// An order of one product: its total is quantity times price. Half of all orders are delivered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it, and `DataSet::fields` says more")]
pub struct Order {
    pub id: u32,
    pub customer_id: u32,
    pub product_id: u32,
    pub quantity: u32,
    pub total: f64,
    pub status: &'static str,
    pub payment_method: &'static str,
    pub created_at: String,
}

/// An employee: the salary follows the level, the bonus is up to a fifth of it; 40 % work remotely.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it, and `DataSet::fields` says more")]
pub struct Employee {
    pub id: u32,
    pub name: String,
    pub department: &'static str,
    pub level: &'static str,
    pub salary: u32,
    pub bonus: u32,
    pub years_employed: u32,
    pub remote: bool,
}

/// An expense: the amount follows the category; 60 % are approved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it, and `DataSet::fields` says more")]
pub struct Expense {
    pub id: u32,
    pub employee_id: u32,
    pub category: &'static str,
    pub amount: f64,
    pub description: String,
    pub status: &'static str,
    pub date: String,
}

/// A document about two or three topics, a sentence for each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    /// `DOC-001` to `DOC-040`.
    pub id: String,
    /// Names the first topic.
    pub title: String,
    /// What it is about.
    pub topics: Vec<String>,
    /// Who wrote it.
    pub department: String,
    /// The text.
    pub content: String,
    /// A day, such as `2023-05-17`.
    pub updated_at: String,
}

impl DataSets {
    /// The sets of this seed.
    #[must_use]
    pub fn generate(seed: u64) -> DataSets {
        let products = rows::products(seed);
        DataSets {
            orders: rows::orders(seed, &products),
            employees: rows::employees(seed),
            expenses: rows::expenses(seed),
            documents: texts::documents(seed),
            products,
        }
    }

    /// The rows of a set as programs see them.
    ///
    /// Errors when a row cannot be written as JSON.
    pub fn value(&self, set: DataSet) -> Result<Value, serde_json::Error> {
        let mut import = Import::uncounted();
        match set {
            DataSet::Products => import.serialized(&self.products),
            DataSet::Orders => import.serialized(&self.orders),
            DataSet::Employees => import.serialized(&self.employees),
            DataSet::Expenses => import.serialized(&self.expenses),
            DataSet::Documents => import.serialized(&self.documents),
        }
    }
}

/// The name of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DataSet {
    /// [`Product`] rows.
    Products,
    /// [`Order`] rows.
    Orders,
    /// [`Employee`] rows.
    Employees,
    /// [`Expense`] rows.
    Expenses,
    /// [`Document`]s, accessed with the tools `search` and `fetch`.
    Documents,
}

impl DataSet {
    /// All of them by name.
    pub const ALL: [(&'static str, DataSet); 5] = [
        ("products", DataSet::Products),
        ("orders", DataSet::Orders),
        ("employees", DataSet::Employees),
        ("expenses", DataSet::Expenses),
        ("documents", DataSet::Documents),
    ];

    /// Its name in suites and in `data/`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            DataSet::Products => "products",
            DataSet::Orders => "orders",
            DataSet::Employees => "employees",
            DataSet::Expenses => "expenses",
            DataSet::Documents => "documents",
        }
    }

    /// The description of the fields for models.
    #[must_use]
    pub fn fields(self) -> &'static str {
        match self {
            DataSet::Products => {
                "id, name, category (electronics, books, clothing, home, toys, sports, food), price, stock, rating (1 to 5), \
                 status (active, discontinued, out_of_stock), created_at (2022-05-17)"
            }
            DataSet::Orders => {
                "id, customer_id (1 to 200), product_id, quantity, total, status (pending, shipped, delivered, cancelled, refunded), \
                 payment_method (credit_card, paypal, bank_transfer, gift_card), created_at (a day of 2023, 2023-05-17)"
            }
            DataSet::Employees => {
                "id, name, department (engineering, sales, marketing, support, finance, hr), level (junior, mid, senior, lead, \
                 manager, director), salary, bonus, years_employed, remote (true, false)"
            }
            DataSet::Expenses => {
                "id, employee_id, category (travel, meals, equipment, software, training, office), amount, description, \
                 status (pending, approved, rejected, reimbursed), date (a day of 2023, 2023-05-17)"
            }
            DataSet::Documents => "id, title, topics, department, content, updated_at",
        }
    }
}

impl fmt::Display for DataSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
