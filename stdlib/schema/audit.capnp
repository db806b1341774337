@0xf0b94c6d7e21a808;
# The audit: one chained record before and after everything that touched authority.

using Capos = import "capos.capnp";

struct AuditRecord {
  # On disk: a message with stream header, one after the other. A record's hash is the SHA-256 of its whole message.
  schemaVersion @0 :UInt32;
  bootId @1 :Data;
  # 16 random bytes, new at each boot.
  sequence @2 :UInt64;
  # From 1, without gaps, across boots.
  previous @3 :Data;
  # Hash of the record before; 32 zero bytes for the first.
  monotonicMs @4 :UInt64;
  # Milliseconds since boot.
  wallMs @5 :UInt64;
  # Milliseconds since 1970, by wallSource; 0: unknown.
  wallSource @6 :Text;
  # "rtc": the machine's clock, not authenticated.
  policyDigest @7 :Data;
  # SHA-256 of tables.bin.
  writer @8 :Text;
  # The process that wrote it, known by its badge, never by its own claim.
  entry @9 :AuditEntry;
}

struct AuditEntry {
  union {
    boot :group {
      # First record of a boot.
      systemId @0 :Text;
      version @1 :Text;
      recovered @2 :UInt32;
      # Bytes of a torn record cut from the tail.
      orphans @3 :List(UInt64);
      # Sequences of intents of earlier boots without an outcome: their effect is unknown.
    }
    intent @4 :CallRecord;
    # Before the call is sent.
    outcome @5 :CallRecord;
    # After it; also for every call that was refused, then without an intent.
    session :group {
      # Login, revocation, stop, end.
      name @6 :Text;
      event @7 :Text;
      detail @8 :Text;
      digest @15 :Data;
      # Of the part of the detail that is withheld, such as values of a task or words of a plan; empty: nothing is withheld.
    }
    seal :group {
      # By the audit itself: behind each boot record, after a bounded number of records, and as the last one of a clean end.
      # With it all records up to this one stand under a key that is nowhere any more.
      epoch @9 :UInt32;
      # From 0, without gaps, across boots.
      key @10 :Data;
      # Ed25519, of this epoch. That of epoch 0 is the audit key: it is noted elsewhere, and says whose log this is.
      next @11 :Data;
      # Of the epoch after.
      signature @12 :Data;
      # By the key, over the record as it is with this field empty.
    }
    inference @13 :InferenceRecord;
    # After an answer of a model, whether it was whole or not.
    shipped @14 :UInt64;
    # By the audit itself: all records up to this one have come to the collector that the page names.
    checkpoint @16 :Checkpoint;
    # By the audit itself, directly behind a seal: the first record of a segment.
    released :group {
      # By the audit itself: the segments up to this record are no longer needed, and their room is used again.
      through @17 :UInt64;
      # Sequence of the last released record.
      hash @18 :Data;
      # Of that record.
      by @19 :ReleaseReason;
    }
  }
}

struct Checkpoint {
  # The state of the chain before this record. A log whose older segments were released is verified from here.
  place @0 :UInt64;
  # Number of the block that the record is in; blocks are counted from the first one that was ever written.
  auditKey @1 :Data;
  # Key of epoch 0.
  epoch @2 :UInt32;
  # Of the seal before this record.
  key @3 :Data;
  # That signed this seal.
  next @4 :Data;
  # That signs the seal after it.
  open @5 :List(OpenIntent);
  # Intents without an outcome, in order of sequence.
  shipped @6 :UInt64;
  # The newest sequence that a `shipped` record named; 0: none.
  segments @7 :List(Segment);
  # Older segments that were not released, oldest first.
}

struct OpenIntent {
  sequence @0 :UInt64;
  writer @1 :Text;
}

struct Segment {
  # Records from one checkpoint until before the next. The first segment of a log begins without one.
  place @0 :UInt64;
  # Number of its first block.
  sequence @1 :UInt64;
  # Of its first record.
  previous @2 :Data;
  # Hash of the record before.
}

enum ReleaseReason {
  shipped @0;
  # The collector has the records.
  exported @1;
  # A person has an export of the records, and said so with `capc audit release`.
}

