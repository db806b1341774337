// Generated from capos.capnp by `npm run generate`. Do not edit.

import { bool, bytes, capability, capabilityOf, enumeration, field, float32, list, method, of, struct, text, type EnumLayout, type StructLayout, uint16, uint32, uint64 } from "../layout.ts";
import { memberAt, putMember, putText, putUint64, textAt, type Reader, type StructCodec, type Writer } from "../quick.ts";

export type FinishReason = "stop" | "toolCalls" | "length" | "cancelled";

export const FinishReason: EnumLayout<FinishReason> = /* @__PURE__ */ enumeration("FinishReason", ["stop", "toolCalls", "length", "cancelled"]);

export type Outcome = "ok" | "refusedByPolicy" | "deniedByUser" | "stepUpFailed" | "executionError" | "timedOut" | "cancelled" | "invalidArguments" | "unknownTool";

export const Outcome: EnumLayout<Outcome> = /* @__PURE__ */ enumeration("Outcome", ["ok", "refusedByPolicy", "deniedByUser", "stepUpFailed", "executionError", "timedOut", "cancelled", "invalidArguments", "unknownTool"]);

export type PermissionMode = "auto" | "consent" | "stepUp" | "forbidden";

export const PermissionMode: EnumLayout<PermissionMode> = /* @__PURE__ */ enumeration("PermissionMode", ["auto", "consent", "stepUp", "forbidden"]);

export type Role = "system" | "user" | "assistant" | "tool";

export const Role: EnumLayout<Role> = /* @__PURE__ */ enumeration("Role", ["system", "user", "assistant", "tool"]);

export interface BackendPolicy {
  /** Backends that may be opened, in order of preference. */
  readonly allowed: readonly string[];
}

export const BackendPolicy: StructLayout<BackendPolicy> = /* @__PURE__ */ struct({ name: "BackendPolicy", id: 0x9de2fa83d8c16027n, sizes: [0, 1], shape: () => ({
  fields: [
    field("allowed", list(text), 0),
  ],
}) });

/** One message of a conversation. Untrusted text is always a message of its own, never part of a system prompt. */
export interface ChatMessage {
  readonly role: Role;
  readonly content: string;
  /** For role tool: the id of the ToolCall that this message answers. */
  readonly toolCallId: string;
  /** For role assistant: the calls that the model proposed. */
  readonly toolCalls: readonly ToolCall[];
}

export const ChatMessage: StructLayout<ChatMessage> = /* @__PURE__ */ struct({ name: "ChatMessage", id: 0x81d24bb1b5e6b0c0n, sizes: [1, 3], shape: () => ({
  fields: [
    field("role", Role, 0),
    field("content", text, 0),
    field("toolCallId", text, 1),
    field("toolCalls", list(of(() => ToolCall)), 2),
  ],
}) });

export interface InferenceRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDescriptor[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly stopSequences: readonly string[];
  /** Optional JSON Schema for structured output of the final assistant message. */
  readonly responseSchema: string;
  /** Stable correlation id for the audit. */
  readonly nonce: Uint8Array;
}

export const InferenceRequest: StructLayout<InferenceRequest> = /* @__PURE__ */ struct({ name: "InferenceRequest", id: 0xff8afdfe57150143n, sizes: [1, 5], shape: () => ({
  fields: [
    field("messages", list(of(() => ChatMessage)), 0),
    field("tools", list(of(() => ToolDescriptor)), 1),
    field("maxTokens", uint32, 0),
    field("temperature", float32, 1),
    field("stopSequences", list(text), 2),
    field("responseSchema", text, 3),
    field("nonce", bytes, 4),
  ],
}) });

export interface InferenceResponse {
  readonly message: ChatMessage;
  readonly usage: TokenUsage;
  readonly finishReason: FinishReason;
}

