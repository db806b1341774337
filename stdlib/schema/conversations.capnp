@0xb7d2c4e918f35a06;
# What was said in conversations, kept so that they go on after a restart, and who may read it again. It is untrusted text:
# labels, turns and leases of a conversation are kept elsewhere, by who decides.

using Capos = import "capos.capnp";
using Policy = import "policy.capnp";

struct Saying {
  # One piece of a conversation, as its loop said that it was.
  sequence @0 :UInt64;
  # Within the conversation, from 1, without gaps; given by the store.
  turn @1 :UInt32;
  role @2 :Capos.Role;
  # Never system.
  text @3 :Text;
  # Of a tool: what it gave, or why not.
  calls @4 :List(Capos.ToolCall);
  # Of an assistant.
  callId @5 :Text;
  # Of a tool: the call that it answers.
  source @6 :Text;
  # Of a tool: its name.
  outcome @7 :Capos.Outcome;
  # Of a tool.
  through @8 :UInt64;
  # Above 0: a summary by the model, which stands for everything from the beginning to this sequence. That stays stored.
  saidMs @9 :UInt64;
  # Milliseconds since 1970 by the machine's clock, which nobody vouches for; nothing is put in order by it.
}

struct Window {
  # What of a conversation its loop shows to the model: its own account, to be shown and not to be relied on.
  contextTokens @0 :UInt32;
  # Of the model.
  budgetTokens @1 :UInt32;
  # What a request may hold: without room for the answer.
  usedTokens @2 :UInt32;
  isEstimated @3 :Bool;
  # Counted as four characters a token, and not by the model's own tokenizer.
  firstKept @4 :UInt64;
  # Sequence of the oldest saying that is shown as it was said; what is before it was evicted.
  summarisedThrough @5 :UInt64;
  # Up to where a summary stands for what was evicted; 0: there is none.
  cutSayings @6 :UInt32;
  # How many are shown in part.
  lostSayings @7 :UInt64;
  # Evicted, and not stored either.
  toolTokens @8 :UInt32;
  systemTokens @9 :UInt32;
  recalled @10 :List(UInt64);
  # Sequences of evicted sayings that the newest request shows once more, in order.
  recalledTokens @11 :UInt32;
  recalledByMeaning @12 :List(UInt64);
  # Those of them that no word of the request would have found, as the store told.
}

interface ConversationLog {
  # Held by a loop. It says what was said in the one conversation that the gate of its session has opened.
  append @0 (conversation :Text, sayings :List(Saying)) -> (last :UInt64);
  # All of them or none; returns once they are on the disk. last: the sequence of the last one.
  recent @1 () -> (conversation :Text, sayings :List(Saying), summary :Saying, last :UInt64);
  # The conversation that is open and the newest of it, oldest first, from a person's words on. summary: the newest there is;
  # sequence 0: there is none. Fails where none is open.
  account @2 (conversation :Text, window :Window) -> ();
  recall @3 (conversation :Text, words :Text, before :UInt64, mostBytes :UInt32) -> (sayings :List(Saying), isOff :Bool, byMeaning :List(UInt64));
  # Of the conversation that is open, from before this sequence: what has to do with these words, best first; of a long one a
  # passage. isOff: the person wants none. byMeaning: sequences of those that none of the words found.
}

