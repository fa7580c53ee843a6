//! Restate's service protocol, versions 6 and 7, as far as missions and limits use it.
//!
//! A frame is a header of 64 bits, its type, flags and length, and a message of protobuf. The numbers are those of
//! `protocol.proto` of the service protocol.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use prost::Message;

/// Types of frames.
pub mod ty {
    pub const START: u16 = 0x0000;
    pub const SUSPENSION: u16 = 0x0001;
    pub const ERROR: u16 = 0x0002;
    pub const END: u16 = 0x0003;
    pub const PROPOSE_RUN_COMPLETION: u16 = 0x0005;
    pub const AWAITING_ON: u16 = 0x0006;
    pub const PROPOSE_RUN_COMPLETION_ACK: u16 = 0x0007;
    pub const INPUT: u16 = 0x0400;
    pub const OUTPUT: u16 = 0x0401;
    pub const GET_LAZY_STATE: u16 = 0x0402;
    pub const SET_STATE: u16 = 0x0403;
    pub const CLEAR_STATE: u16 = 0x0404;
    pub const GET_LAZY_STATE_KEYS: u16 = 0x0406;
    pub const GET_EAGER_STATE: u16 = 0x0407;
    pub const GET_EAGER_STATE_KEYS: u16 = 0x0408;
    pub const GET_PROMISE: u16 = 0x0409;
    pub const PEEK_PROMISE: u16 = 0x040A;
    pub const COMPLETE_PROMISE: u16 = 0x040B;
    pub const SLEEP: u16 = 0x040C;
    pub const ONE_WAY_CALL: u16 = 0x040E;
    pub const SEND_SIGNAL: u16 = 0x0410;
    pub const RUN: u16 = 0x0411;
    pub const COMPLETE_AWAKEABLE: u16 = 0x0414;
    pub const INVOCATION_ID: u16 = 0x800E;
    pub const SIGNAL: u16 = 0xFBFF;

    /// The type of what completes a command of this type.
    pub const fn completion_of(command: u16) -> u16 {
        command - 0x0400 + 0x8000
    }

    pub const fn is_command(ty: u16) -> bool {
        ty >= 0x0400 && ty < 0x8000
    }
}

/// One message with its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub ty: u16,
    pub body: Bytes,
}

impl Frame {
    pub fn new(ty: u16, message: &impl Message) -> Frame {
        Frame { ty, body: message.encode_to_vec().into() }
    }

    pub fn read<M: Message + Default>(&self) -> M {
        M::decode(self.body.clone()).unwrap_or_else(|error| panic!("a frame of type {:#06x}: {error}", self.ty))
    }

    pub fn bytes(&self) -> Bytes {
        let mut bytes = BytesMut::with_capacity(8 + self.body.len());
        bytes.put_u16(self.ty);
        bytes.put_u16(0);
        bytes.put_u32(u32::try_from(self.body.len()).expect("a frame below 4 GiB"));
        bytes.put(self.body.clone());
        bytes.freeze()
    }

    /// The first frame of the received bytes, once it is complete.
    pub fn take(from: &mut BytesMut) -> Option<Frame> {
        let mut header = from.get(..8)?;
        let (ty, _, length) = (header.get_u16(), header.get_u16(), header.get_u32() as usize);
        if from.len() < 8 + length {
            return None;
        }
        let mut frame = from.split_to(8 + length).freeze();
        frame.advance(8);
        Some(Frame { ty, body: frame })
    }
}

/// A message struct per type: the name, and its fields as `prost` declares them.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field:meta])* $part:ident: $type:ty,)* })*) => {
        $($(#[$doc])* #[derive(Clone, PartialEq, Message)] pub struct $name { $($(#[$field])* pub $part: $type,)* })*
    };
}