export const InferenceResponse: StructLayout<InferenceResponse> = /* @__PURE__ */ struct({ name: "InferenceResponse", id: 0xb5cb1fcb750b3755n, sizes: [1, 2], shape: () => ({
  fields: [
    field("message", of(() => ChatMessage), 0),
    field("usage", of(() => TokenUsage), 1),
    field("finishReason", FinishReason, 0),
  ],
}) });

export interface LanguageModelCompleteParams {
  readonly req: InferenceRequest;
}

export const LanguageModelCompleteParams: StructLayout<LanguageModelCompleteParams> = /* @__PURE__ */ struct({ name: "LanguageModelCompleteParams", id: 0xc4b4d467bc23a760n, sizes: [0, 1], shape: () => ({
  fields: [
    field("req", of(() => InferenceRequest), 0),
  ],
}) });

export interface LanguageModelCompleteResults {
  readonly resp: InferenceResponse;
}

export const LanguageModelCompleteResults: StructLayout<LanguageModelCompleteResults> = /* @__PURE__ */ struct({ name: "LanguageModelCompleteResults", id: 0x98a05ade65818bf4n, sizes: [0, 1], shape: () => ({
  fields: [
    field("resp", of(() => InferenceResponse), 0),
  ],
}) });

export interface LanguageModelCountTokensParams {
  readonly texts: readonly string[];
}

export const LanguageModelCountTokensParams: StructLayout<LanguageModelCountTokensParams> = /* @__PURE__ */ struct({ name: "LanguageModelCountTokensParams", id: 0xff689d0f513b5b77n, sizes: [0, 1], shape: () => ({
  fields: [
    field("texts", list(text), 0),
  ],
}) });

export interface LanguageModelCountTokensResults {
  readonly counts: readonly number[];
}

export const LanguageModelCountTokensResults: StructLayout<LanguageModelCountTokensResults> = /* @__PURE__ */ struct({ name: "LanguageModelCountTokensResults", id: 0xec06542ec01b3a40n, sizes: [0, 1], shape: () => ({
  fields: [
    field("counts", list(uint32), 0),
  ],
}) });

export interface LanguageModelInfoParams {}

