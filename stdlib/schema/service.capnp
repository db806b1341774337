@0x8a3f5d70c9e1b264;
# What the image tells the program of an operator's own service: the methods that are tools, and the shapes of what they
# take and give. It lies in the image as an artefact of the manifest, beside the program.

using Policy = import "policy.capnp";

struct ServiceMethods {
  schemaVersion @0 :UInt32;
  interfaceId @1 :UInt64;
  interfaceName @2 :Text;
  methods @3 :List(ServiceMethod);
  # In code-unit order of names.
  toolList @4 :Data;
  # Of a server of the Model Context Protocol: SHA-256 of the tools that the page's list has, as canonical JSON in order of
  # names. It serves nothing while it lists others. Empty: the program is none.
}

struct ServiceMethod {
  ordinal @0 :UInt16;
  name @1 :Text;
  # As the program exports it.
  readOnly @2 :Bool;
  # Its category is readOnly or descends from it: it is called even where the service has used up its state.
  params @3 :List(Policy.Param);
  results @4 :List(Policy.Param);
}
