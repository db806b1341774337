@0xc41f8e07b52d9603;
# How processes of the image speak: one connected stream per granted capability, framed messages, and the runtime's own
# interfaces. Holding the descriptor is holding the capability.

using Capos = import "capos.capnp";

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
  ask @0 (question :Question) -> (answer :Answer);
  announce @1 (notice :Notice) -> ();
  # Draws a call as a structured widget.
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
}

enum Answer {
  denied @0;
  granted @1;
  cancelled @2;
  timedOut @3;
}

struct Notice {
  tool @0 :Text;
  arguments @1 :Text;
  mode @2 :Capos.PermissionMode;
  stage @3 :Stage;
  outcome @4 :Capos.Outcome;
  detail @5 :Text;
  enum Stage {
    proposed @0;
    running @1;
    finished @2;
  }
}

# ---- the session's side: served by the gate ----

interface ToolProxy {
  # Held by the loop. Naming a tool here is a proposal; the gate decides.
  describeTools @0 (conversation :Text) -> (tools :List(Capos.ToolDescriptor), snapshot :Data);
  # snapshot: SHA-256 of the canonical descriptor list; a call must name the one it was made from.
  invokeTool @1 (conversation :Text, turn :UInt32, snapshot :Data, call :Capos.ToolCall) -> (result :Capos.ToolResult);
  cancelTurn @2 (conversation :Text, turn :UInt32) -> ();
}

interface Session {
  # Held by the console: the person's direct commands. They bypass the model and the loop.
  command @0 (name :Text, argument :Text) -> (lines :List(Text));
  # name without its slash, e.g. "tools"; lines are drawn as the gate's own words.
}
