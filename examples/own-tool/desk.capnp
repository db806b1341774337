@0xb0a7c2d94e6f1385;
using Capos = import "/std/annotations.capnp";

interface Words {
  count @0 (text :Text) -> (words :UInt32) $Capos.category("readOnly");
  # Count the words of a text.
}

interface Dice {
  roll @0 (sides :UInt8 $Capos.least(2) $Capos.most(100)) -> (value :UInt8) $Capos.category("readOnly");
  # Roll a die with so many sides.
}