export const LanguageModelInfoParams: StructLayout<LanguageModelInfoParams> = /* @__PURE__ */ struct({ name: "LanguageModelInfoParams", id: 0xfae9813a7cecfc1cn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface LanguageModelInfoResults {
  readonly info: ModelInfo;
}

export const LanguageModelInfoResults: StructLayout<LanguageModelInfoResults> = /* @__PURE__ */ struct({ name: "LanguageModelInfoResults", id: 0xe63dc7f9d9cffa81n, sizes: [0, 1], shape: () => ({
  fields: [
    field("info", of(() => ModelInfo), 0),
  ],
}) });

export interface LanguageModelStreamParams {
  readonly req: InferenceRequest;
}

export const LanguageModelStreamParams: StructLayout<LanguageModelStreamParams> = /* @__PURE__ */ struct({ name: "LanguageModelStreamParams", id: 0xc849c396bafc4d49n, sizes: [0, 1], shape: () => ({
  fields: [
    field("req", of(() => InferenceRequest), 0),
  ],
}) });

export interface LanguageModelStreamResults {
  readonly stream: null;
}

export const LanguageModelStreamResults: StructLayout<LanguageModelStreamResults> = /* @__PURE__ */ struct({ name: "LanguageModelStreamResults", id: 0xc0248c79fb8bce34n, sizes: [0, 1], shape: () => ({
  fields: [
    field("stream", capability, 0),
  ],
}) });

export interface ModelAdminLoadWeightsParams {
  readonly source: null;
  readonly info: ModelInfo;
}

export const ModelAdminLoadWeightsParams: StructLayout<ModelAdminLoadWeightsParams> = /* @__PURE__ */ struct({ name: "ModelAdminLoadWeightsParams", id: 0xa88acebde9d02a43n, sizes: [0, 2], shape: () => ({
  fields: [
    field("source", capability, 0),
    field("info", of(() => ModelInfo), 1),
  ],
}) });

export interface ModelAdminLoadWeightsResults {
  readonly id: string;
}

export const ModelAdminLoadWeightsResults: StructLayout<ModelAdminLoadWeightsResults> = /* @__PURE__ */ struct({ name: "ModelAdminLoadWeightsResults", id: 0xf27ee0237e2027bdn, sizes: [0, 1], shape: () => ({
  fields: [
    field("id", text, 0),
  ],
}) });

export interface ModelAdminSetBackendPolicyParams {
  readonly policy: BackendPolicy;
}

export const ModelAdminSetBackendPolicyParams: StructLayout<ModelAdminSetBackendPolicyParams> = /* @__PURE__ */ struct({ name: "ModelAdminSetBackendPolicyParams", id: 0xd7c2c50054c56991n, sizes: [0, 1], shape: () => ({
  fields: [
    field("policy", of(() => BackendPolicy), 0),
  ],
}) });

export interface ModelAdminSetBackendPolicyResults {}

export const ModelAdminSetBackendPolicyResults: StructLayout<ModelAdminSetBackendPolicyResults> = /* @__PURE__ */ struct({ name: "ModelAdminSetBackendPolicyResults", id: 0xe805035f0c27302an, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ModelAdminUnloadParams {
  readonly id: string;
}

export const ModelAdminUnloadParams: StructLayout<ModelAdminUnloadParams> = /* @__PURE__ */ struct({ name: "ModelAdminUnloadParams", id: 0x89edd595bc4d970bn, sizes: [0, 1], shape: () => ({
  fields: [
    field("id", text, 0),
  ],
}) });

export interface ModelAdminUnloadResults {}

export const ModelAdminUnloadResults: StructLayout<ModelAdminUnloadResults> = /* @__PURE__ */ struct({ name: "ModelAdminUnloadResults", id: 0xdcd1efd18a85116fn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ModelCatalogListParams {}

export const ModelCatalogListParams: StructLayout<ModelCatalogListParams> = /* @__PURE__ */ struct({ name: "ModelCatalogListParams", id: 0xa8ff4fe2b05c573en, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ModelCatalogListResults {
  readonly models: readonly ModelInfo[];
}

export const ModelCatalogListResults: StructLayout<ModelCatalogListResults> = /* @__PURE__ */ struct({ name: "ModelCatalogListResults", id: 0xe6921646cc039d77n, sizes: [0, 1], shape: () => ({
  fields: [
    field("models", list(of(() => ModelInfo)), 0),
  ],
}) });

export interface ModelCatalogOpenEmbedderParams {
  readonly id: string;
}

export const ModelCatalogOpenEmbedderParams: StructLayout<ModelCatalogOpenEmbedderParams> = /* @__PURE__ */ struct({ name: "ModelCatalogOpenEmbedderParams", id: 0xfef3dac2c6bd348dn, sizes: [0, 1], shape: () => ({
  fields: [
    field("id", text, 0),
  ],
}) });

export interface ModelCatalogOpenEmbedderResults {
  readonly embedder: null;
}

export const ModelCatalogOpenEmbedderResults: StructLayout<ModelCatalogOpenEmbedderResults> = /* @__PURE__ */ struct({ name: "ModelCatalogOpenEmbedderResults", id: 0xa64065d612b12c1bn, sizes: [0, 1], shape: () => ({
  fields: [
    field("embedder", capability, 0),
  ],
}) });

export interface ModelCatalogOpenLanguageModelParams {
  readonly id: string;
}

export const ModelCatalogOpenLanguageModelParams: StructLayout<ModelCatalogOpenLanguageModelParams> = /* @__PURE__ */ struct({ name: "ModelCatalogOpenLanguageModelParams", id: 0xfd6ba41254f5f80dn, sizes: [0, 1], shape: () => ({
  fields: [
    field("id", text, 0),
  ],
}) });

export interface ModelCatalogOpenLanguageModelResults {
  readonly model: null;
}

export const ModelCatalogOpenLanguageModelResults: StructLayout<ModelCatalogOpenLanguageModelResults> = /* @__PURE__ */ struct({ name: "ModelCatalogOpenLanguageModelResults", id: 0xcc10da42324ed44en, sizes: [0, 1], shape: () => ({
  fields: [
    field("model", capability, 0),
  ],
}) });

export interface ModelInfo {
  /** Content-addressed weight digest and architecture tag. */
  readonly id: string;
  readonly displayName: string;
  readonly arch: string;
  readonly contextTokens: number;
  readonly outputTokens: number;
  /** "stub", "local-cpu", "local-gpu", "remote-openai", … */
  readonly backend: string;
  readonly quantisation: string;
  readonly supportsTools: boolean;
}

export const ModelInfo: StructLayout<ModelInfo> = /* @__PURE__ */ struct({ name: "ModelInfo", id: 0x948f6b6e72455938n, sizes: [2, 5], shape: () => ({
  fields: [
    field("id", text, 0),
    field("displayName", text, 1),
    field("arch", text, 2),
    field("contextTokens", uint32, 0),
    field("outputTokens", uint32, 1),
    field("backend", text, 3),
    field("quantisation", text, 4),
    field("supportsTools", bool, 64),
  ],
}) });

export interface ReadOnlyFileReadParams {
  readonly offset: bigint;
  readonly bytes: number;
}

export const ReadOnlyFileReadParams: StructLayout<ReadOnlyFileReadParams> = /* @__PURE__ */ struct({ name: "ReadOnlyFileReadParams", id: 0xadcf1e123085297fn, sizes: [2, 0], shape: () => ({
  fields: [
    field("offset", uint64, 0),
    field("bytes", uint32, 2),
  ],
}) });

export interface ReadOnlyFileReadResults {
  readonly data: Uint8Array;
}

export const ReadOnlyFileReadResults: StructLayout<ReadOnlyFileReadResults> = /* @__PURE__ */ struct({ name: "ReadOnlyFileReadResults", id: 0x94c7fcf5fdc1355dn, sizes: [0, 1], shape: () => ({
  fields: [
    field("data", bytes, 0),
  ],
}) });

export interface ReadOnlyFileSizeParams {}

export const ReadOnlyFileSizeParams: StructLayout<ReadOnlyFileSizeParams> = /* @__PURE__ */ struct({ name: "ReadOnlyFileSizeParams", id: 0xa5be72f677676707n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ReadOnlyFileSizeResults {
  readonly bytes: bigint;
}

export const ReadOnlyFileSizeResults: StructLayout<ReadOnlyFileSizeResults> = /* @__PURE__ */ struct({ name: "ReadOnlyFileSizeResults", id: 0xa058a86e26a17923n, sizes: [1, 0], shape: () => ({
  fields: [
    field("bytes", uint64, 0),
  ],
}) });

export interface StreamChunk {
  readonly textDelta: string;
  readonly toolCallDelta: ToolCallDelta;
}

export const StreamChunk: StructLayout<StreamChunk> = /* @__PURE__ */ struct({ name: "StreamChunk", id: 0xc10a0ae3c3667cc0n, sizes: [0, 2], shape: () => ({
  fields: [
    field("textDelta", text, 0),
    field("toolCallDelta", of(() => ToolCallDelta), 1),
  ],
}) });

export interface TextEmbedderEmbedParams {
  readonly texts: readonly string[];
}

export const TextEmbedderEmbedParams: StructLayout<TextEmbedderEmbedParams> = /* @__PURE__ */ struct({ name: "TextEmbedderEmbedParams", id: 0xeb9cb43faf09d1a8n, sizes: [0, 1], shape: () => ({
  fields: [
    field("texts", list(text), 0),
  ],
}) });

export interface TextEmbedderEmbedResults {
  readonly vectors: readonly Vector[];
}

export const TextEmbedderEmbedResults: StructLayout<TextEmbedderEmbedResults> = /* @__PURE__ */ struct({ name: "TextEmbedderEmbedResults", id: 0xf9360b20fec3c2fdn, sizes: [0, 1], shape: () => ({
  fields: [
    field("vectors", list(of(() => Vector)), 0),
  ],
}) });

export interface TextEmbedderInfoParams {}

export const TextEmbedderInfoParams: StructLayout<TextEmbedderInfoParams> = /* @__PURE__ */ struct({ name: "TextEmbedderInfoParams", id: 0x9e1dd49b28b119c5n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TextEmbedderInfoResults {
  readonly info: ModelInfo;
}

export const TextEmbedderInfoResults: StructLayout<TextEmbedderInfoResults> = /* @__PURE__ */ struct({ name: "TextEmbedderInfoResults", id: 0xb14b99f0366811c8n, sizes: [0, 1], shape: () => ({
  fields: [
    field("info", of(() => ModelInfo), 0),
  ],
}) });

export interface TokenStreamCancelParams {}

export const TokenStreamCancelParams: StructLayout<TokenStreamCancelParams> = /* @__PURE__ */ struct({ name: "TokenStreamCancelParams", id: 0xce4878bf4a8a355bn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TokenStreamCancelResults {}

export const TokenStreamCancelResults: StructLayout<TokenStreamCancelResults> = /* @__PURE__ */ struct({ name: "TokenStreamCancelResults", id: 0xf8d083cc5316502fn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TokenStreamNextParams {}

export const TokenStreamNextParams: StructLayout<TokenStreamNextParams> = /* @__PURE__ */ struct({ name: "TokenStreamNextParams", id: 0xe04cab154b8a0a52n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TokenStreamNextResults {
  readonly chunk: StreamChunk;
  readonly done: boolean;
}

export const TokenStreamNextResults: StructLayout<TokenStreamNextResults> = /* @__PURE__ */ struct({ name: "TokenStreamNextResults", id: 0x81e428c022337240n, sizes: [1, 1], shape: () => ({
  fields: [
    field("chunk", of(() => StreamChunk), 0),
    field("done", bool, 0),
  ],
}) });

export interface TokenUsage {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

export const TokenUsage: StructLayout<TokenUsage> = /* @__PURE__ */ struct({ name: "TokenUsage", id: 0xa91f5afa968f8b42n, sizes: [1, 0], shape: () => ({
  fields: [
    field("promptTokens", uint32, 0),
    field("outputTokens", uint32, 1),
  ],
}) });

/** A proposal by a model. Naming a tool is not invoking it. */
export interface ToolCall {
  /** Unique within the conversation. */
  readonly id: string;
  readonly name: string;
  /** Arguments as JSON. Empty where a Cap'n Proto message of them goes to the gate beside the call. */
  readonly arguments: string;
}

const quickToolCall: StructCodec = {
  isBlank(given: unknown): boolean {
    const value = given as ToolCall;
    return !(value.id !== "") &&
      !(value.name !== "") &&
      !(value.arguments !== "");
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as ToolCall;
    const v0 = value.id;
    const v1 = value.name;
    const v2 = value.arguments;
    const words = 0;
    const targets = v2 !== "" ? 3 :
      v1 !== "" ? 2 :
      v0 !== "" ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0 !== "") putText(writer, pointers + 0, v0, "ToolCall.id");
    if (v1 !== "") putText(writer, pointers + 8, v1, "ToolCall.name");
    if (v2 !== "") putText(writer, pointers + 16, v2, "ToolCall.arguments");
  },
  get(reader: Reader, at: number, depth: number): ToolCall | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(4)) return undefined;
    const { pointers, pointerCount } = found;
    return {
      id: pointerCount > 0 ? textAt(reader, pointers + 0, depth + 1) : "",
      name: pointerCount > 1 ? textAt(reader, pointers + 8, depth + 1) : "",
      arguments: pointerCount > 2 ? textAt(reader, pointers + 16, depth + 1) : "",
    };
  },
};

export const ToolCall: StructLayout<ToolCall> = /* @__PURE__ */ struct({ name: "ToolCall", id: 0xb13c3b7ca999a62dn, sizes: [0, 3], shape: () => ({
  fields: [
    field("id", text, 0),
    field("name", text, 1),
    field("arguments", text, 2),
  ],
}), quick: quickToolCall });

/** A partial structured tool call. Deltas of one index are concatenated. */
export interface ToolCallDelta {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly argumentsDelta: string;
}

export const ToolCallDelta: StructLayout<ToolCallDelta> = /* @__PURE__ */ struct({ name: "ToolCallDelta", id: 0xbded4b021f7584d5n, sizes: [1, 3], shape: () => ({
  fields: [
    field("index", uint16, 0),
    field("id", text, 0),
    field("name", text, 1),
    field("argumentsDelta", text, 2),
  ],
}) });

/** What a model is told of one tool, as the gate advertised it. */
export interface ToolDescriptor {
  readonly name: string;
  readonly description: string;
  /** Interface of the capability that the gate invokes if this tool fires. */
  readonly interfaceId: bigint;
  readonly methodName: string;
  /** JSON Schema of the argument object. */
  readonly paramSchema: string;
  /** Enforced by the gate; shown to the model so that it can explain itself. */
  readonly permission: PermissionMode;
  readonly category: string;
}

const quickToolDescriptor: StructCodec = {
  isBlank(given: unknown): boolean {
    const value = given as ToolDescriptor;
    return !(value.name !== "") &&
      !(value.description !== "") &&
      !(value.interfaceId !== 0n) &&
      !(value.methodName !== "") &&
      !(value.paramSchema !== "") &&
      !(value.permission !== "auto") &&
      !(value.category !== "");
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as ToolDescriptor;
    const v0 = value.name;
    const v1 = value.description;
    const v2 = value.interfaceId;
    const v3 = value.methodName;
    const v4 = value.paramSchema;
    const v5 = value.permission;
    const v6 = value.category;
    const words = v5 !== "auto" ? 2 :
      v2 !== 0n ? 1 :
      0;
    const targets = v6 !== "" ? 5 :
      v4 !== "" ? 4 :
      v3 !== "" ? 3 :
      v1 !== "" ? 2 :
      v0 !== "" ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0 !== "") putText(writer, pointers + 0, v0, "ToolDescriptor.name");
    if (v1 !== "") putText(writer, pointers + 8, v1, "ToolDescriptor.description");
    if (v2 !== 0n) putUint64(writer, data + 0, v2, "ToolDescriptor.interfaceId");
    if (v3 !== "") putText(writer, pointers + 16, v3, "ToolDescriptor.methodName");
    if (v4 !== "") putText(writer, pointers + 24, v4, "ToolDescriptor.paramSchema");
    if (v5 !== "auto") putMember(writer, data + 8, PermissionMode, v5, "ToolDescriptor.permission");
    if (v6 !== "") putText(writer, pointers + 32, v6, "ToolDescriptor.category");
  },
  get(reader: Reader, at: number, depth: number): ToolDescriptor | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(8)) return undefined;
    const { view } = reader;
    const { data, dataWords, pointers, pointerCount } = found;
    return {
      name: pointerCount > 0 ? textAt(reader, pointers + 0, depth + 1) : "",
      description: pointerCount > 1 ? textAt(reader, pointers + 8, depth + 1) : "",
      interfaceId: dataWords < 1 ? 0n : view.getBigUint64(data + 0, true),
      methodName: pointerCount > 2 ? textAt(reader, pointers + 16, depth + 1) : "",
      paramSchema: pointerCount > 3 ? textAt(reader, pointers + 24, depth + 1) : "",
      permission: dataWords < 2 ? "auto" : memberAt(reader, PermissionMode, data + 8),
      category: pointerCount > 4 ? textAt(reader, pointers + 32, depth + 1) : "",
    };
  },
};

export const ToolDescriptor: StructLayout<ToolDescriptor> = /* @__PURE__ */ struct({ name: "ToolDescriptor", id: 0xb65cf8d05858a29fn, sizes: [2, 5], shape: () => ({
  fields: [
    field("name", text, 0),
    field("description", text, 1),
    field("interfaceId", uint64, 0),
    field("methodName", text, 2),
    field("paramSchema", text, 3),
    field("permission", PermissionMode, 4),
    field("category", text, 4),
  ],
}), quick: quickToolDescriptor });

export interface ToolResult {
  readonly callId: string;
  readonly outcome: Outcome;
  /** Possibly truncated or redacted by the gate. */
  readonly content: string;
  /** Set when outcome is not ok. */
  readonly error: string;
}

const quickToolResult: StructCodec = {
  isBlank(given: unknown): boolean {
    const value = given as ToolResult;
    return !(value.callId !== "") &&
      !(value.outcome !== "ok") &&
      !(value.content !== "") &&
      !(value.error !== "");
  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as ToolResult;
    const v0 = value.callId;
    const v1 = value.outcome;
    const v2 = value.content;
    const v3 = value.error;
    const words = v1 !== "ok" ? 1 :
      0;
    const targets = v3 !== "" ? 3 :
      v2 !== "" ? 2 :
      v0 !== "" ? 1 :
      0;
    if (words + targets === 0) return;
    const data = writer.openStruct(at, words, targets, depth);
    const pointers = data + words * 8;
    if (v0 !== "") putText(writer, pointers + 0, v0, "ToolResult.callId");
    if (v1 !== "ok") putMember(writer, data + 0, Outcome, v1, "ToolResult.outcome");
    if (v2 !== "") putText(writer, pointers + 8, v2, "ToolResult.content");
    if (v3 !== "") putText(writer, pointers + 16, v3, "ToolResult.error");
  },
  get(reader: Reader, at: number, depth: number): ToolResult | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(5)) return undefined;
    const { data, dataWords, pointers, pointerCount } = found;
    return {
      callId: pointerCount > 0 ? textAt(reader, pointers + 0, depth + 1) : "",
      outcome: dataWords < 1 ? "ok" : memberAt(reader, Outcome, data + 0),
      content: pointerCount > 1 ? textAt(reader, pointers + 8, depth + 1) : "",
      error: pointerCount > 2 ? textAt(reader, pointers + 16, depth + 1) : "",
    };
  },
};

export const ToolResult: StructLayout<ToolResult> = /* @__PURE__ */ struct({ name: "ToolResult", id: 0xf411fd6cd42b3d8dn, sizes: [1, 3], shape: () => ({
  fields: [
    field("callId", text, 0),
    field("outcome", Outcome, 0),
    field("content", text, 1),
    field("error", text, 2),
  ],
}), quick: quickToolResult });

export interface Vector {
  readonly values: readonly number[];
}

export const Vector: StructLayout<Vector> = /* @__PURE__ */ struct({ name: "Vector", id: 0xaf0adf6d0e331118n, sizes: [0, 1], shape: () => ({
  fields: [
    field("values", list(float32), 0),
  ],
}) });

export const LanguageModel = /* @__PURE__ */ capabilityOf("LanguageModel", 0xa2abbadd499222cen, {
  info: /* @__PURE__ */ method({ interfaceId: 0xa2abbadd499222cen, ordinal: 0, name: "info", params: LanguageModelInfoParams, results: LanguageModelInfoResults }),
  complete: /* @__PURE__ */ method({ interfaceId: 0xa2abbadd499222cen, ordinal: 1, name: "complete", params: LanguageModelCompleteParams, results: LanguageModelCompleteResults }),
  /** Streaming variant. Cancellation aborts decoding. */
  stream: /* @__PURE__ */ method({ interfaceId: 0xa2abbadd499222cen, ordinal: 2, name: "stream", params: LanguageModelStreamParams, results: LanguageModelStreamResults }),
  /**
   * By the model's own tokenizer, at most 256 texts. Fails where the backend has none at hand: then four characters count as one.
   * What is counted is heard: cancelled, while the gate allows no answer.
   */
  countTokens: /* @__PURE__ */ method({ interfaceId: 0xa2abbadd499222cen, ordinal: 3, name: "countTokens", params: LanguageModelCountTokensParams, results: LanguageModelCountTokensResults }),
});

export const ModelAdmin = /* @__PURE__ */ capabilityOf("ModelAdmin", 0xbf27629e5f3f71f1n, {
  loadWeights: /* @__PURE__ */ method({ interfaceId: 0xbf27629e5f3f71f1n, ordinal: 0, name: "loadWeights", params: ModelAdminLoadWeightsParams, results: ModelAdminLoadWeightsResults }),
  unload: /* @__PURE__ */ method({ interfaceId: 0xbf27629e5f3f71f1n, ordinal: 1, name: "unload", params: ModelAdminUnloadParams, results: ModelAdminUnloadResults }),
  setBackendPolicy: /* @__PURE__ */ method({ interfaceId: 0xbf27629e5f3f71f1n, ordinal: 2, name: "setBackendPolicy", params: ModelAdminSetBackendPolicyParams, results: ModelAdminSetBackendPolicyResults }),
});

export const ModelCatalog = /* @__PURE__ */ capabilityOf("ModelCatalog", 0xc5f0ffa09e9203d4n, {
  list: /* @__PURE__ */ method({ interfaceId: 0xc5f0ffa09e9203d4n, ordinal: 0, name: "list", params: ModelCatalogListParams, results: ModelCatalogListResults }),
  openLanguageModel: /* @__PURE__ */ method({ interfaceId: 0xc5f0ffa09e9203d4n, ordinal: 1, name: "openLanguageModel", params: ModelCatalogOpenLanguageModelParams, results: ModelCatalogOpenLanguageModelResults }),
  openEmbedder: /* @__PURE__ */ method({ interfaceId: 0xc5f0ffa09e9203d4n, ordinal: 2, name: "openEmbedder", params: ModelCatalogOpenEmbedderParams, results: ModelCatalogOpenEmbedderResults }),
});

export const ReadOnlyFile = /* @__PURE__ */ capabilityOf("ReadOnlyFile", 0x85031d27bb8f319fn, {
  size: /* @__PURE__ */ method({ interfaceId: 0x85031d27bb8f319fn, ordinal: 0, name: "size", params: ReadOnlyFileSizeParams, results: ReadOnlyFileSizeResults }),
  read: /* @__PURE__ */ method({ interfaceId: 0x85031d27bb8f319fn, ordinal: 1, name: "read", params: ReadOnlyFileReadParams, results: ReadOnlyFileReadResults }),
});

export const TextEmbedder = /* @__PURE__ */ capabilityOf("TextEmbedder", 0xd58120a9a5cf2340n, {
  info: /* @__PURE__ */ method({ interfaceId: 0xd58120a9a5cf2340n, ordinal: 0, name: "info", params: TextEmbedderInfoParams, results: TextEmbedderInfoResults }),
  embed: /* @__PURE__ */ method({ interfaceId: 0xd58120a9a5cf2340n, ordinal: 1, name: "embed", params: TextEmbedderEmbedParams, results: TextEmbedderEmbedResults }),
});

/** Scoped to the response in progress. Carried on the connection that asked for the stream: at most one is open. */
export const TokenStream = /* @__PURE__ */ capabilityOf("TokenStream", 0xa83069a60b2f6338n, {
  next: /* @__PURE__ */ method({ interfaceId: 0xa83069a60b2f6338n, ordinal: 0, name: "next", params: TokenStreamNextParams, results: TokenStreamNextResults }),
  cancel: /* @__PURE__ */ method({ interfaceId: 0xa83069a60b2f6338n, ordinal: 1, name: "cancel", params: TokenStreamCancelParams, results: TokenStreamCancelResults }),
});
