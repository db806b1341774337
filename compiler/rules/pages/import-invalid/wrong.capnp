@0xf81d4b0c2e6a9358;

interface Ledger {
  balance @0 (account :Txt) -> (cents :Int64);
}
