@0x8a3f5d70c9e1b264;
# What the image tells the program of an operator's own service: the methods that are tools, and the shapes of what they
# take and give. It lies in the image as an artefact of the manifest, beside the program.

using Policy = import "policy.capnp";
using Tools = import "tools.capnp";

struct ServiceMethods {
  schemaVersion @0 :UInt32;
  interfaceId @1 :UInt64;
  interfaceName @2 :Text;
  methods @3 :List(ServiceMethod);
  # In code-unit order of names.
  toolList @4 :Data;
  # Of a server of the Model Context Protocol: SHA-256 of the tools that the page's list has, as canonical JSON in order of
  # names. It serves nothing while it lists others. Empty: the program is none.
  held @5 :List(HeldService);
  # What the page grants it, in code-unit order of names: each is a capability of the process under the same name.
}

struct HeldService {
  name @0 :Text;
  # Of the service, as the page calls it.
  interfaceId @1 :UInt64;
  methods @2 :List(HeldMethod);
  # In code-unit order of names.
}

struct HeldMethod {
  ordinal @0 :UInt16;
  name @1 :Text;
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

interface FileEdits {
  # A service of Files as the one that keeps patch sets for it holds it; no tool. Arguments and results travel as JSON.

  check @0 (edits :List(ExpectedEdit)) -> (digests :List(Text));
  # Whether all of these edits fit, and what each of their files is now: SHA-256 in hexadecimal, empty where there is none.
  # No file is touched.

  apply @1 (edits :List(ExpectedEdit)) -> ();
  # All of these edits, or none: also where the machine loses its power meanwhile.
}

struct ExpectedEdit {
  edit @0 :Tools.Edit;
  digest @1 :Text;
  # What the file must be, as `check` gives it.
}

interface PlanGate {
  # The gate of a session as the service of ActionPlans that works in its name holds it; no tool. Arguments and results travel
  # as JSON. Who holds it begins turns and proposes calls in them, and decides nothing.

  look @0 (action :FileAction) -> (standing :Text, reason :Text);
  # What stands before an action now: "runs", "asks" (a person), or "refused". Quotas are not looked at. Nothing is touched.

  begin @1 (words :Text) -> (turn :UInt32);
  # A plan's turn, behind what is under way. The words, without what is secret in it, are on record before anything of it runs.

  act @2 (turn :UInt32, id :Text, action :FileAction, isCautious :Bool) -> (outcome :Text, content :Text, error :Text);
  # One call of the plan's turn. isCautious: a person is asked even where the page would not. outcome: of the nine.

  refused @3 (words :Text) -> ();
  # A request that is no plan, for the record.
}

struct FileAction {
  type @0 :Text;
  # read_file or write_file.
  path @1 :Text;
  content @2 :Text;
  # Of a read empty.
}
