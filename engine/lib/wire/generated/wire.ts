// Generated from wire.capnp by `npm run generate`. Do not edit.

import { bool, bytes, capabilityOf, enumeration, field, group, list, method, nothing, of, struct, text, type EnumLayout, type StructLayout, uint16, uint32, uint64, uint8 } from "../layout.ts";
import { NO_BYTES, NO_ELEMENTS, dataAt, emptyStruct, isBlankStruct, listOf, memberAt, putData, putFlag, putMember, putStructOf, putText, putUint16, putUint32, putUint64, structOf, textAt, type QuickList, type Reader, type StructCodec, type Writer } from "../quick.ts";
import { AuditEntry, AuditRecord, Masked, MessageRecord } from "./audit.ts";
import { Outcome, PermissionMode, TokenUsage, ToolCall, ToolDescriptor, ToolResult } from "./capos.ts";
import { Redaction } from "./policy.ts";

export type Answer = "denied" | "granted" | "cancelled" | "timedOut" | "grantedForConversation" | "mistyped";

export const Answer: EnumLayout<Answer> = /* @__PURE__ */ enumeration("Answer", ["denied", "granted", "cancelled", "timedOut", "grantedForConversation", "mistyped"]);

/** What can stand behind a command. */
export type ArgumentKind = "none" | "text" | "tool" | "service" | "task" | "phase" | "call";

export const ArgumentKind: EnumLayout<ArgumentKind> = /* @__PURE__ */ enumeration("ArgumentKind", ["none", "text", "tool", "service", "task", "phase", "call"]);

export type FailureCode = "unknownMethod" | "malformed" | "failed" | "cancelled" | "overloaded" | "closed";

export const FailureCode: EnumLayout<FailureCode> = /* @__PURE__ */ enumeration("FailureCode", ["unknownMethod", "malformed", "failed", "cancelled", "overloaded", "closed"]);

export type NoticeStage = "proposed" | "running" | "finished" | "waiting";

export const NoticeStage: EnumLayout<NoticeStage> = /* @__PURE__ */ enumeration("NoticeStage", ["proposed", "running", "finished", "waiting"]);

/** Whose text this is; the console marks it and filters it. */
export type Speaker = "runner" | "model" | "tool";

export const Speaker: EnumLayout<Speaker> = /* @__PURE__ */ enumeration("Speaker", ["runner", "model", "tool"]);

export interface ApprovalAnnounceParams {
  readonly notice: Notice;
}

const quickApprovalAnnounceParams: StructCodec = {
  isBlank(given: unknown, depth: number): boolean {
    const value = given as ApprovalAnnounceParams;
    return !(!isBlankStruct(Notice, value.notice, depth + 1));
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as ApprovalAnnounceParams;
    const v0 = value.notice;
    const words = 0;
    const targets = !isBlankStruct(Notice, v0, depth + 1) ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    putStructOf(writer, pointers + 0, Notice, v0, depth + 1);
  },
  get(reader: Reader, at: number, depth: number): ApprovalAnnounceParams | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(2)) return undefined;
    const { pointers, pointerCount } = found;
    return {
      notice: (pointerCount > 0 ? structOf(reader, pointers + 0, Notice, depth + 1) : emptyStruct(Notice)) as Notice,
    };
  },
};

export const ApprovalAnnounceParams: StructLayout<ApprovalAnnounceParams> = /* @__PURE__ */ struct({ name: "ApprovalAnnounceParams", id: 0x9db46f69ffcf2ff6n, sizes: [0, 1], shape: () => ({
  fields: [
    field("notice", of(() => Notice), 0),
  ],
}), quick: quickApprovalAnnounceParams });

export interface ApprovalAnnounceResults {}

export const ApprovalAnnounceResults: StructLayout<ApprovalAnnounceResults> = /* @__PURE__ */ struct({ name: "ApprovalAnnounceResults", id: 0x905b04d4096146e3n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ApprovalAskParams {
  readonly question: Question;
}

export const ApprovalAskParams: StructLayout<ApprovalAskParams> = /* @__PURE__ */ struct({ name: "ApprovalAskParams", id: 0xde971c54d9fea58fn, sizes: [0, 1], shape: () => ({
  fields: [
    field("question", of(() => Question), 0),
  ],
}) });

export interface ApprovalAskResults {
  readonly answer: Answer;
  readonly signature: string;
}

export const ApprovalAskResults: StructLayout<ApprovalAskResults> = /* @__PURE__ */ struct({ name: "ApprovalAskResults", id: 0xee9f84f798bd1c48n, sizes: [1, 1], shape: () => ({
  fields: [
    field("answer", Answer, 0),
    field("signature", text, 0),
  ],
}) });

export interface ApprovalAwaitInterruptParams {}

export const ApprovalAwaitInterruptParams: StructLayout<ApprovalAwaitInterruptParams> = /* @__PURE__ */ struct({ name: "ApprovalAwaitInterruptParams", id: 0xb341aafa95a3e0a2n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ApprovalAwaitInterruptResults {}

export const ApprovalAwaitInterruptResults: StructLayout<ApprovalAwaitInterruptResults> = /* @__PURE__ */ struct({ name: "ApprovalAwaitInterruptResults", id: 0xf2dddb6b6f56e4f3n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ApprovalLockParams {}

export const ApprovalLockParams: StructLayout<ApprovalLockParams> = /* @__PURE__ */ struct({ name: "ApprovalLockParams", id: 0x83881a19342e0908n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ApprovalLockResults {}

export const ApprovalLockResults: StructLayout<ApprovalLockResults> = /* @__PURE__ */ struct({ name: "ApprovalLockResults", id: 0xb46683b9f8ae2da9n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface AuditLogAppendParams {
  readonly entry: AuditEntry;
}

const quickAuditLogAppendParams: StructCodec = {
  isBlank(given: unknown, depth: number): boolean {
    const value = given as AuditLogAppendParams;
    return !(!isBlankStruct(AuditEntry, value.entry, depth + 1));
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as AuditLogAppendParams;
    const v0 = value.entry;
    const words = 0;
    const targets = !isBlankStruct(AuditEntry, v0, depth + 1) ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    putStructOf(writer, pointers + 0, AuditEntry, v0, depth + 1);
  },
  get(reader: Reader, at: number, depth: number): AuditLogAppendParams | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(2)) return undefined;
    const { pointers, pointerCount } = found;
    return {
      entry: (pointerCount > 0 ? structOf(reader, pointers + 0, AuditEntry, depth + 1) : emptyStruct(AuditEntry)) as AuditEntry,
    };
  },
};

export const AuditLogAppendParams: StructLayout<AuditLogAppendParams> = /* @__PURE__ */ struct({ name: "AuditLogAppendParams", id: 0xd9ec87c988d92116n, sizes: [0, 1], shape: () => ({
  fields: [
    field("entry", of(() => AuditEntry), 0),
  ],
}), quick: quickAuditLogAppendParams });

export interface AuditLogAppendResults {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
  readonly policyDigest: Uint8Array;
}

const quickAuditLogAppendResults: StructCodec = {
  isBlank(given: unknown): boolean {
    const value = given as AuditLogAppendResults;
    return !(value.sequence !== 0n) &&
      !(value.hash?.length !== 0) &&
      !(value.policyDigest?.length !== 0);
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as AuditLogAppendResults;
    const v0 = value.sequence;
    const v1 = value.hash;
    const v2 = value.policyDigest;
    const words = v0 !== 0n ? 1 :
      0;
    const targets = v2?.length !== 0 ? 2 :
      v1?.length !== 0 ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0 !== 0n) putUint64(writer, data + 0, v0, "AuditLogAppendResults.sequence");
    if (v1?.length !== 0) putData(writer, pointers + 0, v1, "AuditLogAppendResults.hash");
    if (v2?.length !== 0) putData(writer, pointers + 8, v2, "AuditLogAppendResults.policyDigest");
  },
  get(reader: Reader, at: number, depth: number): AuditLogAppendResults | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(4)) return undefined;
    const { view } = reader;
    const { data, dataWords, pointers, pointerCount } = found;
    return {
      sequence: dataWords < 1 ? 0n : view.getBigUint64(data + 0, true),
      hash: pointerCount > 0 ? dataAt(reader, pointers + 0, depth + 1) : NO_BYTES,
      policyDigest: pointerCount > 1 ? dataAt(reader, pointers + 8, depth + 1) : NO_BYTES,
    };
  },
};

export const AuditLogAppendResults: StructLayout<AuditLogAppendResults> = /* @__PURE__ */ struct({ name: "AuditLogAppendResults", id: 0xa8430be49dba2ba7n, sizes: [1, 2], shape: () => ({
  fields: [
    field("sequence", uint64, 0),
    field("hash", bytes, 0),
    field("policyDigest", bytes, 1),
  ],
}), quick: quickAuditLogAppendResults });

export interface AuditLogStatusParams {}

export const AuditLogStatusParams: StructLayout<AuditLogStatusParams> = /* @__PURE__ */ struct({ name: "AuditLogStatusParams", id: 0x89eeb05c8414a17bn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface AuditLogStatusResults {
  readonly durable: boolean;
  readonly sequence: bigint;
  readonly hash: Uint8Array;
  readonly policyDigest: Uint8Array;
  readonly refusal: string;
  readonly key: Uint8Array;
  readonly sealed: bigint;
  readonly shipping: string;
  readonly taken: number;
}

export const AuditLogStatusResults: StructLayout<AuditLogStatusResults> = /* @__PURE__ */ struct({ name: "AuditLogStatusResults", id: 0xfcd4420bfa920bfan, sizes: [3, 5], shape: () => ({
  fields: [
    field("durable", bool, 0),
    field("sequence", uint64, 1),
    field("hash", bytes, 0),
    field("policyDigest", bytes, 1),
    field("refusal", text, 2),
    field("key", bytes, 3),
    field("sealed", uint64, 2),
    field("shipping", text, 4),
    field("taken", uint8, 1),
  ],
}) });

export interface AuditLogTailParams {
  readonly count: number;
}

export const AuditLogTailParams: StructLayout<AuditLogTailParams> = /* @__PURE__ */ struct({ name: "AuditLogTailParams", id: 0xe9c334b1d7ad4a85n, sizes: [1, 0], shape: () => ({
  fields: [
    field("count", uint32, 0),
  ],
}) });

export interface AuditLogTailResults {
  readonly records: readonly AuditRecord[];
}

export const AuditLogTailResults: StructLayout<AuditLogTailResults> = /* @__PURE__ */ struct({ name: "AuditLogTailResults", id: 0x80134e8dded4a361n, sizes: [0, 1], shape: () => ({
  fields: [
    field("records", list(of(() => AuditRecord)), 0),
  ],
}) });

export interface BrokerChallengeParams {
  readonly step: StepUp;
}

export const BrokerChallengeParams: StructLayout<BrokerChallengeParams> = /* @__PURE__ */ struct({ name: "BrokerChallengeParams", id: 0xf99ff7c44e8b2b2cn, sizes: [0, 1], shape: () => ({
  fields: [
    field("step", of(() => StepUp), 0),
  ],
}) });

export interface BrokerChallengeResults {
  readonly challenge: string;
  readonly nonce: Uint8Array;
  readonly failure: string;
}

export const BrokerChallengeResults: StructLayout<BrokerChallengeResults> = /* @__PURE__ */ struct({ name: "BrokerChallengeResults", id: 0xa2db82152d6b48fdn, sizes: [0, 3], shape: () => ({
  fields: [
    field("challenge", text, 0),
    field("nonce", bytes, 1),
    field("failure", text, 2),
  ],
}) });

export interface BrokerConsentsParams {
  readonly consent: Consent;
}

export const BrokerConsentsParams: StructLayout<BrokerConsentsParams> = /* @__PURE__ */ struct({ name: "BrokerConsentsParams", id: 0xfd2d04f3df142641n, sizes: [0, 1], shape: () => ({
  fields: [
    field("consent", of(() => Consent), 0),
  ],
}) });

export interface BrokerConsentsResults {
  readonly held: readonly HeldConsent[];
}

export const BrokerConsentsResults: StructLayout<BrokerConsentsResults> = /* @__PURE__ */ struct({ name: "BrokerConsentsResults", id: 0xb9841ce0fe24f6fen, sizes: [0, 1], shape: () => ({
  fields: [
    field("held", list(of(() => HeldConsent)), 0),
  ],
}) });

export interface BrokerForgetParams {
  readonly conversation: string;
}

export const BrokerForgetParams: StructLayout<BrokerForgetParams> = /* @__PURE__ */ struct({ name: "BrokerForgetParams", id: 0xce5f1df39f61a16cn, sizes: [0, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
  ],
}) });

export interface BrokerForgetResults {}

export const BrokerForgetResults: StructLayout<BrokerForgetResults> = /* @__PURE__ */ struct({ name: "BrokerForgetResults", id: 0x88bd5de767e5c7d1n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface BrokerInferParams {
  readonly inference: Inference;
}

export const BrokerInferParams: StructLayout<BrokerInferParams> = /* @__PURE__ */ struct({ name: "BrokerInferParams", id: 0xf13c99135c4784f5n, sizes: [0, 1], shape: () => ({
  fields: [
    field("inference", of(() => Inference), 0),
  ],
}) });

export interface BrokerInferResults {
  readonly lease: Uint8Array;
  readonly mostTokens: number;
  readonly exhausted: string;
}

export const BrokerInferResults: StructLayout<BrokerInferResults> = /* @__PURE__ */ struct({ name: "BrokerInferResults", id: 0xe01953e1323bd383n, sizes: [1, 2], shape: () => ({
  fields: [
    field("lease", bytes, 0),
    field("mostTokens", uint32, 0),
    field("exhausted", text, 1),
  ],
}) });

export interface BrokerKeepParams {
  readonly conversation: string;
  readonly state: Uint8Array;
}

export const BrokerKeepParams: StructLayout<BrokerKeepParams> = /* @__PURE__ */ struct({ name: "BrokerKeepParams", id: 0xb0540b307750374cn, sizes: [0, 2], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("state", bytes, 1),
  ],
}) });

export interface BrokerKeepResults {}

export const BrokerKeepResults: StructLayout<BrokerKeepResults> = /* @__PURE__ */ struct({ name: "BrokerKeepResults", id: 0xadf46b6d425fbd1cn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface BrokerKeepSourcesParams {
  readonly conversation: string;
  readonly after: bigint;
  readonly chunk: Uint8Array;
}

export const BrokerKeepSourcesParams: StructLayout<BrokerKeepSourcesParams> = /* @__PURE__ */ struct({ name: "BrokerKeepSourcesParams", id: 0xdb911339554ba1a2n, sizes: [1, 2], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("after", uint64, 0),
    field("chunk", bytes, 1),
  ],
}) });

export interface BrokerKeepSourcesResults {
  readonly size: bigint;
}

export const BrokerKeepSourcesResults: StructLayout<BrokerKeepSourcesResults> = /* @__PURE__ */ struct({ name: "BrokerKeepSourcesResults", id: 0xe8cec51c1aaa6307n, sizes: [1, 0], shape: () => ({
  fields: [
    field("size", uint64, 0),
  ],
}) });

export interface BrokerKeptParams {
  readonly conversation: string;
}

export const BrokerKeptParams: StructLayout<BrokerKeptParams> = /* @__PURE__ */ struct({ name: "BrokerKeptParams", id: 0xe8e3679ac0af7e2dn, sizes: [0, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
  ],
}) });

export interface BrokerKeptResults {
  readonly state: Uint8Array;
}

export const BrokerKeptResults: StructLayout<BrokerKeptResults> = /* @__PURE__ */ struct({ name: "BrokerKeptResults", id: 0xd4f18b1748af2decn, sizes: [0, 1], shape: () => ({
  fields: [
    field("state", bytes, 0),
  ],
}) });

export interface BrokerKeptSourcesParams {
  readonly conversation: string;
  readonly from: bigint;
}

export const BrokerKeptSourcesParams: StructLayout<BrokerKeptSourcesParams> = /* @__PURE__ */ struct({ name: "BrokerKeptSourcesParams", id: 0xa642e185f10616a3n, sizes: [1, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("from", uint64, 0),
  ],
}) });

