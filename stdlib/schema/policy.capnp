@0xb7e24d90f1636a05;
# The policy tables: what gates and broker read, and what the compiler proves things about. Every list is in code-unit
# order of its names unless it says otherwise; indexes are 0-based into the list that they name.

using Capos = import "capos.capnp";

struct PolicyTables {
  schemaVersion @0 :UInt32;
  systemId @1 :Text;
  version @2 :Text;
  lattice @3 :Lattice;
  categories @4 :List(Category);
  tools @5 :List(Tool);
  rules @6 :List(Rule);
  decisions @7 :List(Decision);
  # Distinct decision lists that cells share, in order of first use.
  rows @8 :List(Row);
  # By session, then task, in code-unit order; phases as the page has them; workers of each in code-unit order.
  backends @9 :List(Backend);
  principals @10 :List(Principal);
  releases @11 :List(Release);
  # In the order of their rules.
  ingresses @12 :List(Ingress);
  pageTexts @13 :List(Text);
  # Texts of the page's named sets: whose words are the page's. In code-unit order, each once; empty where no line asks for them.
  redactions @14 :List(Redaction);
  # In code-unit order of their names.
  audit @15 :AuditLimit;
}

struct AuditLimit {
  # Which text the audit keeps.
  hasLimit @0 :Bool;
  # The page names a label above which only digests are kept. False: all text is kept.
  above @1 :Label;
  # Integrity 0: the text of every integrity is kept up to this level and these compartments.
  keep @2 :AuditKeep;
  # How long records stay in a log whose partition has no room left.
}

enum AuditKeep {
  always @0;
  # A full log stays full, and no call runs.
  untilShipped @1;
  # Until the collector has acknowledged them.
  untilExported @2;
  # Until a person has acknowledged an export of them.
}

struct Lattice {
  # Levels lowest first; compartments in code-unit order, at most 64.
  confidentiality @0 :List(Text);
  integrity @1 :List(Text);
  compartments @2 :List(Text);
}

struct Label {
  confidentiality @0 :UInt8;
  integrity @1 :UInt8;
  compartments @2 :UInt64;
  # Bit i: compartment i.
}

struct LabelRange {
  low @0 :Label;
  high @1 :Label;
}

struct Category {
  name @0 :Text;
  parent @1 :UInt16;
  # Index into categories; 65535: one of the five roots.
}

struct Tool {
  name @0 :Text;
  # instance.method, as the model names it.
  description @1 :Text;
  interfaceId @2 :UInt64;
  interfaceName @3 :Text;
  method @4 :UInt16;
  # Ordinal.
  methodName @5 :Text;
  category @6 :UInt16;
  readOnly @7 :Bool;
  # Its category is readOnly or descends from it.
  provider @8 :Text;
  # The service that answers.
  paramSchema @9 :Text;
  # JSON Schema of the arguments, canonical JSON.
  params @10 :List(Param);
  # The same in the form that the gate checks; in declaration order.
  result @11 :LabelRange;
  sink @12 :Label;
  # Where the arguments flow to: the provider's label, or what it may send.
  networked @13 :Bool;
  # The provider has a network grant.
  redact @14 :List(Text);
  # Result fields that are masked.
  truncateBytes @15 :UInt32;
  # Of the result that returns to the model; 0: the runtime's limit.
  pageProgram @16 :Bool;
  # The page brings the program that answers: what it does is what its jail lets it, whatever its category says.
  strong @17 :List(Text);
  # Result fields that only their owner fills, as the page says: words of them may lower a gate to auto. In code-unit order.
  layout @18 :Layout;
  # Where the parameters stand in a Cap'n Proto message of them, as the schema lays them out that the page imports. Blank: the
  # interface is of the standard library, whose layouts programs hold, or the tool takes its arguments as JSON alone.
  servers @19 :List(Server);
  # Of the provider's network grant, in the order of the page: the gate refuses a call to any other before it asks. Empty: the provider
  # is not one of HTTP.
  methodDenied @20 :Bool;
  # The grant does not cover the HTTP method of this tool: no call of it can be sent.
}

struct Server {
  # Where a provider may send requests; the same as a place of egress.capnp.
  scheme @0 :Text;
  # "http" or "https".
  host @1 :Text;
  # A name in lower case, an IPv4 address, or "*": any name that leads to public addresses alone.
  port @2 :UInt16;
  path @3 :Text;
  # Requests lie below it, by whole segments.
}

