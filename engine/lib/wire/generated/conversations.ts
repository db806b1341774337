// Generated from conversations.capnp by `npm run generate`. Do not edit.

import { bool, bytes, capabilityOf, enumeration, field, list, method, of, struct, text, type EnumLayout, type StructLayout, uint16, uint32, uint64, uint8 } from "../layout.ts";
import { Outcome, Role, ToolCall } from "./capos.ts";
import { Label } from "./policy.ts";

export type SourceDocumentOrigin = "person" | "pasted" | "page" | "result" | "argument" | "written" | "parameter";

export const SourceDocumentOrigin: EnumLayout<SourceDocumentOrigin> = /* @__PURE__ */ enumeration("SourceDocumentOrigin", ["person", "pasted", "page", "result", "argument", "written", "parameter"]);

/** What a person chose for a parameter of a task, as the gate read it. */
export interface ChosenValue {
  readonly name: string;
  /** A text, or an exact decimal in the smallest unit of its kind. */
  readonly value: string;
}

export const ChosenValue: StructLayout<ChosenValue> = /* @__PURE__ */ struct({ name: "ChosenValue", id: 0xdbe39225538d72bcn, sizes: [0, 2], shape: () => ({
  fields: [
    field("name", text, 0),
    field("value", text, 1),
  ],
}) });

export interface ConversationFacts {
  readonly conversation: string;
  /** The beginning of the first words of a person. */
  readonly title: string;
  readonly sayings: bigint;
  readonly bytes: bigint;
  /** By the machine's clock. */
  readonly changedMs: bigint;
  /** The one that it was forked from; empty: none. */
  readonly parent: string;
}

export const ConversationFacts: StructLayout<ConversationFacts> = /* @__PURE__ */ struct({ name: "ConversationFacts", id: 0xa8d68c015099167dn, sizes: [3, 3], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("title", text, 1),
    field("sayings", uint64, 0),
    field("bytes", uint64, 1),
    field("changedMs", uint64, 2),
    field("parent", text, 2),
  ],
}) });

export interface ConversationLogAccountParams {
  readonly conversation: string;
  readonly window: Window;
}

export const ConversationLogAccountParams: StructLayout<ConversationLogAccountParams> = /* @__PURE__ */ struct({ name: "ConversationLogAccountParams", id: 0xd7e37299ad490b21n, sizes: [0, 2], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("window", of(() => Window), 1),
  ],
}) });

export interface ConversationLogAccountResults {}

export const ConversationLogAccountResults: StructLayout<ConversationLogAccountResults> = /* @__PURE__ */ struct({ name: "ConversationLogAccountResults", id: 0xa1bc4d0ace6207ban, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationLogAppendParams {
  readonly conversation: string;
  readonly sayings: readonly Saying[];
}

export const ConversationLogAppendParams: StructLayout<ConversationLogAppendParams> = /* @__PURE__ */ struct({ name: "ConversationLogAppendParams", id: 0xc748d020581805c5n, sizes: [0, 2], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("sayings", list(of(() => Saying)), 1),
  ],
}) });

export interface ConversationLogAppendResults {
  readonly last: bigint;
}

export const ConversationLogAppendResults: StructLayout<ConversationLogAppendResults> = /* @__PURE__ */ struct({ name: "ConversationLogAppendResults", id: 0xb4f185b0005085ccn, sizes: [1, 0], shape: () => ({
  fields: [
    field("last", uint64, 0),
  ],
}) });

export interface ConversationLogRecallParams {
  readonly conversation: string;
  readonly words: string;
  readonly before: bigint;
  readonly mostBytes: number;
}

export const ConversationLogRecallParams: StructLayout<ConversationLogRecallParams> = /* @__PURE__ */ struct({ name: "ConversationLogRecallParams", id: 0xe807a3a775d23e40n, sizes: [2, 2], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("words", text, 1),
    field("before", uint64, 0),
    field("mostBytes", uint32, 2),
  ],
}) });

export interface ConversationLogRecallResults {
  readonly sayings: readonly Saying[];
  readonly isOff: boolean;
  readonly byMeaning: readonly bigint[];
}

export const ConversationLogRecallResults: StructLayout<ConversationLogRecallResults> = /* @__PURE__ */ struct({ name: "ConversationLogRecallResults", id: 0xf26ad9de38403ca3n, sizes: [1, 2], shape: () => ({
  fields: [
    field("sayings", list(of(() => Saying)), 0),
    field("isOff", bool, 0),
    field("byMeaning", list(uint64), 1),
  ],
}) });

