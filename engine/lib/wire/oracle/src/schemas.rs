//! Contains the generated modules, and finds structs by name.

use capnp::message::{Reader, ReaderSegments};
use capnp::{Error, Result, dynamic_value};

include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// Returns the root of a message as the struct `name` of the schema file `file`.
pub fn root<'a, S: ReaderSegments>(file: &str, name: &str, message: &'a Reader<S>) -> Result<dynamic_value::Reader<'a>> {
    macro_rules! roots {
        ($($file:literal $name:literal $module:ident $path:ident)*) => {
            match (file, name) {
                $(($file, $name) => Ok(message.get_root::<$module::$path::Reader>()?.into()),)*
                _ => Err(Error::failed(format!("there is no struct {name} in {file}.capnp"))),
            }
        };
    }
    include!(concat!(env!("OUT_DIR"), "/roots.rs"))
}
