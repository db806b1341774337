// Generated from audit.capnp by `npm run generate`. Do not edit.

import { bool, bytes, enumeration, field, group, list, of, struct, text, type EnumLayout, type StructLayout, uint32, uint64 } from "../layout.ts";
import { NO_BYTES, NO_ELEMENTS, dataAt, emptyStruct, isBlankStruct, listOf, memberAt, putData, putFlag, putMember, putStructOf, putText, putUint32, putUint64, structOf, textAt, type QuickList, type Reader, type StructCodec, type Writer, unfitMember, unknownUnionMember } from "../quick.ts";
import { Outcome, Role, TokenUsage, ToolDescriptor } from "./capos.ts";

export type ArgumentForm = "json" | "capnp";

export const ArgumentForm: EnumLayout<ArgumentForm> = /* @__PURE__ */ enumeration("ArgumentForm", ["json", "capnp"]);

export type PermissionDecision = "auto" | "consented" | "denied" | "stepUpSucceeded" | "stepUpFailed" | "forbidden" | "notReached" | "remembered";

export const PermissionDecision: EnumLayout<PermissionDecision> = /* @__PURE__ */ enumeration("PermissionDecision", ["auto", "consented", "denied", "stepUpSucceeded", "stepUpFailed", "forbidden", "notReached", "remembered"]);

export type ReleaseReason = "shipped" | "exported";

export const ReleaseReason: EnumLayout<ReleaseReason> = /* @__PURE__ */ enumeration("ReleaseReason", ["shipped", "exported"]);

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
        /** Of the part of the detail that is withheld, such as values of a task or words of a plan; empty: nothing is withheld. */
        readonly digest: Uint8Array;
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
    }
  | {
      readonly which: "checkpoint";
      /** By the audit itself, directly behind a seal: the first record of a segment. */
      readonly checkpoint: Checkpoint;
    }
  | {
      readonly which: "released";
      /** By the audit itself: the segments up to this record are no longer needed, and their room is used again. */
      readonly released: {
        /** Sequence of the last released record. */
        readonly through: bigint;
        /** Of that record. */
        readonly hash: Uint8Array;
        readonly by: ReleaseReason;
      };
    };