export interface ConversationLogRecentParams {}

export const ConversationLogRecentParams: StructLayout<ConversationLogRecentParams> = /* @__PURE__ */ struct({ name: "ConversationLogRecentParams", id: 0xeab04f864d0e47a5n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationLogRecentResults {
  readonly conversation: string;
  readonly sayings: readonly Saying[];
  readonly summary: Saying;
  readonly last: bigint;
}

export const ConversationLogRecentResults: StructLayout<ConversationLogRecentResults> = /* @__PURE__ */ struct({ name: "ConversationLogRecentResults", id: 0xa51cf05a1987dc2an, sizes: [1, 3], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("sayings", list(of(() => Saying)), 1),
    field("summary", of(() => Saying), 2),
    field("last", uint64, 0),
  ],
}) });

/** What a gate needs to go on with a conversation after the machine's run, as it is kept by the broker, where no loop gets to it. */
export interface ConversationState {
  readonly schemaVersion: number;
  /** SHA-256 of tables.bin. The numbers below mean nothing under other tables. */
  readonly policyDigest: Uint8Array;
  readonly task: string;
  /** Both empty: the session's own row. */
  readonly phase: string;
  readonly label: Label;
  /** The highest that was counted. */
  readonly turn: number;
  readonly confidentiality: string;
  readonly integrity: string;
  /** The label in the page's names: what it says under other tables, where they know all of them. Empty where they are too long. */
  readonly compartments: readonly string[];
  /** Of the task; empty where it has none, or they are not known. */
  readonly parameters: readonly ChosenValue[];
}

export const ConversationState: StructLayout<ConversationState> = /* @__PURE__ */ struct({ name: "ConversationState", id: 0xa58593258844aed7n, sizes: [1, 8], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("policyDigest", bytes, 0),
    field("task", text, 1),
    field("phase", text, 2),
    field("label", of(() => Label), 3),
    field("turn", uint32, 1),
    field("confidentiality", text, 4),
    field("integrity", text, 5),
    field("compartments", list(text), 6),
    field("parameters", list(of(() => ChosenValue)), 7),
  ],
}) });

export interface ConversationStoreBeginParams {}

export const ConversationStoreBeginParams: StructLayout<ConversationStoreBeginParams> = /* @__PURE__ */ struct({ name: "ConversationStoreBeginParams", id: 0xfc2375dbecbe3569n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationStoreBeginResults {
  readonly conversation: string;
}

export const ConversationStoreBeginResults: StructLayout<ConversationStoreBeginResults> = /* @__PURE__ */ struct({ name: "ConversationStoreBeginResults", id: 0xd7c61f8c013efacan, sizes: [0, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
  ],
}) });

export interface ConversationStoreBeginTurnParams {
  readonly said: Uint8Array;
}

export const ConversationStoreBeginTurnParams: StructLayout<ConversationStoreBeginTurnParams> = /* @__PURE__ */ struct({ name: "ConversationStoreBeginTurnParams", id: 0xbb251274e6f2efc3n, sizes: [0, 1], shape: () => ({
  fields: [
    field("said", bytes, 0),
  ],
}) });

export interface ConversationStoreBeginTurnResults {}

export const ConversationStoreBeginTurnResults: StructLayout<ConversationStoreBeginTurnResults> = /* @__PURE__ */ struct({ name: "ConversationStoreBeginTurnResults", id: 0xd7ffa7339ce0a924n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationStoreForgetParams {
  readonly conversation: string;
}

export const ConversationStoreForgetParams: StructLayout<ConversationStoreForgetParams> = /* @__PURE__ */ struct({ name: "ConversationStoreForgetParams", id: 0xb033c02823150263n, sizes: [0, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
  ],
}) });

export interface ConversationStoreForgetResults {}

export const ConversationStoreForgetResults: StructLayout<ConversationStoreForgetResults> = /* @__PURE__ */ struct({ name: "ConversationStoreForgetResults", id: 0x8850561adb20096an, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationStoreForkParams {
  readonly conversation: string;
  readonly through: bigint;
}

export const ConversationStoreForkParams: StructLayout<ConversationStoreForkParams> = /* @__PURE__ */ struct({ name: "ConversationStoreForkParams", id: 0xf2f21baba057493cn, sizes: [1, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("through", uint64, 0),
  ],
}) });

export interface ConversationStoreForkResults {
  readonly fork: string;
}