struct Layout {
  # One struct of a schema.
  dataWords @0 :UInt16;
  pointers @1 :UInt16;
  places @2 :List(Place);
  # One for each of the parameters, or members of the record, in their order.
}

struct Place {
  # Where one parameter stands, and how it is stored.
  offset @0 :UInt32;
  # In units of the size of what is stored; of a pointer its index. Zero for groups, and for elements of lists.
  standard @1 :UInt64;
  # Bits of the default.
  union {
    scalar @2 :Kind;
    choice @3 :Void;
    text @4 :Void;
    list @5 :Place;
    record @6 :Layout;
    group @7 :Layout;
    # A record whose members stand in the sections around it.
  }
  enum Kind {
    bool @0;
    int8 @1;
    int16 @2;
    int32 @3;
    int64 @4;
    uint8 @5;
    uint16 @6;
    uint32 @7;
    uint64 @8;
    float32 @9;
    float64 @10;
  }
}

struct Param {
  name @0 :Text;
  type @1 :Type;
  required @2 :Bool;
}

struct Type {
  # The shape of a JSON value. Integers beyond 2^53 travel as decimal text.
  union {
    boolean @0 :Void;
    integer :group {
      low @1 :Int64;
      high @2 :UInt64;
    }
    number @3 :Void;
    text :group {
      maxBytes @4 :UInt32;
    }
    choice @5 :List(Text);
    list @6 :Type;
    record @7 :List(Param);
    json :group {
      # A value of which the gate looks at no part but the outermost: the provider checks it.
      maxBytes @8 :UInt32;
      # Of its canonical JSON; 0: the reader's own limit.
      form @9 :Form;
    }
    either @10 :List(Type);
    # A value that fits one of these.
  }
  enum Form {
    any @0;
    object @1;
    list @2;
  }
}

struct Rule {
  # A line of the page, as /why and the audit name it.
  id @0 :Text;
  # session:line-of-permission, stable within one source, e.g. "operator/consent mutatingLocal".
  words @1 :Text;
  # The line as canonical source text.
  place @2 :Text;
  # file:line:column
}

struct Decision {
  # Each group of clauses comes to modes; the strictest of these and of all floors that are met decides.
  clauses @0 :List(Clause);
  floors @1 :List(Floor);
}

struct Clause {
  conditions @0 :List(Condition);
  # All must hold for `met`; none: unconditional.
  met @1 :Capos.PermissionMode;
  otherwise @2 :Capos.PermissionMode;
  rule @3 :UInt32;
  group @4 :UInt16;
  # Clauses of a decision with one number are lines of one layer and pattern. Of those that match, one whose conditions are
  # those of another and more displaces it; the modes of the others count. If none matches, the modes behind `else` count.
  # 0: a group by itself. Numbers begin with 1 in order of first use, and each has two clauses at least.
}

struct Condition {
  # A test of one argument; what cannot be evaluated takes the strictest mode of the cell.
  path @0 :List(Text);
  # Argument name, then record fields.
  term @1 :Term;
  operator @2 :Operator;
  literals @3 :List(Literal);
  # One, but for `in`; none for `from`.
  each @4 :Each;
  # Whether the term has one value, or is asked of every element of the lists on its path.
  extract @5 :Extract;
  # Literals that are found inside the text, in place of the text itself.
  absentHolds @6 :Bool;
  # The condition holds of an argument that is absent or null.
  sources @7 :List(Source);
  # Of `from`: it holds if the words of the term stood in one of these.
  enum Term {
    value @0;
    size @1;
    # Bytes of UTF-8.
    origin @2;
    # scheme://host[:port] of a URL.
    count @3;
    # Elements of a list, or literals that were found.
    domain @4;
    # Host of a URL, or what stands behind @ in an e-mail address.
    has @5;
    # Whether the argument is there and not null.
    date @6;
    # Milliseconds since 1970 of an ISO 8601 date.
    duration @7;
    # Milliseconds of a duration.
  }
  enum Operator {
    equal @0;
    notEqual @1;
    less @2;
    lessOrEqual @3;
    greater @4;
    greaterOrEqual @5;
    in @6;
    under @7;
    # Normalised path segments, or labels of a domain.
    startsWith @8;
    endsWith @9;
    matches @10;
    # A pattern of `?`, `*`, `#` and `\\`.
    from @11;
    # Whose words the term is, as the conversation's index of sources knows it.
  }
  enum Each {
    single @0;
    every @1;
    # Holds of an empty list.
    some @2;
  }
  enum Extract {
    none @0;
    urls @1;
    addresses @2;
  }
}

