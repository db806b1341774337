@0xf81d4b0c2e6a9357;
using Capos = import "/std/annotations.capnp";

interface Ledger {
  balance @0 (account :Text) -> (cents :Int64) $Capos.category("readOnly");
  # What an account holds.
}