const listAuditEntrybootorphans: QuickList = /* @__PURE__ */ listOf("AuditEntry.boot.orphans", uint64);
const quickAuditEntry: StructCodec = {
  isBlank(given: unknown): boolean {
    const value = given as AuditEntry;
    return value.which === "boot" && !(value.boot.systemId !== "") &&
      !(value.boot.version !== "") &&
      !(value.boot.recovered !== 0) &&
      !(value.boot.orphans?.length !== 0);
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as AuditEntry;
    switch (value.which) {
      case "boot": {
        const v0 = value.boot.systemId;
        const v1 = value.boot.version;
        const v2 = value.boot.recovered;
        const v3 = value.boot.orphans;
        const words = v2 !== 0 ? 1 :
          0;
        const targets = v3?.length !== 0 ? 3 :
          v1 !== "" ? 2 :
          v0 !== "" ? 1 :
          0;
        if (words + targets === 0) return;
        const data = writer.openStruct(at, words, targets, depth);
        const pointers = data + words * 8;
        if (v0 !== "") putText(writer, pointers + 0, v0, "AuditEntry.boot.systemId");
        if (v1 !== "") putText(writer, pointers + 8, v1, "AuditEntry.boot.version");
        if (v2 !== 0) putUint32(writer, data + 0, v2, "AuditEntry.boot.recovered");
        if (v3?.length !== 0) listAuditEntrybootorphans.put(writer, pointers + 16, v3, depth + 1);
        return;
      }
      case "intent": {
        const v0 = value.intent;
        const words = 1;
        const targets = !isBlankStruct(CallRecord, v0, depth + 1) ? 1 :
          0;
        const data = writer.openStruct(at, words, targets, depth);
        const pointers = data + words * 8;
        writer.view.setUint16(data + 4, 1, true);
        putStructOf(writer, pointers + 0, CallRecord, v0, depth + 1);
        return;
      }
      case "outcome": {
        const v0 = value.outcome;
        const words = 1;
        const targets = !isBlankStruct(CallRecord, v0, depth + 1) ? 1 :
          0;
        const data = writer.openStruct(at, words, targets, depth);
        const pointers = data + words * 8;
        writer.view.setUint16(data + 4, 2, true);
        putStructOf(writer, pointers + 0, CallRecord, v0, depth + 1);
        return;
      }
      case "session": {
        const v0 = value.session.name;
        const v1 = value.session.event;
        const v2 = value.session.detail;
        const v3 = value.session.digest;
        const words = 1;
        const targets = v3?.length !== 0 ? 4 :
          v2 !== "" ? 3 :
          v1 !== "" ? 2 :
          v0 !== "" ? 1 :
          0;
        const data = writer.openStruct(at, words, targets, depth);
        const pointers = data + words * 8;
        writer.view.setUint16(data + 4, 3, true);
        if (v0 !== "") putText(writer, pointers + 0, v0, "AuditEntry.session.name");
        if (v1 !== "") putText(writer, pointers + 8, v1, "AuditEntry.session.event");
        if (v2 !== "") putText(writer, pointers + 16, v2, "AuditEntry.session.detail");
        if (v3?.length !== 0) putData(writer, pointers + 24, v3, "AuditEntry.session.digest");
        return;
      }
      case "seal": {
        const v0 = value.seal.epoch;
        const v1 = value.seal.key;
        const v2 = value.seal.next;
        const v3 = value.seal.signature;
        const words = 1;
        const targets = v3?.length !== 0 ? 3 :
          v2?.length !== 0 ? 2 :
          v1?.length !== 0 ? 1 :
          0;
        const data = writer.openStruct(at, words, targets, depth);
        const pointers = data + words * 8;
        writer.view.setUint16(data + 4, 4, true);
        if (v0 !== 0) putUint32(writer, data + 0, v0, "AuditEntry.seal.epoch");
        if (v1?.length !== 0) putData(writer, pointers + 0, v1, "AuditEntry.seal.key");
        if (v2?.length !== 0) putData(writer, pointers + 8, v2, "AuditEntry.seal.next");
        if (v3?.length !== 0) putData(writer, pointers + 16, v3, "AuditEntry.seal.signature");
        return;
      }
      case "inference": {
        const v0 = value.inference;
        const words = 1;
        const targets = !isBlankStruct(InferenceRecord, v0, depth + 1) ? 1 :
          0;
        const data = writer.openStruct(at, words, targets, depth);
        const pointers = data + words * 8;
        writer.view.setUint16(data + 4, 5, true);
        putStructOf(writer, pointers + 0, InferenceRecord, v0, depth + 1);
        return;
      }
      case "shipped": {
        const v0 = value.shipped;
        const words = v0 !== 0n ? 2 :
          1;
        const targets = 0;
        const data = writer.openStruct(at, words, targets, depth);
        writer.view.setUint16(data + 4, 6, true);
        if (v0 !== 0n) putUint64(writer, data + 8, v0, "AuditEntry.shipped");
        return;
      }
      case "checkpoint": {
        const v0 = value.checkpoint;
        const words = 1;
        const targets = !isBlankStruct(Checkpoint, v0, depth + 1) ? 1 :
          0;
        const data = writer.openStruct(at, words, targets, depth);
        const pointers = data + words * 8;
        writer.view.setUint16(data + 4, 7, true);
        putStructOf(writer, pointers + 0, Checkpoint, v0, depth + 1);
        return;
      }
      case "released": {
        const v0 = value.released.through;
        const v1 = value.released.hash;
        const v2 = value.released.by;
        const words = v0 !== 0n ? 2 :
          1;
        const targets = v1?.length !== 0 ? 1 :
          0;
        const data = writer.openStruct(at, words, targets, depth);
        const pointers = data + words * 8;
        writer.view.setUint16(data + 4, 8, true);
        if (v0 !== 0n) putUint64(writer, data + 8, v0, "AuditEntry.released.through");
        if (v1?.length !== 0) putData(writer, pointers + 0, v1, "AuditEntry.released.hash");
        if (v2 !== "shipped") putMember(writer, data + 0, ReleaseReason, v2, "AuditEntry.released.by");
        return;
      }
      default:
        unfitMember("AuditEntry", given);
    }
  },
  get(reader: Reader, at: number, depth: number): AuditEntry | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(7)) return undefined;
    const { view } = reader;
    const { data, dataWords, pointers, pointerCount } = found;
    const tag = dataWords < 1 ? 0 : view.getUint16(data + 4, true);
    switch (tag) {
      case 0:
        return {
          which: "boot",
          boot: {
          systemId: pointerCount > 0 ? textAt(reader, pointers + 0, depth + 1) : "",
          version: pointerCount > 1 ? textAt(reader, pointers + 8, depth + 1) : "",
          recovered: dataWords < 1 ? 0 : view.getUint32(data + 0, true),
          orphans: pointerCount > 2 ? listAuditEntrybootorphans.get(reader, pointers + 16, depth + 1) : NO_ELEMENTS,
          },
        };
      case 1:
        return {
          which: "intent",
          intent: (pointerCount > 0 ? structOf(reader, pointers + 0, CallRecord, depth + 1) : emptyStruct(CallRecord)) as CallRecord,
        };
      case 2:
        return {
          which: "outcome",
          outcome: (pointerCount > 0 ? structOf(reader, pointers + 0, CallRecord, depth + 1) : emptyStruct(CallRecord)) as CallRecord,
        };
      case 3:
        return {
          which: "session",
          session: {
          name: pointerCount > 0 ? textAt(reader, pointers + 0, depth + 1) : "",
          event: pointerCount > 1 ? textAt(reader, pointers + 8, depth + 1) : "",
          detail: pointerCount > 2 ? textAt(reader, pointers + 16, depth + 1) : "",
          digest: pointerCount > 3 ? dataAt(reader, pointers + 24, depth + 1) : NO_BYTES,
          },
        };
      case 4:
        return {
          which: "seal",
          seal: {
          epoch: dataWords < 1 ? 0 : view.getUint32(data + 0, true),
          key: pointerCount > 0 ? dataAt(reader, pointers + 0, depth + 1) : NO_BYTES,
          next: pointerCount > 1 ? dataAt(reader, pointers + 8, depth + 1) : NO_BYTES,
          signature: pointerCount > 2 ? dataAt(reader, pointers + 16, depth + 1) : NO_BYTES,
          },
        };
      case 5:
        return {
          which: "inference",
          inference: (pointerCount > 0 ? structOf(reader, pointers + 0, InferenceRecord, depth + 1) : emptyStruct(InferenceRecord)) as InferenceRecord,
        };
      case 6:
        return {
          which: "shipped",
          shipped: dataWords < 2 ? 0n : view.getBigUint64(data + 8, true),
        };
      case 7:
        return {
          which: "checkpoint",
          checkpoint: (pointerCount > 0 ? structOf(reader, pointers + 0, Checkpoint, depth + 1) : emptyStruct(Checkpoint)) as Checkpoint,
        };
      case 8:
        return {
          which: "released",
          released: {
          through: dataWords < 2 ? 0n : view.getBigUint64(data + 8, true),
          hash: pointerCount > 0 ? dataAt(reader, pointers + 0, depth + 1) : NO_BYTES,
          by: dataWords < 1 ? "shipped" : memberAt(reader, ReleaseReason, data + 0),
          },
        };
      default:
        return unknownUnionMember(reader, tag);
    }
  },
};

