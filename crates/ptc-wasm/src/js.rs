//! The classes and functions that JavaScript sees. Their types are in `types.d.ts`; values cross as JSON.

use std::cell::Cell;
use std::rc::Rc;

use indexmap::IndexMap;
use js_sys::futures::{JsFuture, future_to_promise};
use js_sys::{Array, Error, Function, JSON, Object, Promise, Reflect};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::programs::{Call, Programs, Step};
use crate::reference;
use crate::report::Report;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

#[wasm_bindgen]
extern "C" {
    /// Writes one line to the console of the browser.
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(text: &str);
}

/// A defect of the interpreter ends the module; its message would be lost.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| console_error(&info.to_string())));
}

/// Programs that run one after another over the same data, tools and definitions.
#[wasm_bindgen]
pub struct Session {
    /// Empty while a program runs.
    programs: Rc<Cell<Option<Box<Programs>>>>,
    functions: Rc<IndexMap<String, Function>>,
}

#[wasm_bindgen]
impl Session {
    /// A session without definitions. Throws when an option cannot be read, with its name.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "SessionOptions")] options: JsValue,
    ) -> Result<Session, JsValue> {
        let JsOptions { options, data, functions } = JsOptions::read(&options)?;
        let programs = Programs::new(&options, &data).map_err(|error| Error::new(&error.to_string()))?;
        Ok(Session { programs: Rc::new(Cell::new(Some(Box::new(programs)))), functions: Rc::new(functions) })
    }

    /// Runs a program. Tools may return promises: those of one wait, as in `pmap`, are awaited together. Rejects only
    /// while another program of the session runs: whatever is wrong with the program is in the outcome.
    #[wasm_bindgen(unchecked_return_type = "Promise<Outcome>")]
    pub fn run(&self, program: String) -> Promise {
        let (place, functions) = (Rc::clone(&self.programs), Rc::clone(&self.functions));
        future_to_promise(async move {
            let mut programs = place.take().ok_or_else(busy)?;
            programs.start(&program);
            let outcome = go_to_end(&mut programs, &functions).await;
            place.set(Some(programs));
            outcome
        })
    }

    /// Runs a program and blocks until its end. A tool that returns a promise fails.
    #[wasm_bindgen(js_name = runSync, unchecked_return_type = "Outcome")]
    pub fn run_sync(&self, program: &str) -> Result<JsValue, JsValue> {
        self.blocking(|programs, tool| programs.run(program, tool))
    }

    /// Calls a function that a program defined, with JSON arguments and the limits of a program: `run` without a text to
    /// read. Whatever is wrong with the call is in the outcome.
    #[wasm_bindgen(unchecked_return_type = "Promise<Outcome>")]
    pub fn call(&self, name: String, #[wasm_bindgen(unchecked_param_type = "Json[]")] args: JsValue) -> Promise {
        let (place, functions) = (Rc::clone(&self.programs), Rc::clone(&self.functions));
        future_to_promise(async move {
            let args = text_of(&args).map_err(|error| Error::new(&error))?;
            let mut programs = place.take().ok_or_else(busy)?;
            let outcome = match programs.start_call(&name, &args) {
                Ok(()) => go_to_end(&mut programs, &functions).await,
                Err(report) => object(&report),
            };
            place.set(Some(programs));
            outcome
        })
    }

    /// Calls a function and blocks until its end. A tool that returns a promise fails.
    #[wasm_bindgen(js_name = callSync, unchecked_return_type = "Outcome")]
    pub fn call_sync(
        &self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "Json[]")] args: JsValue,
    ) -> Result<JsValue, JsValue> {
        let args = text_of(&args).map_err(|error| Error::new(&error))?;
        self.blocking(|programs, tool| programs.call(name, &args, tool))
    }

    fn blocking(
        &self,
        work: impl FnOnce(&mut Programs, &mut dyn FnMut(&Call) -> Result<String, String>) -> Report,
    ) -> Result<JsValue, JsValue> {
        let mut programs = self.programs.take().ok_or_else(busy)?;
        let report = work(&mut programs, &mut |call| {
            let answer = invoke(&self.functions, call)?;
            if answer.has_type::<Promise>() {
                const PROMISE: &str =
                    "the tool returned a promise, which runSync and callSync cannot await: call run instead, or call";
                return Err(PROMISE.to_owned());
            }
            text_of(&answer)
        });
        self.programs.set(Some(programs));
        object(&report)
    }

    /// Looks for the problems of a program that are found without running it.
    #[wasm_bindgen(unchecked_return_type = "Check")]
    pub fn check(&self, program: &str) -> Result<JsValue, JsValue> {
        self.with(|programs| object(&programs.check(program)))
    }

    /// The definitions that programs left, in order.
    #[wasm_bindgen(unchecked_return_type = "Definition[]")]
    pub fn definitions(&self) -> Result<JsValue, JsValue> {
        self.with(|programs| object(&programs.definitions()))
    }

    /// At most 100 names with this prefix that a program could use, sorted.
    pub fn complete(&self, prefix: &str) -> Result<Vec<String>, JsValue> {
        self.with(|programs| Ok(programs.complete(prefix)))
    }

    fn with<T>(&self, work: impl FnOnce(&Programs) -> Result<T, JsValue>) -> Result<T, JsValue> {
        let programs = self.programs.take().ok_or_else(busy)?;
        let result = work(&programs);
        self.programs.set(Some(programs));
        result
    }
}