interface ConversationStore {
  # Held by a gate; the badge says whose conversations these are.
  begin @0 () -> (conversation :Text);
  # A new name, never given before. Nothing is open then.
  open @1 (conversation :Text) -> (last :UInt64);
  # From now on the session's loop may read this one and add to it. Empty: none.
  list @2 (most :UInt16) -> (conversations :List(ConversationFacts), total :UInt32);
  # Newest first.
  read @3 (conversation :Text, after :UInt64, mostBytes :UInt32) -> (sayings :List(Saying), last :UInt64);
  # In order, as many whole ones as fit.
  fork @4 (conversation :Text, through :UInt64) -> (fork :Text);
  # A new conversation with a copy of the old one's sayings up to this sequence; 0: of all.
  search @5 (words :Text, conversation :Text, most :UInt16) -> (hits :List(Hit), byMeaning :Bool, note :Text);
  # All of the words, in any order, or near in meaning; conversation empty: in all of the session. Best first.
  # byMeaning: an embedder was asked and answered. note: what could not be found by meaning, and why; empty: nothing.
  forget @6 (conversation :Text) -> ();
  status @7 () -> (durable :Bool, reason :Text, bytes :UInt64, mostBytes :UInt64, conversations :UInt32, moved :Text,
              meaning :Text);
  # reason: why nothing outlasts the machine's run. moved: the name under which a spoiled file was put aside at this start.
  # meaning: what of the session can be found by meaning, in words; empty: it has no embedder.
  window @8 () -> (window :Window);
  # What the loop told last of the conversation that is open.
  setRecall @9 (isOn :Bool) -> ();
  # Whether the session's loop is given anything by recall; kept, and on where nobody said anything.
  recalling @10 () -> (isOn :Bool);
  beginTurn @12 (said :Data) -> ();
  # A person has begun a turn. Until the next one the loop may keep so many bytes, and one saying of a person: the one whose
  # text has this SHA-256.
  takeRecalled @11 () -> (conversation :Text, sequences :List(UInt64));
  # What the loop was given by recall since this was asked last, in order; of the conversation that was open last.
}

struct ConversationFacts {
  conversation @0 :Text;
  title @1 :Text;
  # The beginning of the first words of a person.
  sayings @2 :UInt64;
  bytes @3 :UInt64;
  changedMs @4 :UInt64;
  # By the machine's clock.
  parent @5 :Text;
  # The one that it was forked from; empty: none.
}

struct Hit {
  conversation @0 :Text;
  sequence @1 :UInt64;
  role @2 :Capos.Role;
  excerpt @3 :Text;
  byWords @4 :Bool;
  byMeaning @5 :Bool;
}

struct ConversationState {
  # What a gate needs to go on with a conversation after the machine's run, as it is kept by the broker, where no loop gets to it.
  schemaVersion @0 :UInt32;
  policyDigest @1 :Data;
  # SHA-256 of tables.bin. The numbers below mean nothing under other tables.
  task @2 :Text;
  phase @3 :Text;
  # Both empty: the session's own row.
  label @4 :Policy.Label;
  turn @5 :UInt32;
  # The highest that was counted.
  confidentiality @6 :Text;
  integrity @7 :Text;
  compartments @8 :List(Text);
  # The label in the page's names: what it says under other tables, where they know all of them. Empty where they are too long.
  parameters @9 :List(ChosenValue);
  # Of the task; empty where it has none, or they are not known.
}

struct ChosenValue {
  # What a person chose for a parameter of a task, as the gate read it.
  name @0 :Text;
  value @1 :Text;
  # A text, or an exact decimal in the smallest unit of its kind.
}

struct SourceChunk {
  # What a gate adds to its index of where the words of a conversation stood. Digests under a key of the conversation's own: they
  # do not tell what was read. The chunks of a conversation, one behind the other, are the index.
  schemaVersion @0 :UInt32;
  key @1 :Data;
  # 32 random bytes; in the first chunk alone.
  documents @2 :List(SourceDocument);
  # In the order in which they came.
}

struct SourceDocument {
  # One text: a piece of a line, a leaf of a result.
  origin @0 :Origin;
  tool @1 :Text;
  # Of a result or an argument; of what was written, the service that keeps it.
  field @2 :Text;
  integrity @3 :UInt8;
  # Of the result's label.
  record @4 :UInt32;
  # Shared by the leaves of one object.
  call @5 :UInt32;
  # Shared by a result and its arguments; 0: of none.
  digests @6 :List(UInt64);
  # 52 bits a token.
  flags @7 :Data;
  # One byte a token. Bit 0: too little to come from anywhere by itself. Bit 1: it stood in the call, or was written before.
  isTelling @8 :Bool;
  # As a value it is long enough to come from a longer text.
  enum Origin {
    person @0;
    pasted @1;
    page @2;
    result @3;
    argument @4;
    written @5;
    parameter @6;
    # Chosen for a parameter of the task; field: its name.
  }
}