export const ConversationStoreForkResults: StructLayout<ConversationStoreForkResults> = /* @__PURE__ */ struct({ name: "ConversationStoreForkResults", id: 0xd99e3a1cddd8e3adn, sizes: [0, 1], shape: () => ({
  fields: [
    field("fork", text, 0),
  ],
}) });

export interface ConversationStoreListParams {
  readonly most: number;
}

export const ConversationStoreListParams: StructLayout<ConversationStoreListParams> = /* @__PURE__ */ struct({ name: "ConversationStoreListParams", id: 0xdb4339033bc29ffan, sizes: [1, 0], shape: () => ({
  fields: [
    field("most", uint16, 0),
  ],
}) });

export interface ConversationStoreListResults {
  readonly conversations: readonly ConversationFacts[];
  readonly total: number;
}

export const ConversationStoreListResults: StructLayout<ConversationStoreListResults> = /* @__PURE__ */ struct({ name: "ConversationStoreListResults", id: 0x8034034b822a71c2n, sizes: [1, 1], shape: () => ({
  fields: [
    field("conversations", list(of(() => ConversationFacts)), 0),
    field("total", uint32, 0),
  ],
}) });

export interface ConversationStoreOpenParams {
  readonly conversation: string;
}

export const ConversationStoreOpenParams: StructLayout<ConversationStoreOpenParams> = /* @__PURE__ */ struct({ name: "ConversationStoreOpenParams", id: 0xfa586afb8621d9cen, sizes: [0, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
  ],
}) });

export interface ConversationStoreOpenResults {
  readonly last: bigint;
}

export const ConversationStoreOpenResults: StructLayout<ConversationStoreOpenResults> = /* @__PURE__ */ struct({ name: "ConversationStoreOpenResults", id: 0xcd8b2eed1bb3bb50n, sizes: [1, 0], shape: () => ({
  fields: [
    field("last", uint64, 0),
  ],
}) });

export interface ConversationStoreReadParams {
  readonly conversation: string;
  readonly after: bigint;
  readonly mostBytes: number;
}

export const ConversationStoreReadParams: StructLayout<ConversationStoreReadParams> = /* @__PURE__ */ struct({ name: "ConversationStoreReadParams", id: 0xea85b5a0f7a85a41n, sizes: [2, 1], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("after", uint64, 0),
    field("mostBytes", uint32, 2),
  ],
}) });

export interface ConversationStoreReadResults {
  readonly sayings: readonly Saying[];
  readonly last: bigint;
}

export const ConversationStoreReadResults: StructLayout<ConversationStoreReadResults> = /* @__PURE__ */ struct({ name: "ConversationStoreReadResults", id: 0xa7ac501ce3ccec84n, sizes: [1, 1], shape: () => ({
  fields: [
    field("sayings", list(of(() => Saying)), 0),
    field("last", uint64, 0),
  ],
}) });

export interface ConversationStoreRecallingParams {}