export interface BrokerKeptSourcesResults {
  readonly chunk: Uint8Array;
  readonly size: bigint;
}

export const BrokerKeptSourcesResults: StructLayout<BrokerKeptSourcesResults> = /* @__PURE__ */ struct({ name: "BrokerKeptSourcesResults", id: 0xf31a0a3b84f4b50cn, sizes: [1, 1], shape: () => ({
  fields: [
    field("chunk", bytes, 0),
    field("size", uint64, 0),
  ],
}) });

export interface BrokerLoginChallengeParams {
  readonly validForMs: number;
  readonly principal: string;
  readonly renews: boolean;
}

export const BrokerLoginChallengeParams: StructLayout<BrokerLoginChallengeParams> = /* @__PURE__ */ struct({ name: "BrokerLoginChallengeParams", id: 0xc5dfe36adeb82e33n, sizes: [1, 1], shape: () => ({
  fields: [
    field("validForMs", uint32, 0),
    field("principal", text, 0),
    field("renews", bool, 32),
  ],
}) });

export interface BrokerLoginChallengeResults {
  readonly challenge: string;
  readonly nonce: Uint8Array;
  readonly failure: string;
  readonly passphrase: Passphrase;
}

export const BrokerLoginChallengeResults: StructLayout<BrokerLoginChallengeResults> = /* @__PURE__ */ struct({ name: "BrokerLoginChallengeResults", id: 0xca0d8666f5226675n, sizes: [0, 4], shape: () => ({
  fields: [
    field("challenge", text, 0),
    field("nonce", bytes, 1),
    field("failure", text, 2),
    field("passphrase", of(() => Passphrase), 3),
  ],
}) });

export interface BrokerLoginParams {
  readonly nonce: Uint8Array;
  readonly signature: string;
}

export const BrokerLoginParams: StructLayout<BrokerLoginParams> = /* @__PURE__ */ struct({ name: "BrokerLoginParams", id: 0x84548018d419dc41n, sizes: [0, 2], shape: () => ({
  fields: [
    field("nonce", bytes, 0),
    field("signature", text, 1),
  ],
}) });

export interface BrokerLoginResults {
  readonly principal: string;
  readonly failure: string;
}

export const BrokerLoginResults: StructLayout<BrokerLoginResults> = /* @__PURE__ */ struct({ name: "BrokerLoginResults", id: 0x9a4756f82fe8d3f7n, sizes: [0, 2], shape: () => ({
  fields: [
    field("principal", text, 0),
    field("failure", text, 1),
  ],
}) });

export interface BrokerLogoutParams {}

export const BrokerLogoutParams: StructLayout<BrokerLogoutParams> = /* @__PURE__ */ struct({ name: "BrokerLogoutParams", id: 0x83b55f1312d00cb4n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface BrokerLogoutResults {
  readonly taken: readonly number[];
}

export const BrokerLogoutResults: StructLayout<BrokerLogoutResults> = /* @__PURE__ */ struct({ name: "BrokerLogoutResults", id: 0xcb3e1de16cdb8a73n, sizes: [0, 1], shape: () => ({
  fields: [
    field("taken", list(uint32), 0),
  ],
}) });

export interface BrokerProveParams {
  readonly nonce: Uint8Array;
  readonly signature: string;
}

export const BrokerProveParams: StructLayout<BrokerProveParams> = /* @__PURE__ */ struct({ name: "BrokerProveParams", id: 0xa86d985ebdc879f4n, sizes: [0, 2], shape: () => ({
  fields: [
    field("nonce", bytes, 0),
    field("signature", text, 1),
  ],
}) });

export interface BrokerProveResults {
  readonly principal: string;
  readonly failure: string;
}

export const BrokerProveResults: StructLayout<BrokerProveResults> = /* @__PURE__ */ struct({ name: "BrokerProveResults", id: 0xd527bfa2d3752428n, sizes: [0, 2], shape: () => ({
  fields: [
    field("principal", text, 0),
    field("failure", text, 1),
  ],
}) });

export interface BrokerRecallParams {
  readonly consent: Consent;
}

export const BrokerRecallParams: StructLayout<BrokerRecallParams> = /* @__PURE__ */ struct({ name: "BrokerRecallParams", id: 0xe54c1703e09b1307n, sizes: [0, 1], shape: () => ({
  fields: [
    field("consent", of(() => Consent), 0),
  ],
}) });

export interface BrokerRecallResults {
  readonly number: number;
}

export const BrokerRecallResults: StructLayout<BrokerRecallResults> = /* @__PURE__ */ struct({ name: "BrokerRecallResults", id: 0xf8f2bb7df90a9bb7n, sizes: [1, 0], shape: () => ({
  fields: [
    field("number", uint32, 0),
  ],
}) });

export interface BrokerRemainingParams {
  readonly conversation: string;
  readonly turn: number;
  readonly task: string;
  readonly phase: string;
}

export const BrokerRemainingParams: StructLayout<BrokerRemainingParams> = /* @__PURE__ */ struct({ name: "BrokerRemainingParams", id: 0xbabb32635318a0b1n, sizes: [1, 3], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
    field("task", text, 1),
    field("phase", text, 2),
  ],
}) });