/// What the language has under this name: how it is called, one line of text, examples. Throws with the nearest name
/// when there is none.
#[wasm_bindgen(unchecked_return_type = "Doc")]
pub fn doc(name: &str) -> Result<JsValue, JsValue> {
    object(&reference::doc(name).map_err(|error| Error::new(&error.to_string()))?)
}

/// The version of this package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

async fn go_to_end(programs: &mut Programs, functions: &IndexMap<String, Function>) -> Result<JsValue, JsValue> {
    loop {
        match programs.advance() {
            Step::Done(report) => return object(&report),
            Step::Calls(calls) => {
                // All are called before any is awaited.
                let called: Vec<_> = calls.iter().map(|call| invoke(functions, call)).collect();
                let mut answers = Vec::new();
                for called in called {
                    answers.push(match called {
                        Ok(value) => settled(value).await,
                        Err(message) => Err(message),
                    });
                }
                programs.answer(answers);
            }
        }
    }
}

/// What a tool returned, once it is there.
async fn settled(value: JsValue) -> Result<String, String> {
    match value.dyn_into::<Promise>() {
        Ok(promise) => JsFuture::from(promise).await.map_err(|error| reason(&error)).and_then(|value| text_of(&value)),
        Err(value) => text_of(&value),
    }
}

/// What the function of the tool returns; what it throws is the failure.
fn invoke(functions: &IndexMap<String, Function>, call: &Call) -> Result<JsValue, String> {
    let function = functions.get(&*call.name).ok_or_else(|| format!("tool {} has no function", call.name))?;
    let args = JSON::parse(&call.args.clone()?).map_err(|error| reason(&error))?;
    function.call1(&JsValue::UNDEFINED, &args).map_err(|error| reason(&error))
}

/// A value of JavaScript as JSON; empty for undefined.
fn text_of(value: &JsValue) -> Result<String, String> {
    let text = JSON::stringify(value).map_err(|error| format!("the result is not JSON: {}", reason(&error)))?;
    Ok(JsValue::from(text).as_string().unwrap_or_default())
}

/// The message of what was thrown.
fn reason(thrown: &JsValue) -> String {
    if let Some(error) = thrown.dyn_ref::<Error>() {
        return String::from(error.message());
    }
    thrown.as_string().or_else(|| text_of(thrown).ok()).unwrap_or_else(|| "it threw no message".to_owned())
}

fn object(report: &impl Serialize) -> Result<JsValue, JsValue> {
    let text = serde_json::to_string(report).map_err(|error| Error::new(&error.to_string()))?;
    JSON::parse(&text)
}

fn busy() -> JsValue {
    Error::new("a program of this session is running: await it first, or start another session").into()
}

/// The options of a session as JavaScript wrote them, in parts.
struct JsOptions {
    options: String,
    data: String,
    functions: IndexMap<String, Function>,
}

impl JsOptions {
    fn read(options: &JsValue) -> Result<JsOptions, JsValue> {
        let (own, functions) = (Object::new(), Object::new());
        let mut given = JsOptions { options: String::new(), data: "{}".to_owned(), functions: IndexMap::new() };
        if let Some(options) = options.dyn_ref::<Object>() {
            Object::assign(&own, options);
        }
        let data = Reflect::get(&own, &"data".into())?;
        if !data.is_undefined() {
            given.data = data.as_string().map_or_else(|| text_of(&data), Ok)?;
        }
        let tools = Reflect::get(&own, &"tools".into())?;
        if let Some(tools) = tools.dyn_ref::<Object>() {
            for entry in Object::entries(tools).iter().map(|entry| Array::from(&entry)) {
                given.take_tool(&entry.get(0), &entry.get(1), &functions)?;
            }
            Reflect::set(&own, &"tools".into(), &functions)?;
        }
        Reflect::delete_property(&own, &"data".into())?;
        given.options = text_of(&own)?;
        Ok(given)
    }

    /// Keeps the function of a tool, and puts the rest of it into `specs`.
    fn take_tool(&mut self, name: &JsValue, tool: &JsValue, specs: &Object) -> Result<(), JsValue> {
        let spec = Object::new();
        let function = match tool.dyn_ref::<Function>() {
            Some(function) => function.clone(),
            None => {
                let name = name.as_string().unwrap_or_default();
                let wrong = || Error::new(&format!("tool {name}: expected a function, or an object with `run`"));
                let tool = tool.dyn_ref::<Object>().ok_or_else(wrong)?;
                Object::assign(&spec, tool);
                Reflect::delete_property(&spec, &"run".into())?;
                Reflect::get(tool, &"run".into())?.dyn_into::<Function>().map_err(|_| wrong())?
            }
        };
        Reflect::set(specs, name, &spec)?;
        self.functions.insert(name.as_string().unwrap_or_default(), function);
        Ok(())
    }
}