struct InferenceRecord {
  session @0 :Text;
  conversation @1 :Text;
  turn @2 :UInt32;
  model @3 :Text;
  # ModelInfo.id
  backend @4 :Text;
  nonce @5 :Data;
  # Of the request; calls that the answer proposed name it too.
  usage @6 :Capos.TokenUsage;
  # As the model's worker counted it.
  earlier @7 :UInt32;
  # How many of the request's messages were on record before, by an answer of the same conversation.
  messages @8 :List(MessageRecord);
  # The others, in order, as the worker received them. The last may be its answer.
  recalled @9 :List(UInt64);
  # Sayings of the conversation that its store gave the loop once more since the answer before: evicted ones, found again by
  # the words of the request.
  masked @10 :List(Masked);
  # Redactions of the page that applied to the backend, and what the worker masked. The messages are as they were then.
  isWithheld @11 :Bool;
  # The conversation is above the page's limit: the hashes of the messages are digests under the digest key.
}

struct Masked {
  # Never the text that was masked.
  redaction @0 :Text;
  places @1 :UInt32;
}

struct MessageRecord {
  # What can be said of a message without its words.
  role @0 :Capos.Role;
  bytes @1 :UInt32;
  # Of the content, in UTF-8.
  hash @2 :Data;
  # SHA-256 of the message in its canonical form, without stream header.
}

struct CallRecord {
  session @0 :Text;
  principal @1 :Text;
  # Who stepped up, else who is logged in; empty where neither was asked for.
  conversation @2 :Text;
  turn @3 :UInt32;
  callId @4 :Text;
  model @5 :Text;
  # ModelInfo.id
  backend @6 :Text;
  nonce @7 :Data;
  # Of the inference request that proposed the call; empty for a person's direct call.
  runner @8 :Text;
  # capos-side, browser-agent-ui, llm-osd or person.
  gateway @9 :Text;
  # Gateway session, where a browser proposed the call.
  descriptor @10 :Capos.ToolDescriptor;
  # As advertised at the time of the call; for an unknown tool only its name.
  arguments @11 :Text;
  # In an intent the exact canonical bytes. Elsewhere what is longer than 4 KiB is cut, and the SHA-256 of the whole follows;
  # as received where they could not be made canonical.
  decision @12 :PermissionDecision;
  outcome @13 :Capos.Outcome;
  # Meaningless in an intent.
  resultHash @14 :Data;
  # SHA-256 of the content as it returned to the model.
  error @15 :Text;
  rule @16 :Text;
  # Rule.id; empty where no rule decided.
  intent @17 :UInt64;
  # In an outcome: sequence of its intent; 0: there was none.
  descriptors @18 :Data;
  # SHA-256 of the list of tools that the call was made from; empty for a person's direct call.
  consent @19 :UInt32;
  # Number of the remembered consent that it ran under, or that was given with it; 0: there is none.
  sent @20 :Bool;
  # In an outcome without an intent: it was sent all the same. One record stands for a call that only reads, asks nobody and
  # reaches nothing outside; its arguments are exact and whole.
  form @21 :ArgumentForm;
  # How the arguments were handed in. They stand here as JSON in either case.
  askedMs @22 :UInt32;
  # Milliseconds from the question to its answer, at least 1. 0: nobody was asked.
  surface @23 :Text;
  # Process that put the question to the person, such as "console". Empty: nobody was asked.
  argumentsHash @24 :Data;
  # Digest of the arguments that are withheld: HMAC-SHA256 under the digest key of this log, which the log does not contain.
  # Empty: the arguments stand above.
  isWithheld @25 :Bool;
  # The label of the arguments is above the page's limit. The arguments are empty, and the call's id, and the name of an unknown
  # tool, are "withheld".
  isResultWithheld @26 :Bool;
  # The label of the result is above the page's limit: resultHash is a digest under the digest key.
  errorHash @27 :Data;
  # Digest of an error that is withheld; the error is then empty. Empty: the error stands above.
  release @28 :ReleaseRecord;
  # The release by which the arguments may flow to the tool, if the call was approved. Blank: the flow needs none.
}

struct ReleaseRecord {
  # Names of the page alone, which stay in the log whatever text it withholds.
  rule @0 :Text;
  # Rule.id of the line that releases.
  act @1 :Text;
  # "declassify" or "endorse".
  from @2 :Text;
  # Label of the conversation, which the release leaves as it is.
  to @3 :Text;
  # Label as which the arguments count.
}

enum ArgumentForm {
  json @0;
  capnp @1;
}

enum PermissionDecision {
  auto @0;
  consented @1;
  denied @2;
  stepUpSucceeded @3;
  stepUpFailed @4;
  forbidden @5;
  notReached @6;
  # Refused before its mode was asked: unknown, malformed, flow, quota, no durable audit.
  remembered @7;
  # Nobody was asked: a person had consented to all calls like it.
}
