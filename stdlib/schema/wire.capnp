@0xc41f8e07b52d9603;
# How processes of the image speak: one connected stream per granted capability, framed messages, and the runtime's own
# interfaces. Holding the descriptor is holding the capability.

using Capos = import "capos.capnp";
using Audit = import "audit.capnp";
using Policy = import "policy.capnp";

struct Frame {
  # One message on a connection: at most 1 MiB, one segment, nesting at most 32. Preceded by the standard stream header.
  callId @0 :UInt64;
  # Chosen by the caller; unique among its calls in flight.
  union {
    call :group {
      interfaceId @1 :UInt64;
      # Must equal the granted interface, or one scoped to it (TokenStream); the provider cuts off a peer that errs.
      method @2 :UInt16;
      payload @3 :Payload;
    }
    answer :group {
      payload @4 :Payload;
    }
    failure :group {
      code @5 :FailureCode;
      reason @6 :Text;
    }
    cancel @7 :Void;
    # From the caller: the answer is no longer wanted. The provider still answers, with failure cancelled or with its result.
  }
}

struct Payload {
  union {
    empty @0 :Void;
    json @1 :Text;
    # Arguments and results of tools: canonical JSON (RFC 8785).
    message @2 :Data;
    # Anything else: a canonical Cap'n Proto message of the method's parameter or result struct, without stream header.
  }
}

enum FailureCode {
  unknownMethod @0;
  malformed @1;
  failed @2;
  # The work was tried and did not succeed; reason says why.
  cancelled @3;
  overloaded @4;
  closed @5;
}

# ---- the person's side: served by the console ----

enum Speaker {
  # Whose text this is; the console marks it and filters it.
  runner @0;
  model @1;
  tool @2;
}

interface Terminal {
  # Held by the loop. The console draws; what is written here is text and never a command.
  readLine @0 () -> (line :Text, end :Bool);
  # Waits for a whole line. end: the person left.
  write @1 (text :Text, speaker :Speaker) -> ();
  awaitInterrupt @2 () -> ();
  # Returns when the person presses Ctrl-C.
}

interface Approval {
  # Held by a gate. The one place where a person is asked.
  ask @0 (question :Question) -> (answer :Answer, signature :Text);
  # signature: for stepUp, the armoured SSHSIG that was pasted.
  announce @1 (notice :Notice) -> ();
  # Draws a call as a structured widget.
  awaitInterrupt @2 () -> ();
  # Returns when the person presses Ctrl-C: the gate stops the call in flight, whatever the loop does.
  lock @3 () -> ();
  # Whoever was logged in to the gate's session is not any more: what they typed is forgotten, their screen cleared.
}

struct Question {
  tool @0 :Text;
  arguments @1 :Text;
  # The canonical bytes that are decided, shown, audited and sent.
  sentence @2 :Text;
  # What will happen, generated from the checked term.
  mode @3 :Capos.PermissionMode;
  rule @4 :Text;
  # The line of the page that asks.
  timeoutMs @5 :UInt32;
  challenge @6 :Text;
  # For stepUp: the exact text to be signed; otherwise empty.
  mayRemember @7 :Bool;
  # The page lets consent be remembered for this conversation: the console offers that as well.
  remembers @8 :Text;
  # What exactly would be remembered, in words generated from the checked term.
  isLogin @9 :Bool;
  # With a challenge: the signature is made for login@capos, not for stepup@capos.
  passphrase @10 :Passphrase;
  # With isLogin and a salt in it: nothing is pasted. The console asks for a passphrase, unseen, and signs with the key that it makes.
}

struct Passphrase {
  # Salts of 16 to 64 bytes. A key pair of Ed25519 comes of argon2id (19 MiB, 2 passes, 1 lane) over what is typed.
  salt @0 :Data;
  # Of the passphrase that there is; empty: there is none yet.
  newSalt @1 :Data;
  # Of one that is to be chosen; empty: none is. With both the signature is two, the first by the one that there is.
}

enum Answer {
  denied @0;
  granted @1;
  cancelled @2;
  timedOut @3;
  grantedForConversation @4;
  # Only where it was offered.
  mistyped @5;
  # What was typed was no answer twice; that refuses.
}