export const ConversationStoreRecallingParams: StructLayout<ConversationStoreRecallingParams> = /* @__PURE__ */ struct({ name: "ConversationStoreRecallingParams", id: 0xb3f579ed63a6d325n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationStoreRecallingResults {
  readonly isOn: boolean;
}

export const ConversationStoreRecallingResults: StructLayout<ConversationStoreRecallingResults> = /* @__PURE__ */ struct({ name: "ConversationStoreRecallingResults", id: 0xdcdb5e5c7437cc21n, sizes: [1, 0], shape: () => ({
  fields: [
    field("isOn", bool, 0),
  ],
}) });

export interface ConversationStoreSearchParams {
  readonly words: string;
  readonly conversation: string;
  readonly most: number;
}

export const ConversationStoreSearchParams: StructLayout<ConversationStoreSearchParams> = /* @__PURE__ */ struct({ name: "ConversationStoreSearchParams", id: 0xebaa8c00f524e04en, sizes: [1, 2], shape: () => ({
  fields: [
    field("words", text, 0),
    field("conversation", text, 1),
    field("most", uint16, 0),
  ],
}) });

export interface ConversationStoreSearchResults {
  readonly hits: readonly Hit[];
  readonly byMeaning: boolean;
  readonly note: string;
}

export const ConversationStoreSearchResults: StructLayout<ConversationStoreSearchResults> = /* @__PURE__ */ struct({ name: "ConversationStoreSearchResults", id: 0x800ae05d1e20eaafn, sizes: [1, 2], shape: () => ({
  fields: [
    field("hits", list(of(() => Hit)), 0),
    field("byMeaning", bool, 0),
    field("note", text, 1),
  ],
}) });

export interface ConversationStoreSetRecallParams {
  readonly isOn: boolean;
}

export const ConversationStoreSetRecallParams: StructLayout<ConversationStoreSetRecallParams> = /* @__PURE__ */ struct({ name: "ConversationStoreSetRecallParams", id: 0xd54b029ad3ab5643n, sizes: [1, 0], shape: () => ({
  fields: [
    field("isOn", bool, 0),
  ],
}) });

export interface ConversationStoreSetRecallResults {}

export const ConversationStoreSetRecallResults: StructLayout<ConversationStoreSetRecallResults> = /* @__PURE__ */ struct({ name: "ConversationStoreSetRecallResults", id: 0xed73b9e6a382cb70n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationStoreStatusParams {}

export const ConversationStoreStatusParams: StructLayout<ConversationStoreStatusParams> = /* @__PURE__ */ struct({ name: "ConversationStoreStatusParams", id: 0xf465682fae2d9f0an, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationStoreStatusResults {
  readonly durable: boolean;
  readonly reason: string;
  readonly bytes: bigint;
  readonly mostBytes: bigint;
  readonly conversations: number;
  readonly moved: string;
  readonly meaning: string;
}

export const ConversationStoreStatusResults: StructLayout<ConversationStoreStatusResults> = /* @__PURE__ */ struct({ name: "ConversationStoreStatusResults", id: 0xb62cd9689d370ac9n, sizes: [3, 3], shape: () => ({
  fields: [
    field("durable", bool, 0),
    field("reason", text, 0),
    field("bytes", uint64, 1),
    field("mostBytes", uint64, 2),
    field("conversations", uint32, 1),
    field("moved", text, 1),
    field("meaning", text, 2),
  ],
}) });

export interface ConversationStoreTakeRecalledParams {}

export const ConversationStoreTakeRecalledParams: StructLayout<ConversationStoreTakeRecalledParams> = /* @__PURE__ */ struct({ name: "ConversationStoreTakeRecalledParams", id: 0xbf99e7b51baf0286n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationStoreTakeRecalledResults {
  readonly conversation: string;
  readonly sequences: readonly bigint[];
}

export const ConversationStoreTakeRecalledResults: StructLayout<ConversationStoreTakeRecalledResults> = /* @__PURE__ */ struct({ name: "ConversationStoreTakeRecalledResults", id: 0xda140af6577a282an, sizes: [0, 2], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("sequences", list(uint64), 1),
  ],
}) });

export interface ConversationStoreWindowParams {}

export const ConversationStoreWindowParams: StructLayout<ConversationStoreWindowParams> = /* @__PURE__ */ struct({ name: "ConversationStoreWindowParams", id: 0xa5efa2bab65a2991n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ConversationStoreWindowResults {
  readonly window: Window;
}

export const ConversationStoreWindowResults: StructLayout<ConversationStoreWindowResults> = /* @__PURE__ */ struct({ name: "ConversationStoreWindowResults", id: 0xbe8f73a623d5c0c9n, sizes: [0, 1], shape: () => ({
  fields: [
    field("window", of(() => Window), 0),
  ],
}) });

export interface Hit {
  readonly conversation: string;
  readonly sequence: bigint;
  readonly role: Role;
  readonly excerpt: string;
  readonly byWords: boolean;
  readonly byMeaning: boolean;
}

export const Hit: StructLayout<Hit> = /* @__PURE__ */ struct({ name: "Hit", id: 0xd5e416039260a157n, sizes: [2, 2], shape: () => ({
  fields: [
    field("conversation", text, 0),
    field("sequence", uint64, 0),
    field("role", Role, 4),
    field("excerpt", text, 1),
    field("byWords", bool, 80),
    field("byMeaning", bool, 81),
  ],
}) });

/** One piece of a conversation, as its loop said that it was. */
export interface Saying {
  /** Within the conversation, from 1, without gaps; given by the store. */
  readonly sequence: bigint;
  readonly turn: number;
  /** Never system. */
  readonly role: Role;
  /** Of a tool: what it gave, or why not. */
  readonly text: string;
  /** Of an assistant. */
  readonly calls: readonly ToolCall[];
  /** Of a tool: the call that it answers. */
  readonly callId: string;
  /** Of a tool: its name. */
  readonly source: string;
  /** Of a tool. */
  readonly outcome: Outcome;
  /** Above 0: a summary by the model, which stands for everything from the beginning to this sequence. That stays stored. */
  readonly through: bigint;
  /** Milliseconds since 1970 by the machine's clock, which nobody vouches for; nothing is put in order by it. */
  readonly saidMs: bigint;
}

export const Saying: StructLayout<Saying> = /* @__PURE__ */ struct({ name: "Saying", id: 0x98d7369a980f16ebn, sizes: [4, 4], shape: () => ({
  fields: [
    field("sequence", uint64, 0),
    field("turn", uint32, 2),
    field("role", Role, 6),
    field("text", text, 0),
    field("calls", list(of(() => ToolCall)), 1),
    field("callId", text, 2),
    field("source", text, 3),
    field("outcome", Outcome, 7),
    field("through", uint64, 2),
    field("saidMs", uint64, 3),
  ],
}) });

/**
 * What a gate adds to its index of where the words of a conversation stood. Digests under a key of the conversation's own: they
 * do not tell what was read. The chunks of a conversation, one behind the other, are the index.
 */
export interface SourceChunk {
  readonly schemaVersion: number;
  /** 32 random bytes; in the first chunk alone. */
  readonly key: Uint8Array;
  /** In the order in which they came. */
  readonly documents: readonly SourceDocument[];
}

export const SourceChunk: StructLayout<SourceChunk> = /* @__PURE__ */ struct({ name: "SourceChunk", id: 0x98eea08efd796321n, sizes: [1, 2], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("key", bytes, 0),
    field("documents", list(of(() => SourceDocument)), 1),
  ],
}) });

/** One text: a piece of a line, a leaf of a result. */
export interface SourceDocument {
  readonly origin: SourceDocumentOrigin;
  /** Of a result or an argument; of what was written, the service that keeps it. */
  readonly tool: string;
  readonly field: string;
  /** Of the result's label. */
  readonly integrity: number;
  /** Shared by the leaves of one object. */
  readonly record: number;
  /** Shared by a result and its arguments; 0: of none. */
  readonly call: number;
  /** 52 bits a token. */
  readonly digests: readonly bigint[];
  /** One byte a token. Bit 0: too little to come from anywhere by itself. Bit 1: it stood in the call, or was written before. */
  readonly flags: Uint8Array;
  /** As a value it is long enough to come from a longer text. */
  readonly isTelling: boolean;
}

export const SourceDocument: StructLayout<SourceDocument> = /* @__PURE__ */ struct({ name: "SourceDocument", id: 0xf6314374ae6dd02fn, sizes: [2, 4], shape: () => ({
  fields: [
    field("origin", SourceDocumentOrigin, 0),
    field("tool", text, 0),
    field("field", text, 1),
    field("integrity", uint8, 2),
    field("record", uint32, 1),
    field("call", uint32, 2),
    field("digests", list(uint64), 2),
    field("flags", bytes, 3),
    field("isTelling", bool, 24),
  ],
}) });

/** What of a conversation its loop shows to the model: its own account, to be shown and not to be relied on. */
export interface Window {
  /** Of the model. */
  readonly contextTokens: number;
  /** What a request may hold: without room for the answer. */
  readonly budgetTokens: number;
  readonly usedTokens: number;
  /** Counted as four characters a token, and not by the model's own tokenizer. */
  readonly isEstimated: boolean;
  /** Sequence of the oldest saying that is shown as it was said; what is before it was evicted. */
  readonly firstKept: bigint;
  /** Up to where a summary stands for what was evicted; 0: there is none. */
  readonly summarisedThrough: bigint;
  /** How many are shown in part. */
  readonly cutSayings: number;
  /** Evicted, and not stored either. */
  readonly lostSayings: bigint;
  readonly toolTokens: number;
  readonly systemTokens: number;
  /** Sequences of evicted sayings that the newest request shows once more, in order. */
  readonly recalled: readonly bigint[];
  readonly recalledTokens: number;
  /** Those of them that no word of the request would have found, as the store told. */
  readonly recalledByMeaning: readonly bigint[];
}

export const Window: StructLayout<Window> = /* @__PURE__ */ struct({ name: "Window", id: 0x81d64dc8cb1a1a0bn, sizes: [7, 2], shape: () => ({
  fields: [
    field("contextTokens", uint32, 0),
    field("budgetTokens", uint32, 1),
    field("usedTokens", uint32, 2),
    field("isEstimated", bool, 96),
    field("firstKept", uint64, 2),
    field("summarisedThrough", uint64, 3),
    field("cutSayings", uint32, 8),
    field("lostSayings", uint64, 5),
    field("toolTokens", uint32, 9),
    field("systemTokens", uint32, 12),
    field("recalled", list(uint64), 0),
    field("recalledTokens", uint32, 13),
    field("recalledByMeaning", list(uint64), 1),
  ],
}) });

/** Held by a loop. It says what was said in the one conversation that the gate of its session has opened. */
export const ConversationLog = /* @__PURE__ */ capabilityOf("ConversationLog", 0xf804081e52656d76n, {
  /** All of them or none; returns once they are on the disk. last: the sequence of the last one. */
  append: /* @__PURE__ */ method({ interfaceId: 0xf804081e52656d76n, ordinal: 0, name: "append", params: ConversationLogAppendParams, results: ConversationLogAppendResults }),
  /**
   * The conversation that is open and the newest of it, oldest first, from a person's words on. summary: the newest there is;
   * sequence 0: there is none. Fails where none is open.
   */
  recent: /* @__PURE__ */ method({ interfaceId: 0xf804081e52656d76n, ordinal: 1, name: "recent", params: ConversationLogRecentParams, results: ConversationLogRecentResults }),
  account: /* @__PURE__ */ method({ interfaceId: 0xf804081e52656d76n, ordinal: 2, name: "account", params: ConversationLogAccountParams, results: ConversationLogAccountResults }),
  /**
   * Of the conversation that is open, from before this sequence: what has to do with these words, best first; of a long one a
   * passage. isOff: the person wants none. byMeaning: sequences of those that none of the words found.
   */
  recall: /* @__PURE__ */ method({ interfaceId: 0xf804081e52656d76n, ordinal: 3, name: "recall", params: ConversationLogRecallParams, results: ConversationLogRecallResults }),
});

/** Held by a gate; the badge says whose conversations these are. */
export const ConversationStore = /* @__PURE__ */ capabilityOf("ConversationStore", 0xa39403c253505cb0n, {
  /** A new name, never given before. Nothing is open then. */
  begin: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 0, name: "begin", params: ConversationStoreBeginParams, results: ConversationStoreBeginResults }),
  /** From now on the session's loop may read this one and add to it. Empty: none. */
  open: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 1, name: "open", params: ConversationStoreOpenParams, results: ConversationStoreOpenResults }),
  /** Newest first. */
  list: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 2, name: "list", params: ConversationStoreListParams, results: ConversationStoreListResults }),
  /** In order, as many whole ones as fit. */
  read: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 3, name: "read", params: ConversationStoreReadParams, results: ConversationStoreReadResults }),
  /** A new conversation with a copy of the old one's sayings up to this sequence; 0: of all. */
  fork: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 4, name: "fork", params: ConversationStoreForkParams, results: ConversationStoreForkResults }),
  /**
   * All of the words, in any order, or near in meaning; conversation empty: in all of the session. Best first.
   * byMeaning: an embedder was asked and answered. note: what could not be found by meaning, and why; empty: nothing.
   */
  search: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 5, name: "search", params: ConversationStoreSearchParams, results: ConversationStoreSearchResults }),
  forget: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 6, name: "forget", params: ConversationStoreForgetParams, results: ConversationStoreForgetResults }),
  /**
   * reason: why nothing outlasts the machine's run. moved: the name under which a spoiled file was put aside at this start.
   * meaning: what of the session can be found by meaning, in words; empty: it has no embedder.
   */
  status: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 7, name: "status", params: ConversationStoreStatusParams, results: ConversationStoreStatusResults }),
  /** What the loop told last of the conversation that is open. */
  window: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 8, name: "window", params: ConversationStoreWindowParams, results: ConversationStoreWindowResults }),
  /** Whether the session's loop is given anything by recall; kept, and on where nobody said anything. */
  setRecall: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 9, name: "setRecall", params: ConversationStoreSetRecallParams, results: ConversationStoreSetRecallResults }),
  recalling: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 10, name: "recalling", params: ConversationStoreRecallingParams, results: ConversationStoreRecallingResults }),
  /** What the loop was given by recall since this was asked last, in order; of the conversation that was open last. */
  takeRecalled: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 11, name: "takeRecalled", params: ConversationStoreTakeRecalledParams, results: ConversationStoreTakeRecalledResults }),
  /**
   * A person has begun a turn. Until the next one the loop may keep so many bytes, and one saying of a person: the one whose
   * text has this SHA-256.
   */
  beginTurn: /* @__PURE__ */ method({ interfaceId: 0xa39403c253505cb0n, ordinal: 12, name: "beginTurn", params: ConversationStoreBeginTurnParams, results: ConversationStoreBeginTurnResults }),
});