export const AuditEntry: StructLayout<AuditEntry> = /* @__PURE__ */ struct({ name: "AuditEntry", id: 0x80f874ad95cd53e7n, sizes: [2, 4], shape: () => ({
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
        field("digest", bytes, 3),
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
    field("checkpoint", of(() => Checkpoint), 0),
    field("released", group({
      fields: [
        field("through", uint64, 1),
        field("hash", bytes, 0),
        field("by", ReleaseReason, 0),
      ],
    }), 0),
  ] },
}), quick: quickAuditEntry });

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

const quickAuditRecord: StructCodec = {
  isBlank(given: unknown, depth: number): boolean {
    const value = given as AuditRecord;
    return !(value.schemaVersion !== 0) &&
      !(value.bootId?.length !== 0) &&
      !(value.sequence !== 0n) &&
      !(value.previous?.length !== 0) &&
      !(value.monotonicMs !== 0n) &&
      !(value.wallMs !== 0n) &&
      !(value.wallSource !== "") &&
      !(value.policyDigest?.length !== 0) &&
      !(value.writer !== "") &&
      !(!isBlankStruct(AuditEntry, value.entry, depth + 1));
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as AuditRecord;
    const v0 = value.schemaVersion;
    const v1 = value.bootId;
    const v2 = value.sequence;
    const v3 = value.previous;
    const v4 = value.monotonicMs;
    const v5 = value.wallMs;
    const v6 = value.wallSource;
    const v7 = value.policyDigest;
    const v8 = value.writer;
    const v9 = value.entry;
    const words = v5 !== 0n ? 4 :
      v4 !== 0n ? 3 :
      v2 !== 0n ? 2 :
      v0 !== 0 ? 1 :
      0;
    const targets = !isBlankStruct(AuditEntry, v9, depth + 1) ? 6 :
      v8 !== "" ? 5 :
      v7?.length !== 0 ? 4 :
      v6 !== "" ? 3 :
      v3?.length !== 0 ? 2 :
      v1?.length !== 0 ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0 !== 0) putUint32(writer, data + 0, v0, "AuditRecord.schemaVersion");
    if (v1?.length !== 0) putData(writer, pointers + 0, v1, "AuditRecord.bootId");
    if (v2 !== 0n) putUint64(writer, data + 8, v2, "AuditRecord.sequence");
    if (v3?.length !== 0) putData(writer, pointers + 8, v3, "AuditRecord.previous");
    if (v4 !== 0n) putUint64(writer, data + 16, v4, "AuditRecord.monotonicMs");
    if (v5 !== 0n) putUint64(writer, data + 24, v5, "AuditRecord.wallMs");
    if (v6 !== "") putText(writer, pointers + 16, v6, "AuditRecord.wallSource");
    if (v7?.length !== 0) putData(writer, pointers + 24, v7, "AuditRecord.policyDigest");
    if (v8 !== "") putText(writer, pointers + 32, v8, "AuditRecord.writer");
    putStructOf(writer, pointers + 40, AuditEntry, v9, depth + 1);
  },
  get(reader: Reader, at: number, depth: number): AuditRecord | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(11)) return undefined;
    const { view } = reader;
    const { data, dataWords, pointers, pointerCount } = found;
    return {
      schemaVersion: dataWords < 1 ? 0 : view.getUint32(data + 0, true),
      bootId: pointerCount > 0 ? dataAt(reader, pointers + 0, depth + 1) : NO_BYTES,
      sequence: dataWords < 2 ? 0n : view.getBigUint64(data + 8, true),
      previous: pointerCount > 1 ? dataAt(reader, pointers + 8, depth + 1) : NO_BYTES,
      monotonicMs: dataWords < 3 ? 0n : view.getBigUint64(data + 16, true),
      wallMs: dataWords < 4 ? 0n : view.getBigUint64(data + 24, true),
      wallSource: pointerCount > 2 ? textAt(reader, pointers + 16, depth + 1) : "",
      policyDigest: pointerCount > 3 ? dataAt(reader, pointers + 24, depth + 1) : NO_BYTES,
      writer: pointerCount > 4 ? textAt(reader, pointers + 32, depth + 1) : "",
      entry: (pointerCount > 5 ? structOf(reader, pointers + 40, AuditEntry, depth + 1) : emptyStruct(AuditEntry)) as AuditEntry,
    };
  },
};

