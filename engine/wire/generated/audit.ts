// Generated from audit.capnp by `npm run generate`. Do not edit.

import { bool, bytes, enumeration, field, group, list, of, struct, text, type EnumLayout, type StructLayout, uint32, uint64 } from "../layout.ts";
import { Outcome, Role, TokenUsage, ToolDescriptor } from "./capos.ts";

export type PermissionDecision = "auto" | "consented" | "denied" | "stepUpSucceeded" | "stepUpFailed" | "forbidden" | "notReached" | "remembered";

export const PermissionDecision: EnumLayout<PermissionDecision> = enumeration("PermissionDecision", ["auto", "consented", "denied", "stepUpSucceeded", "stepUpFailed", "forbidden", "notReached", "remembered"]);

export type AuditEntry =
  | {
      readonly which: "boot";
      /** First record of a boot. */
      readonly boot: {
        readonly systemId: string;
        readonly version: string;
        /** Bytes of a torn record cut from the tail. */
        readonly recovered: number;
        /** Sequences of intents of earlier boots without an outcome: their effect is unknown. */
        readonly orphans: readonly bigint[];
      };
    }
  | {
      readonly which: "intent";
      /** Before the call is sent. */
      readonly intent: CallRecord;
    }
  | {
      readonly which: "outcome";
      /** After it; also for every call that was refused, then without an intent. */
      readonly outcome: CallRecord;
    }
  | {
      readonly which: "session";
      /** Login, revocation, stop, end. */
      readonly session: {
        readonly name: string;
        readonly event: string;
        readonly detail: string;
      };
    }
  | {
      readonly which: "seal";
      /**
       * By the audit itself: behind each boot record, after a bounded number of records, and as the last one of a clean end.
       * With it all records up to this one stand under a key that is nowhere any more.
       */
      readonly seal: {
        /** From 0, without gaps, across boots. */
        readonly epoch: number;
        /** Ed25519, of this epoch. That of epoch 0 is the audit key: it is noted elsewhere, and says whose log this is. */
        readonly key: Uint8Array;
        /** Of the epoch after. */
        readonly next: Uint8Array;
        /** By the key, over the record as it is with this field empty. */
        readonly signature: Uint8Array;
      };
    }
  | {
      readonly which: "inference";
      /** After an answer of a model, whether it was whole or not. */
      readonly inference: InferenceRecord;
    }
  | {
      readonly which: "shipped";
      /** By the audit itself: all records up to this one have come to the collector that the page names. */
      readonly shipped: bigint;
    };

export const AuditEntry: StructLayout<AuditEntry> = struct("AuditEntry", 0x80f874ad95cd53e7n, [2, 3], () => ({
  fields: [],
  union: { tagOffset: 2, members: [
    field("boot", group({
      fields: [
        field("systemId", text, 0),
        field("version", text, 1),
        field("recovered", uint32, 0),
        field("orphans", list(uint64), 2),
      ],
    }), 0),
    field("intent", of(() => CallRecord), 0),
    field("outcome", of(() => CallRecord), 0),
    field("session", group({
      fields: [
        field("name", text, 0),
        field("event", text, 1),
        field("detail", text, 2),
      ],
    }), 0),
    field("seal", group({
      fields: [
        field("epoch", uint32, 0),
        field("key", bytes, 0),
        field("next", bytes, 1),
        field("signature", bytes, 2),
      ],
    }), 0),
    field("inference", of(() => InferenceRecord), 0),
    field("shipped", uint64, 1),
  ] },
}));

/** On disk: a message with stream header, one after the other. A record's hash is the SHA-256 of its whole message. */
export interface AuditRecord {
  readonly schemaVersion: number;
  /** 16 random bytes, new at each boot. */
  readonly bootId: Uint8Array;
  /** From 1, without gaps, across boots. */
  readonly sequence: bigint;
  /** Hash of the record before; 32 zero bytes for the first. */
  readonly previous: Uint8Array;
  /** Milliseconds since boot. */
  readonly monotonicMs: bigint;
  /** Milliseconds since 1970, by wallSource; 0: unknown. */
  readonly wallMs: bigint;
  /** "rtc": the machine's clock, not authenticated. */
  readonly wallSource: string;
  /** SHA-256 of tables.bin. */
  readonly policyDigest: Uint8Array;
  /** The process that wrote it, known by its badge, never by its own claim. */
  readonly writer: string;
  readonly entry: AuditEntry;
}

export const AuditRecord: StructLayout<AuditRecord> = struct("AuditRecord", 0xa4d955f51c112ed4n, [4, 6], () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("bootId", bytes, 0),
    field("sequence", uint64, 1),
    field("previous", bytes, 1),
    field("monotonicMs", uint64, 2),
    field("wallMs", uint64, 3),
    field("wallSource", text, 2),
    field("policyDigest", bytes, 3),
    field("writer", text, 4),
    field("entry", of(() => AuditEntry), 5),
  ],
}));