export interface BrokerRemainingResults {
  readonly lines: readonly string[];
  readonly left: readonly QuotaLeft[];
}

export const BrokerRemainingResults: StructLayout<BrokerRemainingResults> = /* @__PURE__ */ struct({ name: "BrokerRemainingResults", id: 0x968f000a6836cf4bn, sizes: [0, 2], shape: () => ({
  fields: [
    field("lines", list(text), 0),
    field("left", list(of(() => QuotaLeft)), 1),
  ],
}) });

export interface BrokerRememberParams {
  readonly consent: Consent;
}

export const BrokerRememberParams: StructLayout<BrokerRememberParams> = /* @__PURE__ */ struct({ name: "BrokerRememberParams", id: 0x9575b066ecfadc18n, sizes: [0, 1], shape: () => ({
  fields: [
    field("consent", of(() => Consent), 0),
  ],
}) });

export interface BrokerRememberResults {
  readonly number: number;
  readonly failure: string;
}

export const BrokerRememberResults: StructLayout<BrokerRememberResults> = /* @__PURE__ */ struct({ name: "BrokerRememberResults", id: 0x8f91b31a69a8c123n, sizes: [1, 1], shape: () => ({
  fields: [
    field("number", uint32, 0),
    field("failure", text, 0),
  ],
}) });

export interface BrokerRenewParams {
  readonly nonce: Uint8Array;
  readonly signature: string;
}

export const BrokerRenewParams: StructLayout<BrokerRenewParams> = /* @__PURE__ */ struct({ name: "BrokerRenewParams", id: 0xb1b0b3c8c219a6a2n, sizes: [0, 2], shape: () => ({
  fields: [
    field("nonce", bytes, 0),
    field("signature", text, 1),
  ],
}) });

export interface BrokerRenewResults {
  readonly failure: string;
}

export const BrokerRenewResults: StructLayout<BrokerRenewResults> = /* @__PURE__ */ struct({ name: "BrokerRenewResults", id: 0x87c465011d5e44d7n, sizes: [0, 1], shape: () => ({
  fields: [
    field("failure", text, 0),
  ],
}) });

export interface BrokerReserveParams {
  readonly request: Reservation;
}

const quickBrokerReserveParams: StructCodec = {
  isBlank(given: unknown, depth: number): boolean {
    const value = given as BrokerReserveParams;
    return !(!isBlankStruct(Reservation, value.request, depth + 1));
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as BrokerReserveParams;
    const v0 = value.request;
    const words = 0;
    const targets = !isBlankStruct(Reservation, v0, depth + 1) ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    putStructOf(writer, pointers + 0, Reservation, v0, depth + 1);
  },
  get(reader: Reader, at: number, depth: number): BrokerReserveParams | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(2)) return undefined;
    const { pointers, pointerCount } = found;
    return {
      request: (pointerCount > 0 ? structOf(reader, pointers + 0, Reservation, depth + 1) : emptyStruct(Reservation)) as Reservation,
    };
  },
};

export const BrokerReserveParams: StructLayout<BrokerReserveParams> = /* @__PURE__ */ struct({ name: "BrokerReserveParams", id: 0xb918d1e675c4aae6n, sizes: [0, 1], shape: () => ({
  fields: [
    field("request", of(() => Reservation), 0),
  ],
}), quick: quickBrokerReserveParams });

export interface BrokerReserveResults {
  readonly lease: Uint8Array;
  readonly exhausted: string;
}

const quickBrokerReserveResults: StructCodec = {
  isBlank(given: unknown): boolean {
    const value = given as BrokerReserveResults;
    return !(value.lease?.length !== 0) &&
      !(value.exhausted !== "");
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as BrokerReserveResults;
    const v0 = value.lease;
    const v1 = value.exhausted;
    const words = 0;
    const targets = v1 !== "" ? 2 :
      v0?.length !== 0 ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0?.length !== 0) putData(writer, pointers + 0, v0, "BrokerReserveResults.lease");
    if (v1 !== "") putText(writer, pointers + 8, v1, "BrokerReserveResults.exhausted");
  },
  get(reader: Reader, at: number, depth: number): BrokerReserveResults | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(3)) return undefined;
    const { pointers, pointerCount } = found;
    return {
      lease: pointerCount > 0 ? dataAt(reader, pointers + 0, depth + 1) : NO_BYTES,
      exhausted: pointerCount > 1 ? textAt(reader, pointers + 8, depth + 1) : "",
    };
  },
};

export const BrokerReserveResults: StructLayout<BrokerReserveResults> = /* @__PURE__ */ struct({ name: "BrokerReserveResults", id: 0xfc06782a8446a350n, sizes: [0, 2], shape: () => ({
  fields: [
    field("lease", bytes, 0),
    field("exhausted", text, 1),
  ],
}), quick: quickBrokerReserveResults });

export interface BrokerSettleParams {
  readonly lease: Uint8Array;
  readonly ran: boolean;
}

export const BrokerSettleParams: StructLayout<BrokerSettleParams> = /* @__PURE__ */ struct({ name: "BrokerSettleParams", id: 0xdab72607cac797dcn, sizes: [1, 1], shape: () => ({
  fields: [
    field("lease", bytes, 0),
    field("ran", bool, 0),
  ],
}) });

export interface BrokerSettleResults {}

export const BrokerSettleResults: StructLayout<BrokerSettleResults> = /* @__PURE__ */ struct({ name: "BrokerSettleResults", id: 0xe51468db0606a161n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface BrokerSettleTokensParams {
  readonly lease: Uint8Array;
  readonly tokens: bigint;
  readonly outputTokens: bigint;
}

export const BrokerSettleTokensParams: StructLayout<BrokerSettleTokensParams> = /* @__PURE__ */ struct({ name: "BrokerSettleTokensParams", id: 0xc654ea7f98979829n, sizes: [2, 1], shape: () => ({
  fields: [
    field("lease", bytes, 0),
    field("tokens", uint64, 0),
    field("outputTokens", uint64, 1),
  ],
}) });

export interface BrokerSettleTokensResults {}

export const BrokerSettleTokensResults: StructLayout<BrokerSettleTokensResults> = /* @__PURE__ */ struct({ name: "BrokerSettleTokensResults", id: 0xd77179a6fdad098en, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface BrokerTakeBackParams {
  readonly number: number;
}

export const BrokerTakeBackParams: StructLayout<BrokerTakeBackParams> = /* @__PURE__ */ struct({ name: "BrokerTakeBackParams", id: 0xd7687f750c86bb19n, sizes: [1, 0], shape: () => ({
  fields: [
    field("number", uint32, 0),
  ],
}) });

export interface BrokerTakeBackResults {
  readonly taken: readonly number[];
}

export const BrokerTakeBackResults: StructLayout<BrokerTakeBackResults> = /* @__PURE__ */ struct({ name: "BrokerTakeBackResults", id: 0xaddbad5007a62ce5n, sizes: [0, 1], shape: () => ({
  fields: [
    field("taken", list(uint32), 0),
  ],
}) });

export interface CommandWords {
  /** Without its slash. */
  readonly name: string;
  readonly usage: string;
  readonly argument: ArgumentKind;
  /** The words behind it begin with names of conversations. */
  readonly namesConversations: boolean;
}

export const CommandWords: StructLayout<CommandWords> = /* @__PURE__ */ struct({ name: "CommandWords", id: 0x940a9aedf4d5f331n, sizes: [1, 2], shape: () => ({
  fields: [
    field("name", text, 0),
    field("usage", text, 1),
    field("argument", ArgumentKind, 0),
    field("namesConversations", bool, 16),
  ],
}) });

/** What it is bound to. Equal in all of it is one thing to the person who consented. */
export interface Consent {
  readonly conversation: string;
  /** Of the call; binds where the row remembers for a turn only. */
  readonly turn: number;
  readonly task: string;
  readonly phase: string;
  readonly tool: string;
  /** The class of the arguments: which conditions of the page hold of them. */
  readonly alike: string;
  readonly confidentiality: number;
  readonly integrity: number;
  /** The label of the conversation. Once it floats, the consent is void. */
  readonly compartments: bigint;
  /** What the person read; binds nothing. */
  readonly words: string;
}

export const Consent: StructLayout<Consent> = /* @__PURE__ */ struct({ name: "Consent", id: 0xf99192578987e1d9n, sizes: [2, 6], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
    field("task", text, 1),
    field("phase", text, 2),
    field("tool", text, 3),
    field("alike", text, 4),
    field("confidentiality", uint8, 4),
    field("integrity", uint8, 5),
    field("compartments", uint64, 1),
    field("words", text, 5),
  ],
}) });

/** One message on a connection: at most 1 MiB, one segment, nesting at most 32. Preceded by the standard stream header. */
export type Frame = {
  /** Chosen by the caller; unique among its calls in flight. */
  readonly callId: bigint;
} & (
  | {
      readonly which: "call";
      readonly call: {
        /** Must equal the granted interface, or one scoped to it (TokenStream); the provider cuts off a peer that errs. */
        readonly interfaceId: bigint;
        readonly method: number;
        readonly payload: Payload;
      };
    }
  | {
      readonly which: "answer";
      readonly answer: {
        readonly payload: Payload;
      };
    }
  | {
      readonly which: "failure";
      readonly failure: {
        readonly code: FailureCode;
        readonly reason: string;
      };
    }
  /** From the caller: the answer is no longer wanted. The provider still answers, with failure cancelled or with its result. */
  | { readonly which: "cancel" }
);

export const Frame: StructLayout<Frame> = /* @__PURE__ */ struct({ name: "Frame", id: 0xbb18f9b6ab9fd6f1n, sizes: [3, 1], shape: () => ({
  fields: [
    field("callId", uint64, 0),
  ],
  union: { tagOffset: 9, members: [
    field("call", group({
      fields: [
        field("interfaceId", uint64, 1),
        field("method", uint16, 8),
        field("payload", of(() => Payload), 0),
      ],
    }), 0),
    field("answer", group({
      fields: [
        field("payload", of(() => Payload), 0),
      ],
    }), 0),
    field("failure", group({
      fields: [
        field("code", FailureCode, 8),
        field("reason", text, 0),
      ],
    }), 0),
    field("cancel", nothing, 0),
  ] },
}) });

export interface HeldConsent {
  readonly number: number;
  readonly tool: string;
  readonly words: string;
  /** Until it is void by time alone, on the boot clock. */
  readonly forMs: bigint;
}

export const HeldConsent: StructLayout<HeldConsent> = /* @__PURE__ */ struct({ name: "HeldConsent", id: 0xd6471c4d6ffd63a2n, sizes: [2, 2], shape: () => ({
  fields: [
    field("number", uint32, 0),
    field("tool", text, 0),
    field("words", text, 1),
    field("forMs", uint64, 1),
  ],
}) });

export interface Inference {
  readonly conversation: string;
  readonly turn: number;
  readonly task: string;
  readonly phase: string;
  readonly backend: string;
}

export const Inference: StructLayout<Inference> = /* @__PURE__ */ struct({ name: "Inference", id: 0xd03ff5846432939en, sizes: [1, 4], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
    field("task", text, 1),
    field("phase", text, 2),
    field("backend", text, 3),
  ],
}) });