struct Notice {
  tool @0 :Text;
  arguments @1 :Text;
  mode @2 :Capos.PermissionMode;
  stage @3 :Stage;
  outcome @4 :Capos.Outcome;
  detail @5 :Text;
  hasMode @6 :Bool;
  # False: refused before any mode was asked for; mode means nothing then.
  result @7 :Text;
  # With finished and ok: the beginning of what came back, for a person to see.
  enum Stage {
    proposed @0;
    running @1;
    finished @2;
    waiting @3;
    # Somebody is asked.
  }
}

# ---- the session's side: served by the gate ----

interface ToolProxy {
  # Held by the loop. Naming a tool here is a proposal; the gate decides.
  describeTools @0 (conversation :Text) -> (tools :List(Capos.ToolDescriptor), snapshot :Data, turn :UInt32, nonce :Data, backend :Text);
  # snapshot: SHA-256 of the canonical descriptor list; a call must name the one it was made from.
  # turn: the gate's own count. A call must name it; the conversation is the first that was named here.
  # nonce: for the inference request that is made from this list. The audit names it beside the calls that follow, and
  # need not ask the loop for it.
  # backend: whose model answers now, and knows the nonce; no other does. A person may be asked before there is an answer.
  invokeTool @1 (conversation :Text, turn :UInt32, snapshot :Data, call :Capos.ToolCall) -> (result :Capos.ToolResult);
  cancelTurn @2 (conversation :Text, turn :UInt32) -> ();
  invokeStruct @3 (conversation :Text, turn :UInt32, snapshot :Data, call :Capos.ToolCall, message :Data) -> (result :Capos.ToolResult);
  # The same with arguments that are a Cap'n Proto message of the method's parameter struct, without stream header. The gate makes
  # the JSON of it that is decided, shown, recorded and sent. It refuses a call that has JSON as well, and a tool of no known layout.
}

interface Session {
  # Held by the console: the person's direct commands. They bypass the model and the loop.
  command @0 (name :Text, argument :Text, isPasted :Bool) -> (lines :List(Text));
  # name without its slash, e.g. "tools"; lines are drawn as the gate's own words. "task" and "phase" may ask the person. isPasted:
  # the terminal said so of a part of it; what a command names to a tool is then not the person's own words.
  beginTurn @1 (said :Data, pieces :List(Piece)) -> (turn :UInt32);
  # The console calls this before it hands a line to the loop: turns are counted here and never by the loop. said: SHA-256 of
  # the line, by which the store knows it again. pieces: the line in parts, in their order; joined they have that SHA-256. The
  # gate keeps digests of their words, so that it can tell whose words an argument is, and only if a line of its page asks that.
  vocabulary @2 () -> (commands :List(CommandWords), tools :List(ToolWords), tasks :List(Text), phases :List(Text),
                       conversations :List(Text));
  # What can be typed to this gate now: for completion and for /help. It grants nothing.
  standing @3 () -> (standing :Standing);
  # Where the session stands now: for the status line of a console. It grants nothing.
}

struct Standing {
  isLocked @0 :Bool;
  # Nobody is logged in; then everything else is empty.
  label @1 :Text;
  # Of the conversation, as people read it.
  model @2 :Text;
  # The backend that would answer now; empty: none may.
  isModelAsked @3 :Bool;
  # A person is asked before that backend answers.
  task @4 :Text;
  phase @5 :Text;
  left @6 :List(Text);
  # What is left of each quota that holds here, in the order of the page; at most 16.
}

struct Piece {
  # A part of a line.
  text @0 :Text;
  isPasted @1 :Bool;
  # The terminal said that it was pasted.
}

struct CommandWords {
  name @0 :Text;
  # Without its slash.
  usage @1 :Text;
  argument @2 :ArgumentKind;
  namesConversations @3 :Bool;
  # The words behind it begin with names of conversations.
}

enum ArgumentKind {
  # What can stand behind a command.
  none @0;
  text @1;
  tool @2;
  service @3;
  task @4;
  phase @5;
  call @6;
  # A tool and its arguments.
}

struct ToolWords {
  name @0 :Text;
  service @1 :Text;
  arguments @2 :List(Text);
  # Names of the argument object's fields.
}

# ---- models: served by their workers ----