export interface CallRecord {
  readonly session: string;
  /** Who stepped up, else who is logged in; empty where neither was asked for. */
  readonly principal: string;
  readonly conversation: string;
  readonly turn: number;
  readonly callId: string;
  /** ModelInfo.id */
  readonly model: string;
  readonly backend: string;
  /** Of the inference request that proposed the call; empty for a person's direct call. */
  readonly nonce: Uint8Array;
  /** capos-side, browser-agent-ui, llm-osd or person. */
  readonly runner: string;
  /** Gateway session, where a browser proposed the call. */
  readonly gateway: string;
  /** As advertised at the time of the call; for an unknown tool only its name. */
  readonly descriptor: ToolDescriptor;
  /**
   * In an intent the exact canonical bytes. Elsewhere what is longer than 4 KiB is cut, and the SHA-256 of the whole follows;
   * as received where they could not be made canonical.
   */
  readonly arguments: string;
  readonly decision: PermissionDecision;
  /** Meaningless in an intent. */
  readonly outcome: Outcome;
  /** SHA-256 of the content as it returned to the model. */
  readonly resultHash: Uint8Array;
  readonly error: string;
  /** Rule.id; empty where no rule decided. */
  readonly rule: string;
  /** In an outcome: sequence of its intent; 0: there was none. */
  readonly intent: bigint;
  /** SHA-256 of the list of tools that the call was made from; empty for a person's direct call. */
  readonly descriptors: Uint8Array;
  /** Number of the remembered consent that it ran under, or that was given with it; 0: there is none. */
  readonly consent: number;
  /**
   * In an outcome without an intent: it was sent all the same. One record stands for a call that only reads, asks nobody and
   * reaches nothing outside; its arguments are exact and whole.
   */
  readonly sent: boolean;
}

export const CallRecord: StructLayout<CallRecord> = struct("CallRecord", 0xb3023371f3a57ec0n, [3, 15], () => ({
  fields: [
    field("session", text, 0),
    field("principal", text, 1),
    field("conversation", text, 2),
    field("turn", uint32, 0),
    field("callId", text, 3),
    field("model", text, 4),
    field("backend", text, 5),
    field("nonce", bytes, 6),
    field("runner", text, 7),
    field("gateway", text, 8),
    field("descriptor", of(() => ToolDescriptor), 9),
    field("arguments", text, 10),
    field("decision", PermissionDecision, 2),
    field("outcome", Outcome, 3),
    field("resultHash", bytes, 11),
    field("error", text, 12),
    field("rule", text, 13),
    field("intent", uint64, 1),
    field("descriptors", bytes, 14),
    field("consent", uint32, 4),
    field("sent", bool, 160),
  ],
}));

export interface InferenceRecord {
  readonly session: string;
  readonly conversation: string;
  readonly turn: number;
  /** ModelInfo.id */
  readonly model: string;
  readonly backend: string;
  /** Of the request; calls that the answer proposed name it too. */
  readonly nonce: Uint8Array;
  /** As the model's worker counted it. */
  readonly usage: TokenUsage;
  /** How many of the request's messages were on record before, by an answer of the same conversation. */
  readonly earlier: number;
  /** The others, in order, as the worker received them. The last may be its answer. */
  readonly messages: readonly MessageRecord[];
  /**
   * Sayings of the conversation that its store gave the loop once more since the answer before: evicted ones, found again by
   * the words of the request.
   */
  readonly recalled: readonly bigint[];
}

export const InferenceRecord: StructLayout<InferenceRecord> = struct("InferenceRecord", 0xb4b10e1f08c34099n, [1, 8], () => ({
  fields: [
    field("session", text, 0),
    field("conversation", text, 1),
    field("turn", uint32, 0),
    field("model", text, 2),
    field("backend", text, 3),
    field("nonce", bytes, 4),
    field("usage", of(() => TokenUsage), 5),
    field("earlier", uint32, 1),
    field("messages", list(of(() => MessageRecord)), 6),
    field("recalled", list(uint64), 7),
  ],
}));

/** What can be said of a message without its words. */
export interface MessageRecord {
  readonly role: Role;
  /** Of the content, in UTF-8. */
  readonly bytes: number;
  /** SHA-256 of the message in its canonical form, without stream header. */
  readonly hash: Uint8Array;
}

export const MessageRecord: StructLayout<MessageRecord> = struct("MessageRecord", 0x9e3ee4711285cbb8n, [1, 1], () => ({
  fields: [
    field("role", Role, 0),
    field("bytes", uint32, 1),
    field("hash", bytes, 0),
  ],
}));