export const AuditRecord: StructLayout<AuditRecord> = /* @__PURE__ */ struct({ name: "AuditRecord", id: 0xa4d955f51c112ed4n, sizes: [4, 6], shape: () => ({
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
}), quick: quickAuditRecord });

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
  /** How the arguments were handed in. They stand here as JSON in either case. */
  readonly form: ArgumentForm;
  /** Milliseconds from the question to its answer, at least 1. 0: nobody was asked. */
  readonly askedMs: number;
  /** Process that put the question to the person, such as "console". Empty: nobody was asked. */
  readonly surface: string;
  /**
   * Digest of the arguments that are withheld: HMAC-SHA256 under the digest key of this log, which the log does not contain.
   * Empty: the arguments stand above.
   */
  readonly argumentsHash: Uint8Array;
  /**
   * The label of the arguments is above the page's limit. The arguments are empty, and the call's id, and the name of an unknown
   * tool, are "withheld".
   */
  readonly isWithheld: boolean;
  /** The label of the result is above the page's limit: resultHash is a digest under the digest key. */
  readonly isResultWithheld: boolean;
  /** Digest of an error that is withheld; the error is then empty. Empty: the error stands above. */
  readonly errorHash: Uint8Array;
  /** The release by which the arguments may flow to the tool, if the call was approved. Blank: the flow needs none. */
  readonly release: ReleaseRecord;
}