interface Metering {
  # Held by the gate of each session that the model answers in. The worker begins no answer without a permit of that gate, and
  # counts what it uses: nothing that a loop says of tokens is believed.
  allow @0 (nonce :Data, mostTokens :UInt32, redactions :List(Policy.Redaction)) -> ();
  # One answer, to the one request that names this nonce, of at most so many tokens with its prompt. redactions: what the worker
  # masks in that request before anything else hears it.
  ended @1 (nonce :Data) -> (usage :Capos.TokenUsage, messages :List(Audit.MessageRecord),
                         masked :List(Audit.Masked));
  # Waits until that answer has ended, or its permit was withdrawn. messages: what was received, and behind it what was
  # answered, where it was answered whole; empty where nothing was asked under the permit. masked: each redaction of the permit.
  withdraw @2 (nonce :Data) -> ();
  # None begins any more; one that runs ends.
  asked @3 (nonce :Data) -> (most :Capos.TokenUsage);
  # Waits until somebody is to be asked for that answer: more than this nobody can count for it. What it used, where it ended before.
  noted @4 (nonce :Data) -> ();
  # What asked said has come. Nobody is asked for that answer before, so that a worker which dies until then has used nothing.
}

# ---- supervision: served by init ----

interface Supervisor {
  # What init lets a process ask of it; the badge says who asks, and each method says who may.
  revoke @0 (name :Text) -> ();
  # Any holder: shuts the connection of a grant of its own, by its name. Every copy of the descriptor sees it.
  stop @1 (name :Text) -> ();
  # The console: kills a process by name.
  facts @2 () -> (uptimeSeconds :UInt64, memoryFreeBytes :UInt64, processes :List(ProcessFacts));
  readLog @3 (after :UInt64) -> (lines :List(LogLine));
  # Waits until there is a line with a higher sequence; at most 64 lines.
  readNotices @4 (after :UInt64) -> (lines :List(LogLine));
  # The console: what the person at the machine is to know, waited for in the same way. Whatever is not behind `after` has
  # been drawn; the rest init prints itself when the console ends.
  restart @5 (name :Text) -> ();
  # The console: kills a process that its manifest lets be started again, also one that was stopped or given up. Returns when
  # it serves again. A gate: its own loop, or a grant of its own that a living provider no longer serves.
}

struct ProcessFacts {
  name @0 :Text;
  role @1 :Text;
  alive @2 :Bool;
  serves @3 :Bool;
  # It has said that it serves.
}

struct LogLine {
  sequence @0 :UInt64;
  uptimeMs @1 :UInt64;
  text @2 :Text;
}

# ---- audit ----

interface AuditLog {
  # Held by gates, broker and console.
  append @0 (entry :Audit.AuditEntry) -> (sequence :UInt64, hash :Data, policyDigest :Data);
  # Returns once the record is on the disk. policyDigest: what the record names.
  status @1 () -> (durable :Bool, sequence :UInt64, hash :Data, policyDigest :Data, refusal :Text, key :Data, sealed :UInt64, shipping :Text, taken :UInt8);
  # durable: what is appended now reaches the disk. refusal: why no call at all may begin, which is where there is a disk and
  # the log takes no more; empty where there is no disk to record on: then what only reads may run. key: the audit key, empty
  # where there is no log. sealed: sequence of the newest seal. shipping: what a collector has and has not; empty where the page
  # names none. taken: percent of the room for calls that is used up; nothing gives it back.
  tail @2 (count :UInt32) -> (records :List(Audit.AuditRecord));
}

# ---- broker ----