export interface LogLine {
  readonly sequence: bigint;
  readonly uptimeMs: bigint;
  readonly text: string;
}

export const LogLine: StructLayout<LogLine> = /* @__PURE__ */ struct({ name: "LogLine", id: 0xccc98a2279eb542fn, sizes: [2, 1], shape: () => ({
  fields: [
    field("sequence", uint64, 0),
    field("uptimeMs", uint64, 1),
    field("text", text, 0),
  ],
}) });

export interface MeteringAllowParams {
  readonly nonce: Uint8Array;
  readonly mostTokens: number;
  readonly redactions: readonly Redaction[];
}

export const MeteringAllowParams: StructLayout<MeteringAllowParams> = /* @__PURE__ */ struct({ name: "MeteringAllowParams", id: 0xc5beca4e3bbb2efcn, sizes: [1, 2], shape: () => ({
  fields: [
    field("nonce", bytes, 0),
    field("mostTokens", uint32, 0),
    field("redactions", list(of(() => Redaction)), 1),
  ],
}) });

export interface MeteringAllowResults {}

export const MeteringAllowResults: StructLayout<MeteringAllowResults> = /* @__PURE__ */ struct({ name: "MeteringAllowResults", id: 0xce1a0b8588d025c6n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface MeteringAskedParams {
  readonly nonce: Uint8Array;
}

export const MeteringAskedParams: StructLayout<MeteringAskedParams> = /* @__PURE__ */ struct({ name: "MeteringAskedParams", id: 0xfe98e484350bdc99n, sizes: [0, 1], shape: () => ({
  fields: [
    field("nonce", bytes, 0),
  ],
}) });

export interface MeteringAskedResults {
  readonly most: TokenUsage;
}

export const MeteringAskedResults: StructLayout<MeteringAskedResults> = /* @__PURE__ */ struct({ name: "MeteringAskedResults", id: 0x910bf7a5e3058e4an, sizes: [0, 1], shape: () => ({
  fields: [
    field("most", of(() => TokenUsage), 0),
  ],
}) });

export interface MeteringEndedParams {
  readonly nonce: Uint8Array;
}

export const MeteringEndedParams: StructLayout<MeteringEndedParams> = /* @__PURE__ */ struct({ name: "MeteringEndedParams", id: 0xa84dabb66c6e77cbn, sizes: [0, 1], shape: () => ({
  fields: [
    field("nonce", bytes, 0),
  ],
}) });

export interface MeteringEndedResults {
  readonly usage: TokenUsage;
  readonly messages: readonly MessageRecord[];
  readonly masked: readonly Masked[];
}

export const MeteringEndedResults: StructLayout<MeteringEndedResults> = /* @__PURE__ */ struct({ name: "MeteringEndedResults", id: 0xbf00a356efcd1188n, sizes: [0, 3], shape: () => ({
  fields: [
    field("usage", of(() => TokenUsage), 0),
    field("messages", list(of(() => MessageRecord)), 1),
    field("masked", list(of(() => Masked)), 2),
  ],
}) });

export interface MeteringNotedParams {
  readonly nonce: Uint8Array;
}

export const MeteringNotedParams: StructLayout<MeteringNotedParams> = /* @__PURE__ */ struct({ name: "MeteringNotedParams", id: 0x9505ddfd0f70e3fbn, sizes: [0, 1], shape: () => ({
  fields: [
    field("nonce", bytes, 0),
  ],
}) });

export interface MeteringNotedResults {}

export const MeteringNotedResults: StructLayout<MeteringNotedResults> = /* @__PURE__ */ struct({ name: "MeteringNotedResults", id: 0xba24413f5f24fc35n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface MeteringWithdrawParams {
  readonly nonce: Uint8Array;
}

export const MeteringWithdrawParams: StructLayout<MeteringWithdrawParams> = /* @__PURE__ */ struct({ name: "MeteringWithdrawParams", id: 0xc0fc115f042aa519n, sizes: [0, 1], shape: () => ({
  fields: [
    field("nonce", bytes, 0),
  ],
}) });

export interface MeteringWithdrawResults {}

export const MeteringWithdrawResults: StructLayout<MeteringWithdrawResults> = /* @__PURE__ */ struct({ name: "MeteringWithdrawResults", id: 0xbb7530ae730fa9ben, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface Notice {
  readonly tool: string;
  readonly arguments: string;
  readonly mode: PermissionMode;
  readonly stage: NoticeStage;
  readonly outcome: Outcome;
  readonly detail: string;
  /** False: refused before any mode was asked for; mode means nothing then. */
  readonly hasMode: boolean;
  /** With finished and ok: the beginning of what came back, for a person to see. */
  readonly result: string;
}

const quickNotice: StructCodec = {
  isBlank(given: unknown): boolean {
    const value = given as Notice;
    return !(value.tool !== "") &&
      !(value.arguments !== "") &&
      !(value.mode !== "auto") &&
      !(value.stage !== "proposed") &&
      !(value.outcome !== "ok") &&
      !(value.detail !== "") &&
      !(value.hasMode !== false) &&
      !(value.result !== "");
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as Notice;
    const v0 = value.tool;
    const v1 = value.arguments;
    const v2 = value.mode;
    const v3 = value.stage;
    const v4 = value.outcome;
    const v5 = value.detail;
    const v6 = value.hasMode;
    const v7 = value.result;
    const words = v2 !== "auto" || v3 !== "proposed" || v4 !== "ok" || v6 !== false ? 1 :
      0;
    const targets = v7 !== "" ? 4 :
      v5 !== "" ? 3 :
      v1 !== "" ? 2 :
      v0 !== "" ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0 !== "") putText(writer, pointers + 0, v0, "Notice.tool");
    if (v1 !== "") putText(writer, pointers + 8, v1, "Notice.arguments");
    if (v2 !== "auto") putMember(writer, data + 0, PermissionMode, v2, "Notice.mode");
    if (v3 !== "proposed") putMember(writer, data + 2, NoticeStage, v3, "Notice.stage");
    if (v4 !== "ok") putMember(writer, data + 4, Outcome, v4, "Notice.outcome");
    if (v5 !== "") putText(writer, pointers + 16, v5, "Notice.detail");
    if (v6 !== false) putFlag(writer, data + 6, 1, v6, "Notice.hasMode");
    if (v7 !== "") putText(writer, pointers + 24, v7, "Notice.result");
  },
  get(reader: Reader, at: number, depth: number): Notice | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(9)) return undefined;
    const { view } = reader;
    const { data, dataWords, pointers, pointerCount } = found;
    return {
      tool: pointerCount > 0 ? textAt(reader, pointers + 0, depth + 1) : "",
      arguments: pointerCount > 1 ? textAt(reader, pointers + 8, depth + 1) : "",
      mode: dataWords < 1 ? "auto" : memberAt(reader, PermissionMode, data + 0),
      stage: dataWords < 1 ? "proposed" : memberAt(reader, NoticeStage, data + 2),
      outcome: dataWords < 1 ? "ok" : memberAt(reader, Outcome, data + 4),
      detail: pointerCount > 2 ? textAt(reader, pointers + 16, depth + 1) : "",
      hasMode: dataWords >= 1 && (view.getUint8(data + 6) & 1) !== 0,
      result: pointerCount > 3 ? textAt(reader, pointers + 24, depth + 1) : "",
    };
  },
};

export const Notice: StructLayout<Notice> = /* @__PURE__ */ struct({ name: "Notice", id: 0xc1ece050e501fb2dn, sizes: [1, 4], shape: () => ({
  fields: [
    field("tool", text, 0),
    field("arguments", text, 1),
    field("mode", PermissionMode, 0),
    field("stage", NoticeStage, 1),
    field("outcome", Outcome, 2),
    field("detail", text, 2),
    field("hasMode", bool, 48),
    field("result", text, 3),
  ],
}), quick: quickNotice });

/** Salts of 16 to 64 bytes. A key pair of Ed25519 comes of argon2id (19 MiB, 2 passes, 1 lane) over what is typed. */
export interface Passphrase {
  /** Of the passphrase that there is; empty: there is none yet. */
  readonly salt: Uint8Array;
  /** Of one that is to be chosen; empty: none is. With both the signature is two, the first by the one that there is. */
  readonly newSalt: Uint8Array;
}

export const Passphrase: StructLayout<Passphrase> = /* @__PURE__ */ struct({ name: "Passphrase", id: 0xc7315c6bc5b2eadbn, sizes: [0, 2], shape: () => ({
  fields: [
    field("salt", bytes, 0),
    field("newSalt", bytes, 1),
  ],
}) });

export type Payload =
  | { readonly which: "empty" }
  | {
      readonly which: "json";
      /** Arguments and results of tools: canonical JSON (RFC 8785). */
      readonly json: string;
    }
  | {
      readonly which: "message";
      /** Anything else: a canonical Cap'n Proto message of the method's parameter or result struct, without stream header. */
      readonly message: Uint8Array;
    };

export const Payload: StructLayout<Payload> = /* @__PURE__ */ struct({ name: "Payload", id: 0x83699031841e81b1n, sizes: [1, 1], shape: () => ({
  fields: [],
  union: { tagOffset: 0, members: [
    field("empty", nothing, 0),
    field("json", text, 0),
    field("message", bytes, 0),
  ] },
}) });

/** A part of a line. */
export interface Piece {
  readonly text: string;
  /** The terminal said that it was pasted. */
  readonly isPasted: boolean;
}

export const Piece: StructLayout<Piece> = /* @__PURE__ */ struct({ name: "Piece", id: 0xb7e1761c38e30539n, sizes: [1, 1], shape: () => ({
  fields: [
    field("text", text, 0),
    field("isPasted", bool, 0),
  ],
}) });

export interface ProcessFacts {
  readonly name: string;
  readonly role: string;
  readonly alive: boolean;
  /** It has said that it serves. */
  readonly serves: boolean;
}

export const ProcessFacts: StructLayout<ProcessFacts> = /* @__PURE__ */ struct({ name: "ProcessFacts", id: 0x8c1c01206d36c79an, sizes: [1, 2], shape: () => ({
  fields: [
    field("name", text, 0),
    field("role", text, 1),
    field("alive", bool, 0),
    field("serves", bool, 1),
  ],
}) });

export interface Question {
  readonly tool: string;
  /** The canonical bytes that are decided, shown, audited and sent. */
  readonly arguments: string;
  /** What will happen, generated from the checked term. */
  readonly sentence: string;
  readonly mode: PermissionMode;
  /** The line of the page that asks. */
  readonly rule: string;
  readonly timeoutMs: number;
  /** For stepUp: the exact text to be signed; otherwise empty. */
  readonly challenge: string;
  /** The page lets consent be remembered for this conversation: the console offers that as well. */
  readonly mayRemember: boolean;
  /** What exactly would be remembered, in words generated from the checked term. */
  readonly remembers: string;
  /** With a challenge: the signature is made for login@capos, not for stepup@capos. */
  readonly isLogin: boolean;
  /** With isLogin and a salt in it: nothing is pasted. The console asks for a passphrase, unseen, and signs with the key that it makes. */
  readonly passphrase: Passphrase;
}

export const Question: StructLayout<Question> = /* @__PURE__ */ struct({ name: "Question", id: 0x9cb3a7bb12b8cbd6n, sizes: [1, 7], shape: () => ({
  fields: [
    field("tool", text, 0),
    field("arguments", text, 1),
    field("sentence", text, 2),
    field("mode", PermissionMode, 0),
    field("rule", text, 3),
    field("timeoutMs", uint32, 1),
    field("challenge", text, 4),
    field("mayRemember", bool, 16),
    field("remembers", text, 5),
    field("isLogin", bool, 17),
    field("passphrase", of(() => Passphrase), 6),
  ],
}) });

export interface QuotaLeft {
  /** The backend that it bounds, whoever asks; empty: the quota is of the row. */
  readonly backend: string;
  /** For example "2 of 4 readOnly per turn". */
  readonly words: string;
}

export const QuotaLeft: StructLayout<QuotaLeft> = /* @__PURE__ */ struct({ name: "QuotaLeft", id: 0xa7a209a44eda3323n, sizes: [0, 2], shape: () => ({
  fields: [
    field("backend", text, 0),
    field("words", text, 1),
  ],
}) });

export interface Reservation {
  readonly conversation: string;
  readonly turn: number;
  /** Empty: a question that is no call, such as that before a phase; only prompts are charged. */
  readonly tool: string;
  readonly prompts: number;
  readonly task: string;
  /** The row whose quotas are charged; both empty: the session's own. */
  readonly phase: string;
  /** Of the canonical arguments, in UTF-8. */
  readonly argumentBytes: number;
  /** Leases of calls before this one, which ran: settled, whatever comes of this one. One that is not there is passed over. */
  readonly ran: readonly Uint8Array[];
}

const listReservationran: QuickList = /* @__PURE__ */ listOf("Reservation.ran", bytes);
const quickReservation: StructCodec = {
  isBlank(given: unknown): boolean {
    const value = given as Reservation;
    return !(value.conversation !== "") &&
      !(value.turn !== 0) &&
      !(value.tool !== "") &&
      !(value.prompts !== 0) &&
      !(value.task !== "") &&
      !(value.phase !== "") &&
      !(value.argumentBytes !== 0) &&
      !(value.ran?.length !== 0);
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as Reservation;
    const v0 = value.conversation;
    const v1 = value.turn;
    const v2 = value.tool;
    const v3 = value.prompts;
    const v4 = value.task;
    const v5 = value.phase;
    const v6 = value.argumentBytes;
    const v7 = value.ran;
    const words = v6 !== 0 ? 2 :
      v1 !== 0 || v3 !== 0 ? 1 :
      0;
    const targets = v7?.length !== 0 ? 5 :
      v5 !== "" ? 4 :
      v4 !== "" ? 3 :
      v2 !== "" ? 2 :
      v0 !== "" ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0 !== "") putText(writer, pointers + 0, v0, "Reservation.conversation");
    if (v1 !== 0) putUint32(writer, data + 0, v1, "Reservation.turn");
    if (v2 !== "") putText(writer, pointers + 8, v2, "Reservation.tool");
    if (v3 !== 0) putUint16(writer, data + 4, v3, "Reservation.prompts");
    if (v4 !== "") putText(writer, pointers + 16, v4, "Reservation.task");
    if (v5 !== "") putText(writer, pointers + 24, v5, "Reservation.phase");
    if (v6 !== 0) putUint32(writer, data + 8, v6, "Reservation.argumentBytes");
    if (v7?.length !== 0) listReservationran.put(writer, pointers + 32, v7, depth + 1);
  },
  get(reader: Reader, at: number, depth: number): Reservation | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(9)) return undefined;
    const { view } = reader;
    const { data, dataWords, pointers, pointerCount } = found;
    return {
      conversation: pointerCount > 0 ? textAt(reader, pointers + 0, depth + 1) : "",
      turn: dataWords < 1 ? 0 : view.getUint32(data + 0, true),
      tool: pointerCount > 1 ? textAt(reader, pointers + 8, depth + 1) : "",
      prompts: dataWords < 1 ? 0 : view.getUint16(data + 4, true),
      task: pointerCount > 2 ? textAt(reader, pointers + 16, depth + 1) : "",
      phase: pointerCount > 3 ? textAt(reader, pointers + 24, depth + 1) : "",
      argumentBytes: dataWords < 2 ? 0 : view.getUint32(data + 8, true),
      ran: pointerCount > 4 ? listReservationran.get(reader, pointers + 32, depth + 1) : NO_ELEMENTS,
    };
  },
};