struct Source {
  # A place that the words of an argument may come from.
  union {
    person @0 :Void;
    # Typed at the console in this conversation.
    pasted @1 :Void;
    # Pasted in brackets at the console.
    page @2 :Void;
    # Values of the page, and of the parameters of its task.
    untrusted @3 :Void;
    # Text of the lowest integrity, and nothing better.
    atLeast @4 :UInt8;
    # Anything read at this integrity or above.
    field :group {
      tool @5 :Text;
      name @6 :Text;
      # Names of members from the result inwards, joined by `.`; lists add nothing. Empty: the result is a text.
      related @7 :List(Related);
      # All must hold of the record that the field stands in.
      isStrong @8 :Bool;
      # The tool names it among its strong fields.
    }
  }
}

struct Related {
  # A condition on the record of a source, or on the call that it is a result of.
  name @0 :Text;
  # A field of the same record; of the call: an argument.
  ofCall @1 :Bool;
  text @2 :Text;
  # It says this and nothing else; only where `sources` is empty.
  sources @3 :List(Source);
  # Its words stood in one of these, none of which has related fields of its own.
}

struct Literal {
  union {
    text @0 :Text;
    boolean @1 :Bool;
    decimal @2 :Text;
    # Exact decimal, already in the smallest unit where it is an amount of bytes.
    parameter :group {
      # The value that the person chose who began the task; where it is not known, the condition cannot be evaluated.
      name @3 :Text;
      kind @4 :ParameterKind;
    }
  }
}

struct Parameter {
  # A value that a person chooses who begins a task.
  name @0 :Text;
  kind @1 :ParameterKind;
  currency @2 :Text;
  # Of money; else empty.
}

enum ParameterKind {
  text @0;
  number @1;
  money @2;
  date @3;
  # Milliseconds since 1970.
  duration @4;
  # Milliseconds.
  size @5;
  # Bytes.
}

struct Floor {
  # `when … atLeast … where`: met by the conversation and, where conditions are written, by the arguments.
  confidentialityAtLeast @0 :UInt8;
  # 0: no such condition.
  integrityAtMost @1 :UInt8;
  # 255: no such condition.
  compartments @2 :UInt64;
  # All of these are in the conversation's label.
  unattended @3 :Bool;
  mode @4 :Capos.PermissionMode;
  rule @5 :UInt32;
  conditions @6 :List(Condition);
  # All must hold of the arguments; one that cannot be evaluated counts as if it held.
}

struct Row {
  # One per session, task, phase, worker; empty text where there is none.
  session @0 :Text;
  task @1 :Text;
  phase @2 :Text;
  worker @3 :Text;
  kind @4 :Text;
  # operator, guest, anonymous, service.
  principals @5 :List(UInt16);
  cells @6 :List(UInt32);
  # One per tool: 0 suppressed or outside `only`; 1 covered by no line; otherwise 2 + index into decisions.
  clearance @7 :Label;
  starts @8 :Label;
  backends @9 :List(BackendChoice);
  quotas @10 :List(Quota);
  timeouts @11 :Timeouts;
  phaseIndex @12 :UInt16;
  # Place of the phase in its task: a conversation begins in 0 and goes forward only.
  entry @13 :Capos.PermissionMode;
  # The gate to pass before a conversation is in this row: at its beginning in phase 0, at the step into any other.
  entryRule @14 :UInt32;
  # The line that asks for it; without meaning where entry is auto.
  remember @15 :Remember;
  # For how long consent to one thing is consent to the next like it.
  releases @16 :List(UInt16);
  # Those that hold here.
  login @17 :Login;
  # What opens the session: until then nothing in it is heard, answered or called. The same in all rows of a session.
  loginRule @18 :UInt32;
  # The line that asks for it; without meaning where login is none.
  requiresTask @19 :Bool;
  # Nothing runs here: the session requires a task, and this row is outside of every task.
  taskRule @20 :UInt32;
  # The line that says so; without meaning where requiresTask is false.
  parameters @21 :List(Parameter);
  # Of the task, in the order of the page. The same in all rows of a task.
  enum Login {
    none @0;
    # Whoever is at the console.
    key @1;
    # One of its principals, by a signature.
    passphrase @2;
    # One of its principals, by a passphrase that the data disk knows.
  }
  enum Remember {
    none @0;
    turn @1;
    conversation @2;
  }
}