const quickCallRecord: StructCodec = {
  isBlank(given: unknown, depth: number): boolean {
    const value = given as CallRecord;
    return !(value.session !== "") &&
      !(value.principal !== "") &&
      !(value.conversation !== "") &&
      !(value.turn !== 0) &&
      !(value.callId !== "") &&
      !(value.model !== "") &&
      !(value.backend !== "") &&
      !(value.nonce?.length !== 0) &&
      !(value.runner !== "") &&
      !(value.gateway !== "") &&
      !(!isBlankStruct(ToolDescriptor, value.descriptor, depth + 1)) &&
      !(value.arguments !== "") &&
      !(value.decision !== "auto") &&
      !(value.outcome !== "ok") &&
      !(value.resultHash?.length !== 0) &&
      !(value.error !== "") &&
      !(value.rule !== "") &&
      !(value.intent !== 0n) &&
      !(value.descriptors?.length !== 0) &&
      !(value.consent !== 0) &&
      !(value.sent !== false) &&
      !(value.form !== "json") &&
      !(value.askedMs !== 0) &&
      !(value.surface !== "") &&
      !(value.argumentsHash?.length !== 0) &&
      !(value.isWithheld !== false) &&
      !(value.isResultWithheld !== false) &&
      !(value.errorHash?.length !== 0) &&
      !(!isBlankStruct(ReleaseRecord, value.release, depth + 1));
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as CallRecord;
    const v0 = value.session;
    const v1 = value.principal;
    const v2 = value.conversation;
    const v3 = value.turn;
    const v4 = value.callId;
    const v5 = value.model;
    const v6 = value.backend;
    const v7 = value.nonce;
    const v8 = value.runner;
    const v9 = value.gateway;
    const v10 = value.descriptor;
    const v11 = value.arguments;
    const v12 = value.decision;
    const v13 = value.outcome;
    const v14 = value.resultHash;
    const v15 = value.error;
    const v16 = value.rule;
    const v17 = value.intent;
    const v18 = value.descriptors;
    const v19 = value.consent;
    const v20 = value.sent;
    const v21 = value.form;
    const v22 = value.askedMs;
    const v23 = value.surface;
    const v24 = value.argumentsHash;
    const v25 = value.isWithheld;
    const v26 = value.isResultWithheld;
    const v27 = value.errorHash;
    const v28 = value.release;
    const words = v22 !== 0 ? 4 :
      v19 !== 0 || v20 !== false || v21 !== "json" || v25 !== false || v26 !== false ? 3 :
      v17 !== 0n ? 2 :
      v3 !== 0 || v12 !== "auto" || v13 !== "ok" ? 1 :
      0;
    const targets = !isBlankStruct(ReleaseRecord, v28, depth + 1) ? 19 :
      v27?.length !== 0 ? 18 :
      v24?.length !== 0 ? 17 :
      v23 !== "" ? 16 :
      v18?.length !== 0 ? 15 :
      v16 !== "" ? 14 :
      v15 !== "" ? 13 :
      v14?.length !== 0 ? 12 :
      v11 !== "" ? 11 :
      !isBlankStruct(ToolDescriptor, v10, depth + 1) ? 10 :
      v9 !== "" ? 9 :
      v8 !== "" ? 8 :
      v7?.length !== 0 ? 7 :
      v6 !== "" ? 6 :
      v5 !== "" ? 5 :
      v4 !== "" ? 4 :
      v2 !== "" ? 3 :
      v1 !== "" ? 2 :
      v0 !== "" ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0 !== "") putText(writer, pointers + 0, v0, "CallRecord.session");
    if (v1 !== "") putText(writer, pointers + 8, v1, "CallRecord.principal");
    if (v2 !== "") putText(writer, pointers + 16, v2, "CallRecord.conversation");
    if (v3 !== 0) putUint32(writer, data + 0, v3, "CallRecord.turn");
    if (v4 !== "") putText(writer, pointers + 24, v4, "CallRecord.callId");
    if (v5 !== "") putText(writer, pointers + 32, v5, "CallRecord.model");
    if (v6 !== "") putText(writer, pointers + 40, v6, "CallRecord.backend");
    if (v7?.length !== 0) putData(writer, pointers + 48, v7, "CallRecord.nonce");
    if (v8 !== "") putText(writer, pointers + 56, v8, "CallRecord.runner");
    if (v9 !== "") putText(writer, pointers + 64, v9, "CallRecord.gateway");
    putStructOf(writer, pointers + 72, ToolDescriptor, v10, depth + 1);
    if (v11 !== "") putText(writer, pointers + 80, v11, "CallRecord.arguments");
    if (v12 !== "auto") putMember(writer, data + 4, PermissionDecision, v12, "CallRecord.decision");
    if (v13 !== "ok") putMember(writer, data + 6, Outcome, v13, "CallRecord.outcome");
    if (v14?.length !== 0) putData(writer, pointers + 88, v14, "CallRecord.resultHash");
    if (v15 !== "") putText(writer, pointers + 96, v15, "CallRecord.error");
    if (v16 !== "") putText(writer, pointers + 104, v16, "CallRecord.rule");
    if (v17 !== 0n) putUint64(writer, data + 8, v17, "CallRecord.intent");
    if (v18?.length !== 0) putData(writer, pointers + 112, v18, "CallRecord.descriptors");
    if (v19 !== 0) putUint32(writer, data + 16, v19, "CallRecord.consent");
    if (v20 !== false) putFlag(writer, data + 20, 1, v20, "CallRecord.sent");
    if (v21 !== "json") putMember(writer, data + 22, ArgumentForm, v21, "CallRecord.form");
    if (v22 !== 0) putUint32(writer, data + 24, v22, "CallRecord.askedMs");
    if (v23 !== "") putText(writer, pointers + 120, v23, "CallRecord.surface");
    if (v24?.length !== 0) putData(writer, pointers + 128, v24, "CallRecord.argumentsHash");
    if (v25 !== false) putFlag(writer, data + 20, 2, v25, "CallRecord.isWithheld");
    if (v26 !== false) putFlag(writer, data + 20, 4, v26, "CallRecord.isResultWithheld");
    if (v27?.length !== 0) putData(writer, pointers + 136, v27, "CallRecord.errorHash");
    putStructOf(writer, pointers + 144, ReleaseRecord, v28, depth + 1);
  },
  get(reader: Reader, at: number, depth: number): CallRecord | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(30)) return undefined;
    const { view } = reader;
    const { data, dataWords, pointers, pointerCount } = found;
    return {
      session: pointerCount > 0 ? textAt(reader, pointers + 0, depth + 1) : "",
      principal: pointerCount > 1 ? textAt(reader, pointers + 8, depth + 1) : "",
      conversation: pointerCount > 2 ? textAt(reader, pointers + 16, depth + 1) : "",
      turn: dataWords < 1 ? 0 : view.getUint32(data + 0, true),
      callId: pointerCount > 3 ? textAt(reader, pointers + 24, depth + 1) : "",
      model: pointerCount > 4 ? textAt(reader, pointers + 32, depth + 1) : "",
      backend: pointerCount > 5 ? textAt(reader, pointers + 40, depth + 1) : "",
      nonce: pointerCount > 6 ? dataAt(reader, pointers + 48, depth + 1) : NO_BYTES,
      runner: pointerCount > 7 ? textAt(reader, pointers + 56, depth + 1) : "",
      gateway: pointerCount > 8 ? textAt(reader, pointers + 64, depth + 1) : "",
      descriptor: (pointerCount > 9 ? structOf(reader, pointers + 72, ToolDescriptor, depth + 1) : emptyStruct(ToolDescriptor)) as ToolDescriptor,
      arguments: pointerCount > 10 ? textAt(reader, pointers + 80, depth + 1) : "",
      decision: dataWords < 1 ? "auto" : memberAt(reader, PermissionDecision, data + 4),
      outcome: dataWords < 1 ? "ok" : memberAt(reader, Outcome, data + 6),
      resultHash: pointerCount > 11 ? dataAt(reader, pointers + 88, depth + 1) : NO_BYTES,
      error: pointerCount > 12 ? textAt(reader, pointers + 96, depth + 1) : "",
      rule: pointerCount > 13 ? textAt(reader, pointers + 104, depth + 1) : "",
      intent: dataWords < 2 ? 0n : view.getBigUint64(data + 8, true),
      descriptors: pointerCount > 14 ? dataAt(reader, pointers + 112, depth + 1) : NO_BYTES,
      consent: dataWords < 3 ? 0 : view.getUint32(data + 16, true),
      sent: dataWords >= 3 && (view.getUint8(data + 20) & 1) !== 0,
      form: dataWords < 3 ? "json" : memberAt(reader, ArgumentForm, data + 22),
      askedMs: dataWords < 4 ? 0 : view.getUint32(data + 24, true),
      surface: pointerCount > 15 ? textAt(reader, pointers + 120, depth + 1) : "",
      argumentsHash: pointerCount > 16 ? dataAt(reader, pointers + 128, depth + 1) : NO_BYTES,
      isWithheld: dataWords >= 3 && (view.getUint8(data + 20) & 2) !== 0,
      isResultWithheld: dataWords >= 3 && (view.getUint8(data + 20) & 4) !== 0,
      errorHash: pointerCount > 17 ? dataAt(reader, pointers + 136, depth + 1) : NO_BYTES,
      release: (pointerCount > 18 ? structOf(reader, pointers + 144, ReleaseRecord, depth + 1) : emptyStruct(ReleaseRecord)) as ReleaseRecord,
    };
  },
};