export const Reservation: StructLayout<Reservation> = /* @__PURE__ */ struct({ name: "Reservation", id: 0xd40ab0035dc739a6n, sizes: [2, 5], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
    field("tool", text, 1),
    field("prompts", uint16, 2),
    field("task", text, 2),
    field("phase", text, 3),
    field("argumentBytes", uint32, 2),
    field("ran", list(bytes), 4),
  ],
}), quick: quickReservation });

export interface SessionBeginTurnParams {
  readonly said: Uint8Array;
  readonly pieces: readonly Piece[];
}

export const SessionBeginTurnParams: StructLayout<SessionBeginTurnParams> = /* @__PURE__ */ struct({ name: "SessionBeginTurnParams", id: 0xc2049f9c134adf61n, sizes: [0, 2], shape: () => ({
  fields: [
    field("said", bytes, 0),
    field("pieces", list(of(() => Piece)), 1),
  ],
}) });

export interface SessionBeginTurnResults {
  readonly turn: number;
}

export const SessionBeginTurnResults: StructLayout<SessionBeginTurnResults> = /* @__PURE__ */ struct({ name: "SessionBeginTurnResults", id: 0x8acbd66ec4b43fc0n, sizes: [1, 0], shape: () => ({
  fields: [
    field("turn", uint32, 0),
  ],
}) });

export interface SessionCommandParams {
  readonly name: string;
  readonly argument: string;
  readonly isPasted: boolean;
}

export const SessionCommandParams: StructLayout<SessionCommandParams> = /* @__PURE__ */ struct({ name: "SessionCommandParams", id: 0xd1aa80d6ce0c8db2n, sizes: [1, 2], shape: () => ({
  fields: [
    field("name", text, 0),
    field("argument", text, 1),
    field("isPasted", bool, 0),
  ],
}) });

export interface SessionCommandResults {
  readonly lines: readonly string[];
}

export const SessionCommandResults: StructLayout<SessionCommandResults> = /* @__PURE__ */ struct({ name: "SessionCommandResults", id: 0xdabc6b6b2ab66bd0n, sizes: [0, 1], shape: () => ({
  fields: [
    field("lines", list(text), 0),
  ],
}) });

export interface SessionStandingParams {}