struct BackendChoice {
  backend @0 :UInt16;
  mode @1 :Capos.PermissionMode;
}

struct Quota {
  amount @0 :UInt64;
  # In the smallest unit: of money a millionth of the currency's unit.
  unit @1 :Unit;
  name @2 :Text;
  # Category name or currency where the unit is one of those; else empty.
  scope @3 :Scope;
  rule @4 :UInt32;
  enum Unit {
    calls @0;
    tokens @1;
    prompts @2;
    bytes @3;
    category @4;
    money @5;
  }
  enum Scope {
    call @0;
    turn @1;
    conversation @2;
    task @3;
    login @4;
    principal @5;
    hour @6;
    day @7;
  }
}

struct Timeouts {
  # Milliseconds; 0: the runtime's own limit.
  callMs @0 :UInt32;
  turnMs @1 :UInt32;
  loginMs @2 :UInt32;
  idleMs @3 :UInt32;
  # Without a word of the person's; then the session locks, and a login opens it. 0: it does not lock by itself.
}

struct Backend {
  name @0 :Text;
  kind @1 :Kind;
  clearance @2 :Label;
  local @3 :Bool;
  quotas @4 :List(Quota);
  # Charged beside those of the row, whoever asks.
  logRequired @5 :Bool;
  # It may answer only where the audit is durable.
  currency @6 :Text;
  # In which its provider is paid; empty: the page says no price.
  inputMicros @7 :UInt64;
  outputMicros @8 :UInt64;
  # Price of a million tokens, of what is asked and of what is answered, in millionths of the currency.
  embedder @9 :Text;
  # The model that makes vectors of what is said where this backend is the first that answers unasked; empty: none.
  contextTokens @10 :UInt32;
  # Of its model: no answer uses more, what it was asked included. 0: nobody said.
  enum Kind {
    stub @0;
    cpu @1;
    gpu @2;
    remote @3;
    browser @4;
  }
}

struct Principal {
  name @0 :Text;
  keys @1 :List(Text);
  # OpenSSH public keys, "ssh-ed25519 AAAA…", without comment.
  passphrase @2 :Text;
  # What its passphrase is called on the data disk; empty: it has none.
}

struct Release {
  # One call's arguments may flow where the conversation's label would not let them, once a person has seen them in full.
  # The conversation keeps its label.
  tools @0 :List(UInt16);
  act @1 :Act;
  from @2 :Label;
  # Covers conversations whose label may flow here.
  to @3 :Label;
  # What the arguments count as: its level and compartments where declassified, its integrity where endorsed.
  gate @4 :Capos.PermissionMode;
  rule @5 :UInt32;
  enum Act {
    declassify @0;
    endorse @1;
  }
}

struct Redaction {
  # Text that is masked in a conversation before a backend hears it whose clearance the label may not flow to.
  name @0 :Text;
  label @1 :Label;
  patterns @2 :List(Text);
  # Of `?`, `*`, `#` and `\\`, found anywhere in a text; `*` is a run without white space.
  results @3 :List(Field);
  # Fields of results.
  arguments @4 :List(Field);
  # Fields of arguments.
  struct Field {
    tool @0 :Text;
    name @1 :Text;
    # Names of members from the outermost record inwards, joined by `.`; lists add nothing.
  }
}

struct Ingress {
  # Where words come from that begin a conversation in a row.
  name @0 :Text;
  source @1 :Text;
  address @2 :Text;
  row @3 :UInt32;
  label @4 :Label;
  # Of what comes in.
  zone @5 :Text;
  # Time zone of the database of IANA, in which the address of a timer is read; empty for other sources.
  missed @6 :Text;
  # What a timer does about runs that were missed: skip, once or each; empty for other sources.
  says @7 :Text;
  # The message with which a run of a timer begins its conversation; empty for other sources.
}
