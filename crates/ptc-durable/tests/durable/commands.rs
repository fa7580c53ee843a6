//! A worker's messages about an invocation, and their effects.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Driven, Engine, Tables};
use crate::frames::*;

impl Engine {
    /// Put the worker's message on record, and execute it.
    pub(super) fn take(&self, number: usize, frame: Frame) -> Option<Driven> {
        if ty::is_command(frame.ty) {
            self.change(|tables| tables.invocations[number].journal.push(frame.clone()));
            self.command(number, &frame);
            return None;
        }
        match frame.ty {
            ty::PROPOSE_RUN_COMPLETION => {
                let ProposeRunCompletion { completion, value, failure } = frame.read();
                let value = value.map(|content| Value { content });
                let completed = Notification { value, failure, ..Notification::of(completion) };
                self.change(|tables| tables.notify(number, ty::completion_of(ty::RUN), &completed));
                None
            }
            ty::AWAITING_ON => None,
            ty::SUSPENSION => Some(Driven::Suspended(frame.read())),
            ty::ERROR => {
                let Error { code, message } = frame.read();
                Some(Driven::Failed(code, message))
            }
            ty::END => {
                self.change(|tables| {
                    let invocation = &mut tables.invocations[number];
                    let output: Output = invocation.commands(ty::OUTPUT).pop().expect("an output");
                    invocation.ended = Some(match (output.value, output.failure) {
                        (Some(value), _) => Ok(serde_json::from_slice(&value.content).expect("JSON")),
                        (None, failure) => Err(failure.map(|it| (it.code, it.message)).expect("an output")),
                    });
                });
                Some(Driven::Ended)
            }
            other => panic!("the worker says {other:#06x}"),
        }
    }

    fn command(&self, number: usize, frame: &Frame) {
        let completed = ty::completion_of(frame.ty);
        self.change(|tables| match frame.ty {
            ty::OUTPUT | ty::RUN | ty::GET_EAGER_STATE | ty::GET_EAGER_STATE_KEYS => {}
            ty::SET_STATE => {
                let SetState { key, value } = frame.read();
                tables.object(number).state.insert(key, value.expect("a value").content);
            }
            ty::CLEAR_STATE => {
                let ClearState { key } = frame.read();
                tables.object(number).state.remove(&key);
            }
            ty::GET_LAZY_STATE => {
                let Get { key, completion } = frame.read();
                let value = tables.object(number).state.get(&key).cloned();
                tables.notify(number, completed, &Notification::of(completion).value_or_nothing(value));
            }
            ty::GET_LAZY_STATE_KEYS => {
                let Get { completion, .. } = frame.read();
                let keys = tables.object(number).state.keys().map(|key| key.clone().into()).collect();
                let keys = Notification { keys: Some(Keys { keys }), ..Notification::of(completion) };
                tables.notify(number, completed, &keys);
            }
            ty::GET_PROMISE => {
                let Get { key, completion } = frame.read();
                match tables.object(number).promises.get(&key).cloned() {
                    Some(value) => tables.notify(number, completed, &Notification::of(completion).value(value)),
                    None => tables.object(number).asked.push((key, number, completion)),
                }
            }
            ty::PEEK_PROMISE => {
                let Get { key, completion } = frame.read();
                let value = tables.object(number).promises.get(&key).cloned();
                tables.notify(number, completed, &Notification::of(completion).value_or_nothing(value));
            }
            ty::COMPLETE_PROMISE => complete_promise(tables, number, frame.read()),
            ty::SLEEP => {
                let Sleep { until_ms, completion } = frame.read();
                tables.sleeps.push((number, completion));
                self.at(until_ms, move |engine| engine.wake(number, completion));
            }
            ty::ONE_WAY_CALL => {
                let OneWayCall { service, handler, input, at_ms, key, completion } = frame.read();
                let invocation = Some("inv_of_a_call".to_owned());
                let begun = Notification { invocation, ..Notification::of(completion) };
                tables.notify(number, ty::INVOCATION_ID, &begun);
                self.at(at_ms, move |engine| {
                    engine.begin(&service, &handler, &key, input);
                });
            }
            ty::SEND_SIGNAL => {
                let SendSignal { invocation, signal } = frame.read();
                let target = invocation.strip_prefix("inv_").and_then(|number| number.parse().ok());
                let signal = Notification::of_signal(signal).nothing();
                tables.notify(target.expect("an invocation"), ty::SIGNAL, &signal);
            }
            ty::COMPLETE_AWAKEABLE => {
                let CompleteAwakeable { id, value } = frame.read();
                let (target, signal) = callback_of(&id);
                let answer = Notification::of_signal(signal).value(value.expect("a value").content);
                tables.notify(target as usize, ty::SIGNAL, &answer);
            }
            other => panic!("the worker says {other:#06x}"),
        });
    }

    /// The time that it sleeps until comes now.
    pub fn pass_time(&self, number: usize) {
        let sleeps = self.tables().sleeps.clone();
        sleeps.into_iter().filter(|(who, _)| *who == number).for_each(|(_, completion)| self.wake(number, completion));
    }

    fn wake(&self, number: usize, completion: u32) {
        self.change(|tables| {
            let before = tables.sleeps.len();
            tables.sleeps.retain(|sleep| *sleep != (number, completion));
            if tables.sleeps.len() < before {
                let slept = Notification::of(completion).nothing();
                tables.notify(number, ty::completion_of(ty::SLEEP), &slept);
            }
        });
    }

    /// Do something at a time, milliseconds since 1970.
    fn at(&self, ms: u64, what: impl FnOnce(Engine) + Send + 'static) {
        let engine = self.clone();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock");
        let pause = Duration::from_millis(ms).saturating_sub(now);
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            what(engine);
        });
    }
}

fn complete_promise(tables: &mut Tables, number: usize, CompletePromise { key, value, completion }: CompletePromise) {
    let completed = ty::completion_of(ty::COMPLETE_PROMISE);
    let object = tables.object(number);
    if object.promises.contains_key(&key) {
        let failure = Some(Failure { code: 409, message: "it has a value".to_owned() });
        tables.notify(number, completed, &Notification { failure, ..Notification::of(completion) });
        return;
    }
    let value = value.expect("a value").content;
    object.promises.insert(key.clone(), value.clone());
    let (told, asked) = std::mem::take(&mut object.asked).into_iter().partition(|(name, ..)| *name == key);
    object.asked = asked;
    let told: Vec<(String, usize, u32)> = told;
    for (_, waits, completion) in told {
        tables.notify(waits, ty::completion_of(ty::GET_PROMISE), &Notification::of(completion).value(value.clone()));
    }
    tables.notify(number, completed, &Notification::of(completion).nothing());
}