export const SessionStandingParams: StructLayout<SessionStandingParams> = /* @__PURE__ */ struct({ name: "SessionStandingParams", id: 0x9b29162db341c4b0n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface SessionStandingResults {
  readonly standing: Standing;
}

export const SessionStandingResults: StructLayout<SessionStandingResults> = /* @__PURE__ */ struct({ name: "SessionStandingResults", id: 0xcff058893fff06aen, sizes: [0, 1], shape: () => ({
  fields: [
    field("standing", of(() => Standing), 0),
  ],
}) });

export interface SessionVocabularyParams {}

export const SessionVocabularyParams: StructLayout<SessionVocabularyParams> = /* @__PURE__ */ struct({ name: "SessionVocabularyParams", id: 0x8e24ed2f4e93591bn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface SessionVocabularyResults {
  readonly commands: readonly CommandWords[];
  readonly tools: readonly ToolWords[];
  readonly tasks: readonly string[];
  readonly phases: readonly string[];
  readonly conversations: readonly string[];
}

export const SessionVocabularyResults: StructLayout<SessionVocabularyResults> = /* @__PURE__ */ struct({ name: "SessionVocabularyResults", id: 0xf20f2d7bc5cb1d64n, sizes: [0, 5], shape: () => ({
  fields: [
    field("commands", list(of(() => CommandWords)), 0),
    field("tools", list(of(() => ToolWords)), 1),
    field("tasks", list(text), 2),
    field("phases", list(text), 3),
    field("conversations", list(text), 4),
  ],
}) });

export interface Standing {
  /** Nobody is logged in; then everything else is empty. */
  readonly isLocked: boolean;
  /** Of the conversation, as people read it. */
  readonly label: string;
  /** The backend that would answer now; empty: none may. */
  readonly model: string;
  /** A person is asked before that backend answers. */
  readonly isModelAsked: boolean;
  readonly task: string;
  readonly phase: string;
  /** What is left of each quota that holds here, in the order of the page; at most 16. */
  readonly left: readonly string[];
}

export const Standing: StructLayout<Standing> = /* @__PURE__ */ struct({ name: "Standing", id: 0xeecee3b6e5bd5340n, sizes: [1, 5], shape: () => ({
  fields: [
    field("isLocked", bool, 0),
    field("label", text, 0),
    field("model", text, 1),
    field("isModelAsked", bool, 1),
    field("task", text, 2),
    field("phase", text, 3),
    field("left", list(text), 4),
  ],
}) });

export interface StepUp {
  readonly conversation: string;
  readonly turn: number;
  /** Or "/task", "/phase": a step into a row; the arguments say which. */
  readonly tool: string;
  /** Canonical bytes. */
  readonly arguments: string;
  readonly validForMs: number;
  readonly task: string;
  readonly phase: string;
}

export const StepUp: StructLayout<StepUp> = /* @__PURE__ */ struct({ name: "StepUp", id: 0xf86b7564c96c80b0n, sizes: [1, 5], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
    field("tool", text, 1),
    field("arguments", text, 2),
    field("validForMs", uint32, 1),
    field("task", text, 3),
    field("phase", text, 4),
  ],
}) });

export interface SupervisorFactsParams {}

export const SupervisorFactsParams: StructLayout<SupervisorFactsParams> = /* @__PURE__ */ struct({ name: "SupervisorFactsParams", id: 0xa7a6f8aa0fa87a8cn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface SupervisorFactsResults {
  readonly uptimeSeconds: bigint;
  readonly memoryFreeBytes: bigint;
  readonly processes: readonly ProcessFacts[];
}

export const SupervisorFactsResults: StructLayout<SupervisorFactsResults> = /* @__PURE__ */ struct({ name: "SupervisorFactsResults", id: 0xb01c2a49f7eb00cen, sizes: [2, 1], shape: () => ({
  fields: [
    field("uptimeSeconds", uint64, 0),
    field("memoryFreeBytes", uint64, 1),
    field("processes", list(of(() => ProcessFacts)), 0),
  ],
}) });

export interface SupervisorReadLogParams {
  readonly after: bigint;
}

export const SupervisorReadLogParams: StructLayout<SupervisorReadLogParams> = /* @__PURE__ */ struct({ name: "SupervisorReadLogParams", id: 0xfee672495f7ee535n, sizes: [1, 0], shape: () => ({
  fields: [
    field("after", uint64, 0),
  ],
}) });

export interface SupervisorReadLogResults {
  readonly lines: readonly LogLine[];
}

export const SupervisorReadLogResults: StructLayout<SupervisorReadLogResults> = /* @__PURE__ */ struct({ name: "SupervisorReadLogResults", id: 0xba4bebdad6dec89en, sizes: [0, 1], shape: () => ({
  fields: [
    field("lines", list(of(() => LogLine)), 0),
  ],
}) });

export interface SupervisorReadNoticesParams {
  readonly after: bigint;
}

export const SupervisorReadNoticesParams: StructLayout<SupervisorReadNoticesParams> = /* @__PURE__ */ struct({ name: "SupervisorReadNoticesParams", id: 0xd62e77498f0f0c53n, sizes: [1, 0], shape: () => ({
  fields: [
    field("after", uint64, 0),
  ],
}) });

export interface SupervisorReadNoticesResults {
  readonly lines: readonly LogLine[];
}

export const SupervisorReadNoticesResults: StructLayout<SupervisorReadNoticesResults> = /* @__PURE__ */ struct({ name: "SupervisorReadNoticesResults", id: 0xdc497414973c2e3en, sizes: [0, 1], shape: () => ({
  fields: [
    field("lines", list(of(() => LogLine)), 0),
  ],
}) });

export interface SupervisorRestartParams {
  readonly name: string;
}

export const SupervisorRestartParams: StructLayout<SupervisorRestartParams> = /* @__PURE__ */ struct({ name: "SupervisorRestartParams", id: 0xbf1eb53846fbdac2n, sizes: [0, 1], shape: () => ({
  fields: [
    field("name", text, 0),
  ],
}) });

export interface SupervisorRestartResults {}

export const SupervisorRestartResults: StructLayout<SupervisorRestartResults> = /* @__PURE__ */ struct({ name: "SupervisorRestartResults", id: 0x94bb53841a930de7n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface SupervisorRevokeParams {
  readonly name: string;
}

export const SupervisorRevokeParams: StructLayout<SupervisorRevokeParams> = /* @__PURE__ */ struct({ name: "SupervisorRevokeParams", id: 0xda5f9bf7bb412842n, sizes: [0, 1], shape: () => ({
  fields: [
    field("name", text, 0),
  ],
}) });

export interface SupervisorRevokeResults {}

export const SupervisorRevokeResults: StructLayout<SupervisorRevokeResults> = /* @__PURE__ */ struct({ name: "SupervisorRevokeResults", id: 0xad95e2293f75c0b9n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface SupervisorStopParams {
  readonly name: string;
}

export const SupervisorStopParams: StructLayout<SupervisorStopParams> = /* @__PURE__ */ struct({ name: "SupervisorStopParams", id: 0x94199b2037926a0en, sizes: [0, 1], shape: () => ({
  fields: [
    field("name", text, 0),
  ],
}) });

export interface SupervisorStopResults {}

export const SupervisorStopResults: StructLayout<SupervisorStopResults> = /* @__PURE__ */ struct({ name: "SupervisorStopResults", id: 0xf52b61086fe6f80fn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TerminalAwaitInterruptParams {}

export const TerminalAwaitInterruptParams: StructLayout<TerminalAwaitInterruptParams> = /* @__PURE__ */ struct({ name: "TerminalAwaitInterruptParams", id: 0x9c20a1ff728d5776n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TerminalAwaitInterruptResults {}

export const TerminalAwaitInterruptResults: StructLayout<TerminalAwaitInterruptResults> = /* @__PURE__ */ struct({ name: "TerminalAwaitInterruptResults", id: 0xa2b295c6745b237fn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TerminalReadLineParams {}

export const TerminalReadLineParams: StructLayout<TerminalReadLineParams> = /* @__PURE__ */ struct({ name: "TerminalReadLineParams", id: 0x93792043c0176285n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TerminalReadLineResults {
  readonly line: string;
  readonly end: boolean;
}

export const TerminalReadLineResults: StructLayout<TerminalReadLineResults> = /* @__PURE__ */ struct({ name: "TerminalReadLineResults", id: 0x967d84c62c3ac5f6n, sizes: [1, 1], shape: () => ({
  fields: [
    field("line", text, 0),
    field("end", bool, 0),
  ],
}) });

export interface TerminalWriteParams {
  readonly text: string;
  readonly speaker: Speaker;
}

export const TerminalWriteParams: StructLayout<TerminalWriteParams> = /* @__PURE__ */ struct({ name: "TerminalWriteParams", id: 0xa2e240bb6fd5b783n, sizes: [1, 1], shape: () => ({
  fields: [
    field("text", text, 0),
    field("speaker", Speaker, 0),
  ],
}) });

export interface TerminalWriteResults {}

export const TerminalWriteResults: StructLayout<TerminalWriteResults> = /* @__PURE__ */ struct({ name: "TerminalWriteResults", id: 0xd1ca31962785ee63n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ToolProxyCancelTurnParams {
  readonly conversation: string;
  readonly turn: number;
}

export const ToolProxyCancelTurnParams: StructLayout<ToolProxyCancelTurnParams> = /* @__PURE__ */ struct({ name: "ToolProxyCancelTurnParams", id: 0xbeb6b3e94162c98dn, sizes: [1, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
  ],
}) });

export interface ToolProxyCancelTurnResults {}

export const ToolProxyCancelTurnResults: StructLayout<ToolProxyCancelTurnResults> = /* @__PURE__ */ struct({ name: "ToolProxyCancelTurnResults", id: 0x9470f83b182243b6n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ToolProxyDescribeToolsParams {
  readonly conversation: string;
}

export const ToolProxyDescribeToolsParams: StructLayout<ToolProxyDescribeToolsParams> = /* @__PURE__ */ struct({ name: "ToolProxyDescribeToolsParams", id: 0x8b513b1b89b16962n, sizes: [0, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
  ],
}) });

export interface ToolProxyDescribeToolsResults {
  readonly tools: readonly ToolDescriptor[];
  readonly snapshot: Uint8Array;
  readonly turn: number;
  readonly nonce: Uint8Array;
  readonly backend: string;
}

export const ToolProxyDescribeToolsResults: StructLayout<ToolProxyDescribeToolsResults> = /* @__PURE__ */ struct({ name: "ToolProxyDescribeToolsResults", id: 0x95003f2c4ec8d0d7n, sizes: [1, 4], shape: () => ({
  fields: [
    field("tools", list(of(() => ToolDescriptor)), 0),
    field("snapshot", bytes, 1),
    field("turn", uint32, 0),
    field("nonce", bytes, 2),
    field("backend", text, 3),
  ],
}) });

export interface ToolProxyInvokeStructParams {
  readonly conversation: string;
  readonly turn: number;
  readonly snapshot: Uint8Array;
  readonly call: ToolCall;
  readonly message: Uint8Array;
}

export const ToolProxyInvokeStructParams: StructLayout<ToolProxyInvokeStructParams> = /* @__PURE__ */ struct({ name: "ToolProxyInvokeStructParams", id: 0xa2c9ce4531af91d4n, sizes: [1, 4], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
    field("snapshot", bytes, 1),
    field("call", of(() => ToolCall), 2),
    field("message", bytes, 3),
  ],
}) });

export interface ToolProxyInvokeStructResults {
  readonly result: ToolResult;
}

export const ToolProxyInvokeStructResults: StructLayout<ToolProxyInvokeStructResults> = /* @__PURE__ */ struct({ name: "ToolProxyInvokeStructResults", id: 0xe686490ec9c9df84n, sizes: [0, 1], shape: () => ({
  fields: [
    field("result", of(() => ToolResult), 0),
  ],
}) });

export interface ToolProxyInvokeToolParams {
  readonly conversation: string;
  readonly turn: number;
  readonly snapshot: Uint8Array;
  readonly call: ToolCall;
}

const quickToolProxyInvokeToolParams: StructCodec = {
  isBlank(given: unknown, depth: number): boolean {
    const value = given as ToolProxyInvokeToolParams;
    return !(value.conversation !== "") &&
      !(value.turn !== 0) &&
      !(value.snapshot?.length !== 0) &&
      !(!isBlankStruct(ToolCall, value.call, depth + 1));
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as ToolProxyInvokeToolParams;
    const v0 = value.conversation;
    const v1 = value.turn;
    const v2 = value.snapshot;
    const v3 = value.call;
    const words = v1 !== 0 ? 1 :
      0;
    const targets = !isBlankStruct(ToolCall, v3, depth + 1) ? 3 :
      v2?.length !== 0 ? 2 :
      v0 !== "" ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0 !== "") putText(writer, pointers + 0, v0, "ToolProxyInvokeToolParams.conversation");
    if (v1 !== 0) putUint32(writer, data + 0, v1, "ToolProxyInvokeToolParams.turn");
    if (v2?.length !== 0) putData(writer, pointers + 8, v2, "ToolProxyInvokeToolParams.snapshot");
    putStructOf(writer, pointers + 16, ToolCall, v3, depth + 1);
  },
  get(reader: Reader, at: number, depth: number): ToolProxyInvokeToolParams | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(5)) return undefined;
    const { view } = reader;
    const { data, dataWords, pointers, pointerCount } = found;
    return {
      conversation: pointerCount > 0 ? textAt(reader, pointers + 0, depth + 1) : "",
      turn: dataWords < 1 ? 0 : view.getUint32(data + 0, true),
      snapshot: pointerCount > 1 ? dataAt(reader, pointers + 8, depth + 1) : NO_BYTES,
      call: (pointerCount > 2 ? structOf(reader, pointers + 16, ToolCall, depth + 1) : emptyStruct(ToolCall)) as ToolCall,
    };
  },
};

export const ToolProxyInvokeToolParams: StructLayout<ToolProxyInvokeToolParams> = /* @__PURE__ */ struct({ name: "ToolProxyInvokeToolParams", id: 0xa7f3cc58893efc26n, sizes: [1, 3], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
    field("snapshot", bytes, 1),
    field("call", of(() => ToolCall), 2),
  ],
}), quick: quickToolProxyInvokeToolParams });

export interface ToolProxyInvokeToolResults {
  readonly result: ToolResult;
}

const quickToolProxyInvokeToolResults: StructCodec = {
  isBlank(given: unknown, depth: number): boolean {
    const value = given as ToolProxyInvokeToolResults;
    return !(!isBlankStruct(ToolResult, value.result, depth + 1));
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as ToolProxyInvokeToolResults;
    const v0 = value.result;
    const words = 0;
    const targets = !isBlankStruct(ToolResult, v0, depth + 1) ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    putStructOf(writer, pointers + 0, ToolResult, v0, depth + 1);
  },
  get(reader: Reader, at: number, depth: number): ToolProxyInvokeToolResults | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(2)) return undefined;
    const { pointers, pointerCount } = found;
    return {
      result: (pointerCount > 0 ? structOf(reader, pointers + 0, ToolResult, depth + 1) : emptyStruct(ToolResult)) as ToolResult,
    };
  },
};

export const ToolProxyInvokeToolResults: StructLayout<ToolProxyInvokeToolResults> = /* @__PURE__ */ struct({ name: "ToolProxyInvokeToolResults", id: 0xdfa0ba0875d0c42en, sizes: [0, 1], shape: () => ({
  fields: [
    field("result", of(() => ToolResult), 0),
  ],
}), quick: quickToolProxyInvokeToolResults });

export interface ToolWords {
  readonly name: string;
  readonly service: string;
  /** Names of the argument object's fields. */
  readonly arguments: readonly string[];
}

export const ToolWords: StructLayout<ToolWords> = /* @__PURE__ */ struct({ name: "ToolWords", id: 0xf5ee75a19cd207b9n, sizes: [0, 3], shape: () => ({
  fields: [
    field("name", text, 0),
    field("service", text, 1),
    field("arguments", list(text), 2),
  ],
}) });

/** Held by a gate. The one place where a person is asked. */
export const Approval = /* @__PURE__ */ capabilityOf("Approval", 0xf7d0d2536e96816an, {
  /** signature: for stepUp, the armoured SSHSIG that was pasted. */
  ask: /* @__PURE__ */ method({ interfaceId: 0xf7d0d2536e96816an, ordinal: 0, name: "ask", params: ApprovalAskParams, results: ApprovalAskResults }),
  /** Draws a call as a structured widget. */
  announce: /* @__PURE__ */ method({ interfaceId: 0xf7d0d2536e96816an, ordinal: 1, name: "announce", params: ApprovalAnnounceParams, results: ApprovalAnnounceResults }),
  /** Returns when the person presses Ctrl-C: the gate stops the call in flight, whatever the loop does. */
  awaitInterrupt: /* @__PURE__ */ method({ interfaceId: 0xf7d0d2536e96816an, ordinal: 2, name: "awaitInterrupt", params: ApprovalAwaitInterruptParams, results: ApprovalAwaitInterruptResults }),
  /** Whoever was logged in to the gate's session is not any more: what they typed is forgotten, their screen cleared. */
  lock: /* @__PURE__ */ method({ interfaceId: 0xf7d0d2536e96816an, ordinal: 3, name: "lock", params: ApprovalLockParams, results: ApprovalLockResults }),
});

/** Held by gates, broker and console. */
export const AuditLog = /* @__PURE__ */ capabilityOf("AuditLog", 0xb1f5e6e9114b1e45n, {
  /** Returns once the record is on the disk. policyDigest: what the record names. */
  append: /* @__PURE__ */ method({ interfaceId: 0xb1f5e6e9114b1e45n, ordinal: 0, name: "append", params: AuditLogAppendParams, results: AuditLogAppendResults }),
  /**
   * durable: what is appended now reaches the disk. refusal: why no call at all may begin, which is where there is a disk and
   * the log takes no more; empty where there is no disk to record on: then what only reads may run. key: the audit key, empty
   * where there is no log. sealed: sequence of the newest seal. shipping: what a collector has and has not; empty where the page
   * names none. taken: percent of the room for calls that is used up; nothing gives it back.
   */
  status: /* @__PURE__ */ method({ interfaceId: 0xb1f5e6e9114b1e45n, ordinal: 1, name: "status", params: AuditLogStatusParams, results: AuditLogStatusResults }),
  tail: /* @__PURE__ */ method({ interfaceId: 0xb1f5e6e9114b1e45n, ordinal: 2, name: "tail", params: AuditLogTailParams, results: AuditLogTailResults }),
});

/** Held by each gate; the badge says which session. */
export const Broker = /* @__PURE__ */ capabilityOf("Broker", 0x884a709a9fbd3870n, {
  /**
   * Charges one call (and its category, and the prompts) in every enclosing scope, or in none. lease empty: exhausted
   * names the quota that is spent.
   */
  reserve: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 0, name: "reserve", params: BrokerReserveParams, results: BrokerReserveResults }),
  /** ran false: the call did not run; what was reserved is given back, prompts excepted. */
  settle: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 1, name: "settle", params: BrokerSettleParams, results: BrokerSettleResults }),
  challenge: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 2, name: "challenge", params: BrokerChallengeParams, results: BrokerChallengeResults }),
  /** Single use. principal empty: failure says why. */
  prove: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 3, name: "prove", params: BrokerProveParams, results: BrokerProveResults }),
  /** lines: each quota in a sentence. left: the same quotas in a few words, without those that every call has of its own. */
  remaining: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 4, name: "remaining", params: BrokerRemainingParams, results: BrokerRemainingResults }),
  /** A person's word that holds for more than one call. number: counts from 1 since the machine started; 0: failure says why. */
  remember: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 5, name: "remember", params: BrokerRememberParams, results: BrokerRememberResults }),
  /** The consent that was given for such a call and holds still; 0: there is none. */
  recall: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 6, name: "recall", params: BrokerRecallParams, results: BrokerRecallResults }),
  /** All that hold still in this conversation, turn, row and label; tool and alike are not looked at. */
  consents: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 7, name: "consents", params: BrokerConsentsParams, results: BrokerConsentsResults }),
  /** 0: all of the session. */
  takeBack: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 8, name: "takeBack", params: BrokerTakeBackParams, results: BrokerTakeBackResults }),
  /**
   * What a gate needs to go on with a conversation after the machine's run; opaque here, at most 4 KiB. Durable when answered,
   * where there is a data disk.
   */
  keep: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 9, name: "keep", params: BrokerKeepParams, results: BrokerKeepResults }),
  /** Empty: nothing is kept of it. */
  kept: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 10, name: "kept", params: BrokerKeptParams, results: BrokerKeptResults }),
  /**
   * Reserves tokens for one answer of a model, as many as are left and one answer can use; lease empty: exhausted names the
   * quota that is spent.
   */
  infer: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 11, name: "infer", params: BrokerInferParams, results: BrokerInferResults }),
  /** What its worker counted; the rest is given back. outputTokens: how many of them were the answer's own. */
  settleTokens: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 12, name: "settleTokens", params: BrokerSettleTokensParams, results: BrokerSettleTokensResults }),
  /** Nothing is kept of it any more. After the words are gone, and never before: without a record it stands at the highest label. */
  forget: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 13, name: "forget", params: BrokerForgetParams, results: BrokerForgetResults }),
  /**
   * Of a session that its page closes; nothing else is charged or asked in it before. principal: who wants to be known by a
   * passphrase; empty where only one can be. renews: who is logged in wants another one.
   */
  loginChallenge: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 14, name: "loginChallenge", params: BrokerLoginChallengeParams, results: BrokerLoginChallengeResults }),
  /** Single use. From now on what is counted per login begins anew, and what is counted per principal is this one's alone. */
  login: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 15, name: "login", params: BrokerLoginParams, results: BrokerLoginResults }),
  /** Nobody is logged in any more. taken: consents, which were that person's and hold no longer. */
  logout: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 16, name: "logout", params: BrokerLogoutParams, results: BrokerLogoutResults }),
  /** Another passphrase for who is logged in, proven by both. Single use. failure empty: it is on the disk. */
  renew: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 17, name: "renew", params: BrokerRenewParams, results: BrokerRenewResults }),
  /**
   * Adds to what a gate knows of where the words of a conversation stood; opaque here, at most 768 KiB at once and 2 MiB in all.
   * after: bytes that are kept already; fails if it is another number. Durable when answered, where there is a data disk.
   */
  keepSources: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 18, name: "keepSources", params: BrokerKeepSourcesParams, results: BrokerKeepSourcesResults }),
  /** What was kept from this byte on, at most 768 KiB. size: of all of it. Fails if what was kept is damaged. */
  keptSources: /* @__PURE__ */ method({ interfaceId: 0x884a709a9fbd3870n, ordinal: 19, name: "keptSources", params: BrokerKeptSourcesParams, results: BrokerKeptSourcesResults }),
});