messages! {
    Nothing {}

    Value {
        #[prost(bytes = "bytes", tag = "1")] content: Bytes,
    }

    Failure {
        #[prost(uint32, tag = "1")] code: u32,
        #[prost(string, tag = "2")] message: String,
    }

    Keys {
        #[prost(bytes = "bytes", repeated, tag = "1")] keys: Vec<Bytes>,
    }

    Entry {
        #[prost(bytes = "bytes", tag = "1")] key: Bytes,
        #[prost(bytes = "bytes", tag = "2")] value: Bytes,
    }

    Start {
        #[prost(bytes = "bytes", tag = "1")] id: Bytes,
        #[prost(string, tag = "2")] debug_id: String,
        #[prost(uint32, tag = "3")] known_entries: u32,
        #[prost(message, repeated, tag = "4")] state_map: Vec<Entry>,
        #[prost(bool, tag = "5")] partial_state: bool,
        #[prost(string, tag = "6")] key: String,
    }

    /// Version 6 has flat lists, version 7 a tree.
    Suspension {
        #[prost(uint32, repeated, tag = "1")] completions: Vec<u32>,
        #[prost(uint32, repeated, tag = "2")] signals: Vec<u32>,
        #[prost(message, repeated, tag = "4")] nested: Vec<Suspension>,
    }

    Error {
        #[prost(uint32, tag = "1")] code: u32,
        #[prost(string, tag = "2")] message: String,
    }

    ProposeRunCompletion {
        #[prost(uint32, tag = "1")] completion: u32,
        #[prost(bytes = "bytes", optional, tag = "14")] value: Option<Bytes>,
        #[prost(message, optional, tag = "15")] failure: Option<Failure>,
    }

    Input {
        #[prost(message, optional, tag = "14")] value: Option<Value>,
    }

    Output {
        #[prost(message, optional, tag = "14")] value: Option<Value>,
        #[prost(message, optional, tag = "15")] failure: Option<Failure>,
    }

    /// Commands that ask for something of this key, or of all keys.
    Get {
        #[prost(string, tag = "1")] key: String,
        #[prost(uint32, tag = "11")] completion: u32,
    }

    SetState {
        #[prost(string, tag = "1")] key: String,
        #[prost(message, optional, tag = "3")] value: Option<Value>,
    }

    ClearState {
        #[prost(string, tag = "1")] key: String,
    }

    CompletePromise {
        #[prost(string, tag = "1")] key: String,
        #[prost(message, optional, tag = "2")] value: Option<Value>,
        #[prost(uint32, tag = "11")] completion: u32,
    }

    Run {
        #[prost(uint32, tag = "11")] completion: u32,
        #[prost(string, tag = "12")] name: String,
    }

    Sleep {
        #[prost(uint64, tag = "1")] until_ms: u64,
        #[prost(uint32, tag = "11")] completion: u32,
    }

    OneWayCall {
        #[prost(string, tag = "1")] service: String,
        #[prost(string, tag = "2")] handler: String,
        #[prost(bytes = "bytes", tag = "3")] input: Bytes,
        #[prost(uint64, tag = "4")] at_ms: u64,
        #[prost(string, tag = "6")] key: String,
        #[prost(uint32, tag = "10")] completion: u32,
    }

    SendSignal {
        #[prost(string, tag = "1")] invocation: String,
        #[prost(uint32, tag = "2")] signal: u32,
    }

    CompleteAwakeable {
        #[prost(string, tag = "1")] id: String,
        #[prost(message, optional, tag = "2")] value: Option<Value>,
    }

    /// Every notification: of the command with this completion id, or a signal.
    Notification {
        #[prost(uint32, optional, tag = "1")] completion: Option<u32>,
        #[prost(uint32, optional, tag = "2")] signal: Option<u32>,
        #[prost(message, optional, tag = "4")] nothing: Option<Nothing>,
        #[prost(message, optional, tag = "5")] value: Option<Value>,
        #[prost(message, optional, tag = "6")] failure: Option<Failure>,
        #[prost(string, optional, tag = "16")] invocation: Option<String>,
        #[prost(message, optional, tag = "17")] keys: Option<Keys>,
    }
}

impl Notification {
    /// What completes a command, without a result.
    pub fn of(completion: u32) -> Notification {
        Notification { completion: Some(completion), ..Notification::default() }
    }

    pub fn of_signal(signal: u32) -> Notification {
        Notification { signal: Some(signal), ..Notification::default() }
    }

    pub fn nothing(self) -> Notification {
        Notification { nothing: Some(Nothing {}), ..self }
    }

    pub fn value(self, content: Bytes) -> Notification {
        Notification { value: Some(Value { content }), ..self }
    }

    pub fn value_or_nothing(self, content: Option<Bytes>) -> Notification {
        match content {
            Some(content) => self.value(content),
            None => self.nothing(),
        }
    }
}

impl Suspension {
    /// Whether something waits for this.
    pub fn wants(&self, there: &Notification) -> bool {
        there.completion.is_some_and(|id| self.completions.contains(&id))
            || there.signal.is_some_and(|id| self.signals.contains(&id))
            || self.nested.iter().any(|nested| nested.wants(there))
    }
}

/// The invocation and the signal in the id of a callback: base64 of the invocation's number and the signal's.
pub fn callback_of(id: &str) -> (u64, u32) {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = id.strip_prefix("sign_1").expect("the id of a callback").bytes();
    let number = digits.fold(0_u128, |number, digit| {
        let digit = DIGITS.iter().position(|known| *known == digit).expect("a digit of base64");
        number << 6 | digit as u128
    });
    ((number >> 32) as u64, number as u32)
}
