@0xd18c36ab02f745e9;
using Capos = import "/std/annotations.capnp";

interface Post {
  weigh @0 (grams :UInt32 $Capos.least(1) $Capos.most(20000)) -> (cents :UInt32) $Capos.category("readOnly");
  # What a letter of so many grams costs.
  send @1 (to :Text, words :Text) -> (number :UInt32) $Capos.category("mutatingLocal");
  # Puts a letter into the house's outgoing tray.
}

interface Dice {
  roll @0 (sides :UInt8 $Capos.least(2) $Capos.most(100)) -> (value :UInt8) $Capos.category("readOnly");
  # Roll a die with so many sides.
}
