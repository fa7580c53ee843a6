//! A small function that the host calls with a record of five fields, each time another one, and whose number it reads:
//! ours and four others in one run. What is timed is the record made and converted, the call, and the answer.
//!
//! `cargo bench --manifest-path tests/bench/peers/Cargo.toml --target-dir target/peers`

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use mlua::{Lua, LuaSerdeExt};
use ptc_lisp::{Limits, Program, SessionOptions, ToolCall, ToolResult};
use rhai::{CallFnOptions, Engine, Scope};
use rquickjs::{Context, Object, Runtime};
use starlark::environment::{Globals, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};
use starlark::values::Value;
use starlark::values::dict::AllocDict;

/// Errors here are for the reader of a terminal.
type Res<T> = Result<T, Box<dyn std::error::Error>>;

#[derive(serde::Serialize)]
struct Order {
    id: i64,
    country: &'static str,
    total: f64,
    items: i64,
    express: bool,
}

impl Order {
    fn new(id: u64) -> Order {
        Order { id: id as i64, country: "Italy", total: 1_200.0, items: 3, express: true }
    }
}

/// What `score` gives for each of these orders, in every language.
const SCORE: i64 = 71;

/// Time for this many calls, each of which has the right answer.
fn timed(calls: u64, mut score: impl FnMut(Order) -> Res<i64>) -> Duration {
    let began = Instant::now();
    for id in 0..calls {
        assert_eq!(black_box(score(black_box(Order::new(id))).unwrap()), SCORE);
    }
    began.elapsed()
}

fn ours(c: &mut Criterion) {
    let source = "
        (def base 10)
        (defn score [{:keys [country total items express]}]
          (+ base
             (if (> total 1000) 50 0)
             (* 2 items)
             (if express 5 0)
             (if (= country \"Atlantis\") 40 0)))";
    let program = Program::compile(source, SessionOptions::default()).unwrap();
    let (score, limits, mut session) = (program.function("score").unwrap(), Limits::default(), program.session());
    let mut tools = |_: &ToolCall| -> ToolResult { unreachable!("the program calls no tools") };
    let mut call = |order: Order| Ok(session.call(&score, (&order,), &limits, &mut tools).into_typed()?);
    c.bench_function("call/ptc-lisp", |b| b.iter_custom(|calls| timed(calls, &mut call)));
}

fn lua(c: &mut Criterion) {
    let lua = Lua::new();
    let source = "
        local base = 10
        function score(order)
          return base
            + (order.total > 1000 and 50 or 0)
            + 2 * order.items
            + (order.express and 5 or 0)
            + (order.country == 'Atlantis' and 40 or 0)
        end";
    lua.load(source).exec().unwrap();
    let score: mlua::Function = lua.globals().get("score").unwrap();
    let call = |order: Order| Ok(score.call(lua.to_value(&order)?)?);
    c.bench_function("call/lua 5.4", |b| b.iter_custom(|calls| timed(calls, call)));
}

fn quickjs(c: &mut Criterion) {
    let source = "
        const base = 10;
        globalThis.score = ({ country, total, items, express }) =>
          base + (total > 1000 ? 50 : 0) + 2 * items + (express ? 5 : 0) + (country === 'Atlantis' ? 40 : 0);";
    let runtime = Runtime::new().unwrap();
    Context::full(&runtime).unwrap().with(|context| {
        context.eval::<(), _>(source).unwrap();
        let score: rquickjs::Function = context.globals().get("score").unwrap();
        let call = |order: Order| {
            let record = Object::new(context.clone())?;
            record.set("id", order.id)?;
            record.set("country", order.country)?;
            record.set("total", order.total)?;
            record.set("items", order.items)?;
            record.set("express", order.express)?;
            Ok(score.call((record,))?)
        };
        c.bench_function("call/quickjs", |b| b.iter_custom(|calls| timed(calls, call)));
    });
}

fn rhai(c: &mut Criterion) {
    // A function sees no constant of its script when it is called alone.
    let source = "
        fn score(order) {
            10
                + (if order.total > 1000.0 { 50 } else { 0 })
                + 2 * order.items
                + (if order.express { 5 } else { 0 })
                + (if order.country == \"Atlantis\" { 40 } else { 0 })
        }";
    let engine = Engine::new();
    let ast = engine.compile(source).unwrap();
    let mut scope = Scope::new();
    let mut call = |order: Order| {
        let order = rhai::serde::to_dynamic(order)?;
        let options = CallFnOptions::new().eval_ast(false);
        Ok(engine.call_fn_with_options(options, &mut scope, &ast, "score", (order,))?)
    };
    c.bench_function("call/rhai", |b| b.iter_custom(|calls| timed(calls, &mut call)));
}

fn starlark(c: &mut Criterion) {
    let source = "
base = 10

def score(order):
    return (base +
            (50 if order[\"total\"] > 1000 else 0) +
            2 * order[\"items\"] +
            (5 if order[\"express\"] else 0) +
            (40 if order[\"country\"] == \"Atlantis\" else 0))";
    let globals = Globals::standard();
    let program = Module::with_temp_heap(|module| {
        let ast = AstModule::parse("score.star", source.to_owned(), &Dialect::Extended).map_err(starlark::Error::into_anyhow)?;
        Evaluator::new(&module).eval_module(ast, &globals).map_err(starlark::Error::into_anyhow)?;
        module.freeze().map_err(|error| starlark::Error::new_other(std::io::Error::other(format!("{error:?}"))).into_anyhow())
    })
    .unwrap();
    // Nothing of a heap is freed while its module lives: every thousand calls get another one.
    let module_of_calls = |calls: u64| {
        Module::with_temp_heap(|module| {
            let score = module.heap().access_owned_frozen_value(&program.get("score").unwrap());
            let mut evaluator = Evaluator::new(&module);
            timed(calls, |order| {
                let heap = module.heap();
                let fields = [
                    ("id", heap.alloc(order.id)),
                    ("country", heap.alloc(order.country)),
                    ("total", heap.alloc(order.total)),
                    ("items", heap.alloc(order.items)),
                    ("express", Value::new_bool(order.express)),
                ];
                let answer = evaluator.eval_function(score, &[heap.alloc(AllocDict(fields))], &[]);
                Ok(answer.map_err(starlark::Error::into_anyhow)?.unpack_i32().ok_or("no number")?.into())
            })
        })
    };
    c.bench_function("call/starlark", |b| {
        b.iter_custom(|calls| {
            let began = Instant::now();
            for done in (0..calls).step_by(1_000) {
                module_of_calls((calls - done).min(1_000));
            }
            began.elapsed()
        });
    });
}

criterion_group!(calls, ours, lua, quickjs, rhai, starlark);
criterion_main!(calls);