export const CallRecord: StructLayout<CallRecord> = /* @__PURE__ */ struct({ name: "CallRecord", id: 0xb3023371f3a57ec0n, sizes: [4, 19], shape: () => ({
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
    field("form", ArgumentForm, 11),
    field("askedMs", uint32, 6),
    field("surface", text, 15),
    field("argumentsHash", bytes, 16),
    field("isWithheld", bool, 161),
    field("isResultWithheld", bool, 162),
    field("errorHash", bytes, 17),
    field("release", of(() => ReleaseRecord), 18),
  ],
}), quick: quickCallRecord });

/** The state of the chain before this record. A log whose older segments were released is verified from here. */
export interface Checkpoint {
  /** Number of the block that the record is in; blocks are counted from the first one that was ever written. */
  readonly place: bigint;
  /** Key of epoch 0. */
  readonly auditKey: Uint8Array;
  /** Of the seal before this record. */
  readonly epoch: number;
  /** That signed this seal. */
  readonly key: Uint8Array;
  /** That signs the seal after it. */
  readonly next: Uint8Array;
  /** Intents without an outcome, in order of sequence. */
  readonly open: readonly OpenIntent[];
  /** The newest sequence that a `shipped` record named; 0: none. */
  readonly shipped: bigint;
  /** Older segments that were not released, oldest first. */
  readonly segments: readonly Segment[];
}