interface Broker {
  # Held by each gate; the badge says which session.
  reserve @0 (request :Reservation) -> (lease :Data, exhausted :Text);
  # Charges one call (and its category, and the prompts) in every enclosing scope, or in none. lease empty: exhausted
  # names the quota that is spent.
  settle @1 (lease :Data, ran :Bool) -> ();
  # ran false: the call did not run; what was reserved is given back, prompts excepted.
  challenge @2 (step :StepUp) -> (challenge :Text, nonce :Data, failure :Text);
  prove @3 (nonce :Data, signature :Text) -> (principal :Text, failure :Text);
  # Single use. principal empty: failure says why.
  remaining @4 (conversation :Text, turn :UInt32, task :Text, phase :Text) -> (lines :List(Text), left :List(QuotaLeft));
  # lines: each quota in a sentence. left: the same quotas in a few words, without those that every call has of its own.
  remember @5 (consent :Consent) -> (number :UInt32, failure :Text);
  # A person's word that holds for more than one call. number: counts from 1 since the machine started; 0: failure says why.
  recall @6 (consent :Consent) -> (number :UInt32);
  # The consent that was given for such a call and holds still; 0: there is none.
  consents @7 (consent :Consent) -> (held :List(HeldConsent));
  # All that hold still in this conversation, turn, row and label; tool and alike are not looked at.
  takeBack @8 (number :UInt32) -> (taken :List(UInt32));
  # 0: all of the session.
  keep @9 (conversation :Text, state :Data) -> ();
  # What a gate needs to go on with a conversation after the machine's run; opaque here, at most 4 KiB. Durable when answered,
  # where there is a data disk.
  kept @10 (conversation :Text) -> (state :Data);
  # Empty: nothing is kept of it.
  infer @11 (inference :Inference) -> (lease :Data, mostTokens :UInt32, exhausted :Text);
  # Reserves tokens for one answer of a model, as many as are left and one answer can use; lease empty: exhausted names the
  # quota that is spent.
  settleTokens @12 (lease :Data, tokens :UInt64, outputTokens :UInt64) -> ();
  # What its worker counted; the rest is given back. outputTokens: how many of them were the answer's own.
  forget @13 (conversation :Text) -> ();
  # Nothing is kept of it any more. After the words are gone, and never before: without a record it stands at the highest label.
  loginChallenge @14 (validForMs :UInt32, principal :Text, renews :Bool) -> (challenge :Text, nonce :Data, failure :Text, passphrase :Passphrase);
  # Of a session that its page closes; nothing else is charged or asked in it before. principal: who wants to be known by a
  # passphrase; empty where only one can be. renews: who is logged in wants another one.
  login @15 (nonce :Data, signature :Text) -> (principal :Text, failure :Text);
  # Single use. From now on what is counted per login begins anew, and what is counted per principal is this one's alone.
  logout @16 () -> (taken :List(UInt32));
  # Nobody is logged in any more. taken: consents, which were that person's and hold no longer.
  renew @17 (nonce :Data, signature :Text) -> (failure :Text);
  # Another passphrase for who is logged in, proven by both. Single use. failure empty: it is on the disk.
  keepSources @18 (conversation :Text, after :UInt64, chunk :Data) -> (size :UInt64);
  # Adds to what a gate knows of where the words of a conversation stood; opaque here, at most 768 KiB at once and 2 MiB in all.
  # after: bytes that are kept already; fails if it is another number. Durable when answered, where there is a data disk.
  keptSources @19 (conversation :Text, from :UInt64) -> (chunk :Data, size :UInt64);
  # What was kept from this byte on, at most 768 KiB. size: of all of it. Fails if what was kept is damaged.
}

struct QuotaLeft {
  backend @0 :Text;
  # The backend that it bounds, whoever asks; empty: the quota is of the row.
  words @1 :Text;
  # For example "2 of 4 readOnly per turn".
}

struct Inference {
  conversation @0 :Text;
  turn @1 :UInt32;
  task @2 :Text;
  phase @3 :Text;
  backend @4 :Text;
}

struct Consent {
  # What it is bound to. Equal in all of it is one thing to the person who consented.
  conversation @0 :Text;
  turn @1 :UInt32;
  # Of the call; binds where the row remembers for a turn only.
  task @2 :Text;
  phase @3 :Text;
  tool @4 :Text;
  alike @5 :Text;
  # The class of the arguments: which conditions of the page hold of them.
  confidentiality @6 :UInt8;
  integrity @7 :UInt8;
  compartments @8 :UInt64;
  # The label of the conversation. Once it floats, the consent is void.
  words @9 :Text;
  # What the person read; binds nothing.
}

struct HeldConsent {
  number @0 :UInt32;
  tool @1 :Text;
  words @2 :Text;
  forMs @3 :UInt64;
  # Until it is void by time alone, on the boot clock.
}

struct Reservation {
  conversation @0 :Text;
  turn @1 :UInt32;
  tool @2 :Text;
  # Empty: a question that is no call, such as that before a phase; only prompts are charged.
  prompts @3 :UInt16;
  task @4 :Text;
  phase @5 :Text;
  # The row whose quotas are charged; both empty: the session's own.
  argumentBytes @6 :UInt32;
  # Of the canonical arguments, in UTF-8.
  ran @7 :List(Data);
  # Leases of calls before this one, which ran: settled, whatever comes of this one. One that is not there is passed over.
}

struct StepUp {
  conversation @0 :Text;
  turn @1 :UInt32;
  tool @2 :Text;
  # Or "/task", "/phase": a step into a row; the arguments say which.
  arguments @3 :Text;
  # Canonical bytes.
  validForMs @4 :UInt32;
  task @5 :Text;
  phase @6 :Text;
}
