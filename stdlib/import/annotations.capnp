@0xd1f0a7c35b2e8640;
# What an operator's schema may say about its own methods:
#
#   using Capos = import "/std/annotations.capnp";
#   interface Ledger {
#     balance @0 (account :Text $Capos.maxBytes(64)) -> (cents :Int64) $Capos.category("readOnly");
#   }
#
# A page that says something else of a method is heard instead. A method without a category, here and on the page, never
# runs. Ids are promises: append only.

annotation category @0xf2a61e94c07b3d85 (method) :Text;
# The category of the method: a root such as "readOnly", or one that the page declares.

annotation label @0x9c47e5d2106fb3a8 (interface, method) :Text;
# The label of what the method, or each method, returns, as a page writes it: "secret:{finance}/reviewed".

annotation truncate @0x8e1b5f7a93c4d026 (method) :UInt32;
# Bytes of the result that return to the model.

annotation redact @0xb3d8024c6ef19a57 (param, field) :Void;
# A field of the result that is masked.

annotation meaning @0xa5c9731fd40be862 (param, field) :Text;
# What an argument is: "path", "url", "text", "program", or "money EUR".

annotation least @0xc80f36b9a2e7d514 (param, field) :Int64;
# The lowest integer that is taken.

annotation most @0xdb94c17e05f8a32d (param, field) :Int64;
# The highest integer that is taken.

annotation maxBytes @0xee52a4078cd1f693 (param, field) :UInt32;
# The longest text that is taken, in bytes of UTF-8.