/**
 * Held by the gate of each session that the model answers in. The worker begins no answer without a permit of that gate, and
 * counts what it uses: nothing that a loop says of tokens is believed.
 */
export const Metering = /* @__PURE__ */ capabilityOf("Metering", 0xdabdc02de5e3dad6n, {
  /**
   * One answer, to the one request that names this nonce, of at most so many tokens with its prompt. redactions: what the worker
   * masks in that request before anything else hears it.
   */
  allow: /* @__PURE__ */ method({ interfaceId: 0xdabdc02de5e3dad6n, ordinal: 0, name: "allow", params: MeteringAllowParams, results: MeteringAllowResults }),
  /**
   * Waits until that answer has ended, or its permit was withdrawn. messages: what was received, and behind it what was
   * answered, where it was answered whole; empty where nothing was asked under the permit. masked: each redaction of the permit.
   */
  ended: /* @__PURE__ */ method({ interfaceId: 0xdabdc02de5e3dad6n, ordinal: 1, name: "ended", params: MeteringEndedParams, results: MeteringEndedResults }),
  /** None begins any more; one that runs ends. */
  withdraw: /* @__PURE__ */ method({ interfaceId: 0xdabdc02de5e3dad6n, ordinal: 2, name: "withdraw", params: MeteringWithdrawParams, results: MeteringWithdrawResults }),
  /** Waits until somebody is to be asked for that answer: more than this nobody can count for it. What it used, where it ended before. */
  asked: /* @__PURE__ */ method({ interfaceId: 0xdabdc02de5e3dad6n, ordinal: 3, name: "asked", params: MeteringAskedParams, results: MeteringAskedResults }),
  /** What asked said has come. Nobody is asked for that answer before, so that a worker which dies until then has used nothing. */
  noted: /* @__PURE__ */ method({ interfaceId: 0xdabdc02de5e3dad6n, ordinal: 4, name: "noted", params: MeteringNotedParams, results: MeteringNotedResults }),
});

