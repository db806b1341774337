@0xe07b3c5a91d4f286;
# The petty cash of a lab, as its own service serves it.

using Capos = import "/std/annotations.capnp";

interface Ledger {
  # The lab's petty cash.

  balance @0 (account :Account) -> (cents :Int64) $Capos.category("readOnly");
  # What an account holds, in cents.

  history @1 (account :Account, most :UInt8 = 10 $Capos.least(1) $Capos.most(50)) -> (entries :List(Entry))
    $Capos.category("readOnly") $Capos.truncate(4096);
  # The newest payments from an account, newest first.

  pay @2 (account :Account, payee :Payee, cents :UInt32 $Capos.least(1) $Capos.most(1000000),
          memo :Text = "" $Capos.maxBytes(200)) -> (id :Text, left :Int64);
  # Pay somebody from an account. Gives what is left in it.

  refund @3 (id :Text $Capos.maxBytes(32)) -> (left :Int64);
  # Take a payment back.
}

enum Account {
  travel @0;
  coffee @1;
}

struct Payee {
  name @0 :Text $Capos.maxBytes(64);
  iban @1 :Text $Capos.maxBytes(34);
}

struct Entry {
  id @0 :Text;
  payee @1 :Text;
  cents @2 :UInt32;
  memo @3 :Text;
}