export const Checkpoint: StructLayout<Checkpoint> = /* @__PURE__ */ struct({ name: "Checkpoint", id: 0xafae24b883649a38n, sizes: [3, 5], shape: () => ({
  fields: [
    field("place", uint64, 0),
    field("auditKey", bytes, 0),
    field("epoch", uint32, 2),
    field("key", bytes, 1),
    field("next", bytes, 2),
    field("open", list(of(() => OpenIntent)), 3),
    field("shipped", uint64, 2),
    field("segments", list(of(() => Segment)), 4),
  ],
}) });

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
  /** Redactions of the page that applied to the backend, and what the worker masked. The messages are as they were then. */
  readonly masked: readonly Masked[];
  /** The conversation is above the page's limit: the hashes of the messages are digests under the digest key. */
  readonly isWithheld: boolean;
}

export const InferenceRecord: StructLayout<InferenceRecord> = /* @__PURE__ */ struct({ name: "InferenceRecord", id: 0xb4b10e1f08c34099n, sizes: [2, 9], shape: () => ({
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
    field("masked", list(of(() => Masked)), 8),
    field("isWithheld", bool, 64),
  ],
}) });

/** Never the text that was masked. */
export interface Masked {
  readonly redaction: string;
  readonly places: number;
}

export const Masked: StructLayout<Masked> = /* @__PURE__ */ struct({ name: "Masked", id: 0x915affd2973b6e31n, sizes: [1, 1], shape: () => ({
  fields: [
    field("redaction", text, 0),
    field("places", uint32, 0),
  ],
}) });