/** Held by the console: the person's direct commands. They bypass the model and the loop. */
export const Session = /* @__PURE__ */ capabilityOf("Session", 0xa9dea4a2a61337c0n, {
  /**
   * name without its slash, e.g. "tools"; lines are drawn as the gate's own words. "task" and "phase" may ask the person. isPasted:
   * the terminal said so of a part of it; what a command names to a tool is then not the person's own words.
   */
  command: /* @__PURE__ */ method({ interfaceId: 0xa9dea4a2a61337c0n, ordinal: 0, name: "command", params: SessionCommandParams, results: SessionCommandResults }),
  /**
   * The console calls this before it hands a line to the loop: turns are counted here and never by the loop. said: SHA-256 of
   * the line, by which the store knows it again. pieces: the line in parts, in their order; joined they have that SHA-256. The
   * gate keeps digests of their words, so that it can tell whose words an argument is, and only if a line of its page asks that.
   */
  beginTurn: /* @__PURE__ */ method({ interfaceId: 0xa9dea4a2a61337c0n, ordinal: 1, name: "beginTurn", params: SessionBeginTurnParams, results: SessionBeginTurnResults }),
  /** What can be typed to this gate now: for completion and for /help. It grants nothing. */
  vocabulary: /* @__PURE__ */ method({ interfaceId: 0xa9dea4a2a61337c0n, ordinal: 2, name: "vocabulary", params: SessionVocabularyParams, results: SessionVocabularyResults }),
  /** Where the session stands now: for the status line of a console. It grants nothing. */
  standing: /* @__PURE__ */ method({ interfaceId: 0xa9dea4a2a61337c0n, ordinal: 3, name: "standing", params: SessionStandingParams, results: SessionStandingResults }),
});

/** What init lets a process ask of it; the badge says who asks, and each method says who may. */
export const Supervisor = /* @__PURE__ */ capabilityOf("Supervisor", 0xe4ad68a9ddab00een, {
  /** Any holder: shuts the connection of a grant of its own, by its name. Every copy of the descriptor sees it. */
  revoke: /* @__PURE__ */ method({ interfaceId: 0xe4ad68a9ddab00een, ordinal: 0, name: "revoke", params: SupervisorRevokeParams, results: SupervisorRevokeResults }),
  /** The console: kills a process by name. */
  stop: /* @__PURE__ */ method({ interfaceId: 0xe4ad68a9ddab00een, ordinal: 1, name: "stop", params: SupervisorStopParams, results: SupervisorStopResults }),
  facts: /* @__PURE__ */ method({ interfaceId: 0xe4ad68a9ddab00een, ordinal: 2, name: "facts", params: SupervisorFactsParams, results: SupervisorFactsResults }),
  /** Waits until there is a line with a higher sequence; at most 64 lines. */
  readLog: /* @__PURE__ */ method({ interfaceId: 0xe4ad68a9ddab00een, ordinal: 3, name: "readLog", params: SupervisorReadLogParams, results: SupervisorReadLogResults }),
  /**
   * The console: what the person at the machine is to know, waited for in the same way. Whatever is not behind `after` has
   * been drawn; the rest init prints itself when the console ends.
   */
  readNotices: /* @__PURE__ */ method({ interfaceId: 0xe4ad68a9ddab00een, ordinal: 4, name: "readNotices", params: SupervisorReadNoticesParams, results: SupervisorReadNoticesResults }),
  /**
   * The console: kills a process that its manifest lets be started again, also one that was stopped or given up. Returns when
   * it serves again. A gate: its own loop, or a grant of its own that a living provider no longer serves.
   */
  restart: /* @__PURE__ */ method({ interfaceId: 0xe4ad68a9ddab00een, ordinal: 5, name: "restart", params: SupervisorRestartParams, results: SupervisorRestartResults }),
});

/** Held by the loop. The console draws; what is written here is text and never a command. */
export const Terminal = /* @__PURE__ */ capabilityOf("Terminal", 0xfa3955a83acb847bn, {
  /** Waits for a whole line. end: the person left. */
  readLine: /* @__PURE__ */ method({ interfaceId: 0xfa3955a83acb847bn, ordinal: 0, name: "readLine", params: TerminalReadLineParams, results: TerminalReadLineResults }),
  write: /* @__PURE__ */ method({ interfaceId: 0xfa3955a83acb847bn, ordinal: 1, name: "write", params: TerminalWriteParams, results: TerminalWriteResults }),
  /** Returns when the person presses Ctrl-C. */
  awaitInterrupt: /* @__PURE__ */ method({ interfaceId: 0xfa3955a83acb847bn, ordinal: 2, name: "awaitInterrupt", params: TerminalAwaitInterruptParams, results: TerminalAwaitInterruptResults }),
});

/** Held by the loop. Naming a tool here is a proposal; the gate decides. */
export const ToolProxy = /* @__PURE__ */ capabilityOf("ToolProxy", 0xbff6e663bf26c731n, {
  /**
   * snapshot: SHA-256 of the canonical descriptor list; a call must name the one it was made from.
   * turn: the gate's own count. A call must name it; the conversation is the first that was named here.
   * nonce: for the inference request that is made from this list. The audit names it beside the calls that follow, and
   * need not ask the loop for it.
   * backend: whose model answers now, and knows the nonce; no other does. A person may be asked before there is an answer.
   */
  describeTools: /* @__PURE__ */ method({ interfaceId: 0xbff6e663bf26c731n, ordinal: 0, name: "describeTools", params: ToolProxyDescribeToolsParams, results: ToolProxyDescribeToolsResults }),
  invokeTool: /* @__PURE__ */ method({ interfaceId: 0xbff6e663bf26c731n, ordinal: 1, name: "invokeTool", params: ToolProxyInvokeToolParams, results: ToolProxyInvokeToolResults }),
  cancelTurn: /* @__PURE__ */ method({ interfaceId: 0xbff6e663bf26c731n, ordinal: 2, name: "cancelTurn", params: ToolProxyCancelTurnParams, results: ToolProxyCancelTurnResults }),
  /**
   * The same with arguments that are a Cap'n Proto message of the method's parameter struct, without stream header. The gate makes
   * the JSON of it that is decided, shown, recorded and sent. It refuses a call that has JSON as well, and a tool of no known layout.
   */
  invokeStruct: /* @__PURE__ */ method({ interfaceId: 0xbff6e663bf26c731n, ordinal: 3, name: "invokeStruct", params: ToolProxyInvokeStructParams, results: ToolProxyInvokeStructResults }),
});
