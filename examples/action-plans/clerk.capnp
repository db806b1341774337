@0xd1c6a1e0b7f34a29;
using Capos = import "/std/annotations.capnp";

interface Clerk {
  file @0 (name :Text, text :Text) -> (answer :Text) $Capos.category("mutatingLocal");
  # File a text in the inbox, and read it back.

  ask @1 (plan :Text) -> (answer :Text) $Capos.category("mutatingLocal");
  # Hand in whatever plan is given, as a program would that somebody has taken over.
}
