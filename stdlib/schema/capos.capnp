@0xe6c1f0b6c3a7d201;
# The seeds' contract: conversation data, tool descriptors and the model interfaces. Names and ordinals are
# promises to deployed systems and to upstream capOS: append only, never renumber.

# ---- conversation: plain data, it carries no authority ----

struct ChatMessage {
  # One message of a conversation. Untrusted text is always a message of its own, never part of a system prompt.
  role @0 :Role;
  content @1 :Text;
  toolCallId @2 :Text;
  # For role tool: the id of the ToolCall that this message answers.
  toolCalls @3 :List(ToolCall);
  # For role assistant: the calls that the model proposed.
}

enum Role {
  system @0;
  user @1;
  assistant @2;
  tool @3;
}

struct ToolDescriptor {
  # What a model is told of one tool, as the gate advertised it.
  name @0 :Text;
  description @1 :Text;
  interfaceId @2 :UInt64;
  # Interface of the capability that the gate invokes if this tool fires.
  methodName @3 :Text;
  paramSchema @4 :Text;
  # JSON Schema of the argument object.
  permission @5 :PermissionMode;
  # Enforced by the gate; shown to the model so that it can explain itself.
  category @6 :Text;
}

enum PermissionMode {
  auto @0;
  # Runs without asking.
  consent @1;
  # A person is asked before it runs.
  stepUp @2;
  # A principal proves presence before it runs.
  forbidden @3;
  # Advertised for explanation only; never runs.
}

struct ToolCall {
  # A proposal by a model. Naming a tool is not invoking it.
  id @0 :Text;
  # Unique within the conversation.
  name @1 :Text;
  arguments @2 :Text;
  # Arguments as JSON. Empty where a Cap'n Proto message of them goes to the gate beside the call.
}

struct ToolResult {
  callId @0 :Text;
  outcome @1 :Outcome;
  content @2 :Text;
  # Possibly truncated or redacted by the gate.
  error @3 :Text;
  # Set when outcome is not ok.
}

enum Outcome {
  ok @0;
  refusedByPolicy @1;
  deniedByUser @2;
  stepUpFailed @3;
  executionError @4;
  timedOut @5;
  cancelled @6;
  invalidArguments @7;
  unknownTool @8;
}

# ---- inference ----

struct InferenceRequest {
  messages @0 :List(ChatMessage);
  tools @1 :List(ToolDescriptor);
  maxTokens @2 :UInt32;
  temperature @3 :Float32;
  stopSequences @4 :List(Text);
  responseSchema @5 :Text;
  # Optional JSON Schema for structured output of the final assistant message.
  nonce @6 :Data;
  # Stable correlation id for the audit.
}

struct InferenceResponse {
  message @0 :ChatMessage;
  usage @1 :TokenUsage;
  finishReason @2 :FinishReason;
}

struct TokenUsage {
  promptTokens @0 :UInt32;
  outputTokens @1 :UInt32;
}

enum FinishReason {
  stop @0;
  toolCalls @1;
  length @2;
  cancelled @3;
}

interface LanguageModel {
  info @0 () -> (info :ModelInfo);
  complete @1 (req :InferenceRequest) -> (resp :InferenceResponse);
  stream @2 (req :InferenceRequest) -> (stream :TokenStream);
  # Streaming variant. Cancellation aborts decoding.
  countTokens @3 (texts :List(Text)) -> (counts :List(UInt32));
  # By the model's own tokenizer, at most 256 texts. Fails where the backend has none at hand: then four characters count as one.
  # What is counted is heard: cancelled, while the gate allows no answer.
}

interface TokenStream {
  # Scoped to the response in progress. Carried on the connection that asked for the stream: at most one is open.
  next @0 () -> (chunk :StreamChunk, done :Bool);
  cancel @1 () -> ();
}

struct StreamChunk {
  textDelta @0 :Text;
  toolCallDelta @1 :ToolCallDelta;
}

struct ToolCallDelta {
  # A partial structured tool call. Deltas of one index are concatenated.
  index @0 :UInt16;
  id @1 :Text;
  name @2 :Text;
  argumentsDelta @3 :Text;
}

interface TextEmbedder {
  info @0 () -> (info :ModelInfo);
  embed @1 (texts :List(Text)) -> (vectors :List(Vector));
}

struct Vector {
  values @0 :List(Float32);
}

struct ModelInfo {
  id @0 :Text;
  # Content-addressed weight digest and architecture tag.
  displayName @1 :Text;
  arch @2 :Text;
  contextTokens @3 :UInt32;
  outputTokens @4 :UInt32;
  backend @5 :Text;
  # "stub", "local-cpu", "local-gpu", "remote-openai", …
  quantisation @6 :Text;
  supportsTools @7 :Bool;
}

# ---- administration: never granted to a normal session ----

interface ModelCatalog {
  list @0 () -> (models :List(ModelInfo));
  openLanguageModel @1 (id :Text) -> (model :LanguageModel);
  openEmbedder @2 (id :Text) -> (embedder :TextEmbedder);
}

interface ModelAdmin {
  loadWeights @0 (source :ReadOnlyFile, info :ModelInfo) -> (id :Text);
  unload @1 (id :Text) -> ();
  setBackendPolicy @2 (policy :BackendPolicy) -> ();
}

interface ReadOnlyFile {
  size @0 () -> (bytes :UInt64);
  read @1 (offset :UInt64, bytes :UInt32) -> (data :Data);
}

struct BackendPolicy {
  allowed @0 :List(Text);
  # Backends that may be opened, in order of preference.
}
