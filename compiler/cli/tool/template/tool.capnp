@0xID;

using Capos = import "/std/annotations.capnp";

interface FACE {
  ask @0 (text :Text $Capos.maxBytes(1000)) -> (answer :Text) $Capos.category("readOnly");
  # Ask SERVICE about a text. The model and the person who approves a call read this comment.
}