/** What can be said of a message without its words. */
export interface MessageRecord {
  readonly role: Role;
  /** Of the content, in UTF-8. */
  readonly bytes: number;
  /** SHA-256 of the message in its canonical form, without stream header. */
  readonly hash: Uint8Array;
}

export const MessageRecord: StructLayout<MessageRecord> = /* @__PURE__ */ struct({ name: "MessageRecord", id: 0x9e3ee4711285cbb8n, sizes: [1, 1], shape: () => ({
  fields: [
    field("role", Role, 0),
    field("bytes", uint32, 1),
    field("hash", bytes, 0),
  ],
}) });

export interface OpenIntent {
  readonly sequence: bigint;
  readonly writer: string;
}

export const OpenIntent: StructLayout<OpenIntent> = /* @__PURE__ */ struct({ name: "OpenIntent", id: 0xbd8c072030b49e85n, sizes: [1, 1], shape: () => ({
  fields: [
    field("sequence", uint64, 0),
    field("writer", text, 0),
  ],
}) });

/** Names of the page alone, which stay in the log whatever text it withholds. */
export interface ReleaseRecord {
  /** Rule.id of the line that releases. */
  readonly rule: string;
  /** "declassify" or "endorse". */
  readonly act: string;
  /** Label of the conversation, which the release leaves as it is. */
  readonly from: string;
  /** Label as which the arguments count. */
  readonly to: string;
}

export const ReleaseRecord: StructLayout<ReleaseRecord> = /* @__PURE__ */ struct({ name: "ReleaseRecord", id: 0xb9d0ec33d31fe206n, sizes: [0, 4], shape: () => ({
  fields: [
    field("rule", text, 0),
    field("act", text, 1),
    field("from", text, 2),
    field("to", text, 3),
  ],
}) });

/** Records from one checkpoint until before the next. The first segment of a log begins without one. */
export interface Segment {
  /** Number of its first block. */
  readonly place: bigint;
  /** Of its first record. */
  readonly sequence: bigint;
  /** Hash of the record before. */
  readonly previous: Uint8Array;
}

export const Segment: StructLayout<Segment> = /* @__PURE__ */ struct({ name: "Segment", id: 0xec3a7b5f640938b9n, sizes: [2, 1], shape: () => ({
  fields: [
    field("place", uint64, 0),
    field("sequence", uint64, 1),
    field("previous", bytes, 0),
  ],
}) });
