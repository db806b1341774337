@0xd3b1a60c5e92f748;
using Capos = import "/std/annotations.capnp";

interface Hoard {
  # Wants more of the data disk than its line of the page says.
  fill @0 () -> (text :Text) $Capos.category("mutatingLocal");
  # One file, for as long as it grows.
  append @1 () -> (text :Text) $Capos.category("mutatingLocal");
  # Another file beside it.
  move @2 () -> (text :Text) $Capos.category("mutatingLocal");
  # The file into another folder, and a new one in its place.
  hide @3 () -> (text :Text) $Capos.category("mutatingLocal");
  # The file without its name, still open, and a new one.
  names @4 () -> (text :Text) $Capos.category("mutatingLocal");
  # Links, other projects, devices, attributes.
  files @5 () -> (text :Text) $Capos.category("mutatingLocal");
  # Empty files in many folders.
  holes @6 () -> (text :Text) $Capos.category("mutatingLocal");
  # A file of 1 GiB with a byte in each of its MiB.
}

interface Moody {
  # Answers what nobody can read.
  once @0 () -> (text :Text) $Capos.category("readOnly");
  always @1 () -> (text :Text) $Capos.category("readOnly");
}

interface Glutton {
  # Wants more memory, and more of the processor, than there is.
  eat @0 () -> (text :Text) $Capos.category("readOnly");
  burn @1 () -> (text :Text) $Capos.category("readOnly");
}
