@0xd4b1f3a8c6e29507;
using Capos = import "/std/annotations.capnp";

interface Desk {
  # Tickets about what went wrong.

  open @0 (title :Text, words :Text) -> (number :UInt32) $Capos.category("mutatingLocal");
  # Open a ticket. Whoever looks after the machine reads it.

  list @1 () -> (tickets :List(Text)) $Capos.category("readOnly");
  # List the open tickets, each as its number and title.

  close @2 (number :UInt32) -> () $Capos.category("destructive");
  # Close a ticket. Its words are gone.
}
