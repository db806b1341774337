// Generated from tools.capnp by `npm run generate`. Do not edit.

import { bool, capabilityOf, field, list, method, of, struct, text, type StructLayout, uint16, uint32, uint64 } from "../layout.ts";

export interface ActionPlansSubmitParams {
  readonly plan: string;
}

export const ActionPlansSubmitParams: StructLayout<ActionPlansSubmitParams> = struct("ActionPlansSubmitParams", 0xfc39bdb84ffd5110n, [0, 1], () => ({
  fields: [
    field("plan", text, 0),
  ],
}));

export interface ActionPlansSubmitResults {
  readonly answer: string;
}

export const ActionPlansSubmitResults: StructLayout<ActionPlansSubmitResults> = struct("ActionPlansSubmitResults", 0xb34f69655425ccacn, [0, 1], () => ({
  fields: [
    field("answer", text, 0),
  ],
}));

export interface CalculatorCalcParams {
  readonly expression: string;
}

export const CalculatorCalcParams: StructLayout<CalculatorCalcParams> = struct("CalculatorCalcParams", 0x97b16769f09e018bn, [0, 1], () => ({
  fields: [
    field("expression", text, 0),
  ],
}));

export interface CalculatorCalcResults {
  readonly said: string;
  readonly value: string;
}

export const CalculatorCalcResults: StructLayout<CalculatorCalcResults> = struct("CalculatorCalcResults", 0xfc448438541b4ed2n, [0, 2], () => ({
  fields: [
    field("said", text, 0),
    field("value", text, 1),
  ],
}));

export interface ClockNowParams {}

export const ClockNowParams: StructLayout<ClockNowParams> = struct("ClockNowParams", 0xbe7b1a6b81d4ab03n, [0, 0], () => ({
  fields: [],
}));

export interface ClockNowResults {
  readonly utc: string;
  readonly source: string;
  readonly trusted: boolean;
  readonly said: string;
}

export const ClockNowResults: StructLayout<ClockNowResults> = struct("ClockNowResults", 0x94a5933ea2116afan, [1, 3], () => ({
  fields: [
    field("utc", text, 0),
    field("source", text, 1),
    field("trusted", bool, 0),
    field("said", text, 2),
  ],
}));

export interface EchoEchoParams {
  readonly text: string;
}

export const EchoEchoParams: StructLayout<EchoEchoParams> = struct("EchoEchoParams", 0xd6dc13dcfb7f28fan, [0, 1], () => ({
  fields: [
    field("text", text, 0),
  ],
}));

export interface EchoEchoResults {
  readonly said: string;
}

export const EchoEchoResults: StructLayout<EchoEchoResults> = struct("EchoEchoResults", 0xb4191f7458b97e8en, [0, 1], () => ({
  fields: [
    field("said", text, 0),
  ],
}));

export interface Edit {
  readonly path: string;
  /** What stands there now; it must occur exactly once. Empty: the file does not exist yet. */
  readonly before: string;
  /** What shall stand there instead. */
  readonly after: string;
}

export const Edit: StructLayout<Edit> = struct("Edit", 0xb329bf900be6acb3n, [0, 3], () => ({
  fields: [
    field("path", text, 0),
    field("before", text, 1),
    field("after", text, 2),
  ],
}));

export interface FetchGetParams {
  readonly url: string;
}

export const FetchGetParams: StructLayout<FetchGetParams> = struct("FetchGetParams", 0xd4227fefb2746816n, [0, 1], () => ({
  fields: [
    field("url", text, 0),
  ],
}));

export interface FetchGetResults {
  readonly response: HttpResponse;
}

export const FetchGetResults: StructLayout<FetchGetResults> = struct("FetchGetResults", 0xccbbbcd444d448e7n, [0, 1], () => ({
  fields: [
    field("response", of(() => HttpResponse), 0),
  ],
}));

export interface FetchPostParams {
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
}

export const FetchPostParams: StructLayout<FetchPostParams> = struct("FetchPostParams", 0x8d6bd4c3ad272090n, [0, 3], () => ({
  fields: [
    field("url", text, 0),
    field("contentType", text, 1),
    field("body", text, 2),
  ],
}));

export interface FetchPostResults {
  readonly response: HttpResponse;
}

export const FetchPostResults: StructLayout<FetchPostResults> = struct("FetchPostResults", 0xdff3ad8451604f2fn, [0, 1], () => ({
  fields: [
    field("response", of(() => HttpResponse), 0),
  ],
}));

export interface FilesDeleteParams {
  readonly path: string;
}

export const FilesDeleteParams: StructLayout<FilesDeleteParams> = struct("FilesDeleteParams", 0xa575088d0b937680n, [0, 1], () => ({
  fields: [
    field("path", text, 0),
  ],
}));

export interface FilesDeleteResults {}

export const FilesDeleteResults: StructLayout<FilesDeleteResults> = struct("FilesDeleteResults", 0xe6f3301cc00abc3en, [0, 0], () => ({
  fields: [],
}));

export interface FilesListParams {
  readonly path: string;
}

export const FilesListParams: StructLayout<FilesListParams> = struct("FilesListParams", 0xc1e5510966f089ddn, [0, 1], () => ({
  fields: [
    field("path", text, 0),
  ],
}));

export interface FilesListResults {
  readonly entries: readonly string[];
}

export const FilesListResults: StructLayout<FilesListResults> = struct("FilesListResults", 0xb0d2ef1b8fe3bd3fn, [0, 1], () => ({
  fields: [
    field("entries", list(text), 0),
  ],
}));

export interface FilesReadParams {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export const FilesReadParams: StructLayout<FilesReadParams> = struct("FilesReadParams", 0xcfdc9b6265b6da3en, [1, 1], () => ({
  fields: [
    field("path", text, 0),
    field("from", uint32, 0, 1),
    field("to", uint32, 1, 4294967295),
  ],
}));

export interface FilesReadResults {
  readonly content: string;
}

export const FilesReadResults: StructLayout<FilesReadResults> = struct("FilesReadResults", 0xe693f9ff2ad6f82cn, [0, 1], () => ({
  fields: [
    field("content", text, 0),
  ],
}));

export interface FilesWriteParams {
  readonly path: string;
  readonly content: string;
}

export const FilesWriteParams: StructLayout<FilesWriteParams> = struct("FilesWriteParams", 0x881b43145be27022n, [0, 2], () => ({
  fields: [
    field("path", text, 0),
    field("content", text, 1),
  ],
}));

export interface FilesWriteResults {
  readonly bytes: bigint;
}

export const FilesWriteResults: StructLayout<FilesWriteResults> = struct("FilesWriteResults", 0xdcdb696874f01188n, [1, 0], () => ({
  fields: [
    field("bytes", uint64, 0),
  ],
}));

export interface HttpEndpointGetParams {
  readonly path: string;
}

export const HttpEndpointGetParams: StructLayout<HttpEndpointGetParams> = struct("HttpEndpointGetParams", 0xfde2fda152b4834bn, [0, 1], () => ({
  fields: [
    field("path", text, 0),
  ],
}));

export interface HttpEndpointGetResults {
  readonly response: HttpResponse;
}

export const HttpEndpointGetResults: StructLayout<HttpEndpointGetResults> = struct("HttpEndpointGetResults", 0xca2398b8d8d4ed4an, [0, 1], () => ({
  fields: [
    field("response", of(() => HttpResponse), 0),
  ],
}));

export interface HttpEndpointPostParams {
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

export const HttpEndpointPostParams: StructLayout<HttpEndpointPostParams> = struct("HttpEndpointPostParams", 0xb5b47c885a204812n, [0, 3], () => ({
  fields: [
    field("path", text, 0),
    field("contentType", text, 1),
    field("body", text, 2),
  ],
}));

export interface HttpEndpointPostResults {
  readonly response: HttpResponse;
}

export const HttpEndpointPostResults: StructLayout<HttpEndpointPostResults> = struct("HttpEndpointPostResults", 0xdc590b99ecfc5153n, [0, 1], () => ({
  fields: [
    field("response", of(() => HttpResponse), 0),
  ],
}));

export interface HttpResponse {
  /** The status code, e.g. 200. */
  readonly status: number;
  readonly contentType: string;
  /** Where a redirect points to; empty where there is none. It is not followed. */
  readonly location: string;
  readonly body: string;
}

export const HttpResponse: StructLayout<HttpResponse> = struct("HttpResponse", 0xfdc6d48c6f4c2454n, [1, 3], () => ({
  fields: [
    field("status", uint16, 0),
    field("contentType", text, 0),
    field("location", text, 1),
    field("body", text, 2),
  ],
}));

export interface LogsFollowParams {
  readonly pattern: string;
}

export const LogsFollowParams: StructLayout<LogsFollowParams> = struct("LogsFollowParams", 0xcfd60b333d953f86n, [0, 1], () => ({
  fields: [
    field("pattern", text, 0),
  ],
}));

export interface LogsFollowResults {
  readonly entry: string;
}

export const LogsFollowResults: StructLayout<LogsFollowResults> = struct("LogsFollowResults", 0xf764f1a045713a02n, [0, 1], () => ({
  fields: [
    field("entry", text, 0),
  ],
}));

export interface LogsTailParams {
  readonly lines: number;
}

export const LogsTailParams: StructLayout<LogsTailParams> = struct("LogsTailParams", 0xb154949c4f8c77f7n, [1, 0], () => ({
  fields: [
    field("lines", uint32, 0),
  ],
}));

export interface LogsTailResults {
  readonly entries: readonly string[];
}

export const LogsTailResults: StructLayout<LogsTailResults> = struct("LogsTailResults", 0xd17c3f490776a2bbn, [0, 1], () => ({
  fields: [
    field("entries", list(text), 0),
  ],
}));

export interface MemoryEntry {
  readonly id: string;
  readonly topic: string;
  readonly content: string;
}

export const MemoryEntry: StructLayout<MemoryEntry> = struct("MemoryEntry", 0xd7a5ba64fa7cf6een, [0, 3], () => ({
  fields: [
    field("id", text, 0),
    field("topic", text, 1),
    field("content", text, 2),
  ],
}));

export interface MemoryForgetParams {
  readonly id: string;
}

export const MemoryForgetParams: StructLayout<MemoryForgetParams> = struct("MemoryForgetParams", 0xcbd3f488b778efeen, [0, 1], () => ({
  fields: [
    field("id", text, 0),
  ],
}));

export interface MemoryForgetResults {}

export const MemoryForgetResults: StructLayout<MemoryForgetResults> = struct("MemoryForgetResults", 0x846058ecd3fee9edn, [0, 0], () => ({
  fields: [],
}));

export interface MemoryRecallParams {
  readonly query: string;
  readonly most: number;
}

export const MemoryRecallParams: StructLayout<MemoryRecallParams> = struct("MemoryRecallParams", 0xb28a4e33753311e5n, [1, 1], () => ({
  fields: [
    field("query", text, 0),
    field("most", uint16, 0, 10),
  ],
}));

export interface MemoryRecallResults {
  readonly entries: readonly MemoryEntry[];
  readonly said: string;
}

export const MemoryRecallResults: StructLayout<MemoryRecallResults> = struct("MemoryRecallResults", 0xd6d2eb14f94934f2n, [0, 2], () => ({
  fields: [
    field("entries", list(of(() => MemoryEntry)), 0),
    field("said", text, 1),
  ],
}));

export interface MemoryStoreParams {
  readonly topic: string;
  readonly content: string;
}

export const MemoryStoreParams: StructLayout<MemoryStoreParams> = struct("MemoryStoreParams", 0xc59ff97369e0ebf8n, [0, 2], () => ({
  fields: [
    field("topic", text, 0),
    field("content", text, 1),
  ],
}));

export interface MemoryStoreResults {
  readonly id: string;
  readonly said: string;
}

export const MemoryStoreResults: StructLayout<MemoryStoreResults> = struct("MemoryStoreResults", 0xbd864e0a95c608dfn, [0, 2], () => ({
  fields: [
    field("id", text, 0),
    field("said", text, 1),
  ],
}));

export interface PatchEntry {
  readonly id: string;
  readonly title: string;
}

export const PatchEntry: StructLayout<PatchEntry> = struct("PatchEntry", 0xfa86acf49db24e42n, [0, 2], () => ({
  fields: [
    field("id", text, 0),
    field("title", text, 1),
  ],
}));

export interface PatchSetsApplyParams {
  readonly id: string;
}

export const PatchSetsApplyParams: StructLayout<PatchSetsApplyParams> = struct("PatchSetsApplyParams", 0x8a7d084b6bdac010n, [0, 1], () => ({
  fields: [
    field("id", text, 0),
  ],
}));

export interface PatchSetsApplyResults {}

export const PatchSetsApplyResults: StructLayout<PatchSetsApplyResults> = struct("PatchSetsApplyResults", 0xeae4e42a2b019dedn, [0, 0], () => ({
  fields: [],
}));

export interface PatchSetsDiscardParams {
  readonly id: string;
}

export const PatchSetsDiscardParams: StructLayout<PatchSetsDiscardParams> = struct("PatchSetsDiscardParams", 0xc33de34ca2644071n, [0, 1], () => ({
  fields: [
    field("id", text, 0),
  ],
}));

export interface PatchSetsDiscardResults {}

export const PatchSetsDiscardResults: StructLayout<PatchSetsDiscardResults> = struct("PatchSetsDiscardResults", 0xfbaa029d5073c047n, [0, 0], () => ({
  fields: [],
}));

export interface PatchSetsListParams {}

export const PatchSetsListParams: StructLayout<PatchSetsListParams> = struct("PatchSetsListParams", 0xa3df2e43cbce5df2n, [0, 0], () => ({
  fields: [],
}));

export interface PatchSetsListResults {
  readonly patches: readonly PatchEntry[];
}

export const PatchSetsListResults: StructLayout<PatchSetsListResults> = struct("PatchSetsListResults", 0xd8bb4d3baf729df5n, [0, 1], () => ({
  fields: [
    field("patches", list(of(() => PatchEntry)), 0),
  ],
}));

export interface PatchSetsProposeParams {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export const PatchSetsProposeParams: StructLayout<PatchSetsProposeParams> = struct("PatchSetsProposeParams", 0xed85b89fb9123301n, [0, 2], () => ({
  fields: [
    field("title", text, 0),
    field("edits", list(of(() => Edit)), 1),
  ],
}));

export interface PatchSetsProposeResults {
  readonly id: string;
}

export const PatchSetsProposeResults: StructLayout<PatchSetsProposeResults> = struct("PatchSetsProposeResults", 0xe2cd4174b6c1b64cn, [0, 1], () => ({
  fields: [
    field("id", text, 0),
  ],
}));

export interface PatchSetsShowParams {
  readonly id: string;
}

export const PatchSetsShowParams: StructLayout<PatchSetsShowParams> = struct("PatchSetsShowParams", 0xca62d105b1255ab9n, [0, 1], () => ({
  fields: [
    field("id", text, 0),
  ],
}));

export interface PatchSetsShowResults {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export const PatchSetsShowResults: StructLayout<PatchSetsShowResults> = struct("PatchSetsShowResults", 0xd9640505acb46ea9n, [0, 2], () => ({
  fields: [
    field("title", text, 0),
    field("edits", list(of(() => Edit)), 1),
  ],
}));

export interface ProcessEntry {
  readonly process: number;
  readonly program: string;
}

export const ProcessEntry: StructLayout<ProcessEntry> = struct("ProcessEntry", 0xf5e54fa6522a50een, [1, 1], () => ({
  fields: [
    field("process", uint32, 0),
    field("program", text, 0),
  ],
}));

export interface ProcessesListParams {}

export const ProcessesListParams: StructLayout<ProcessesListParams> = struct("ProcessesListParams", 0xce406e86fd386b69n, [0, 0], () => ({
  fields: [],
}));

export interface ProcessesListResults {
  readonly processes: readonly ProcessEntry[];
}

export const ProcessesListResults: StructLayout<ProcessesListResults> = struct("ProcessesListResults", 0xf528d0dbaae51ec5n, [0, 1], () => ({
  fields: [
    field("processes", list(of(() => ProcessEntry)), 0),
  ],
}));

export interface ProcessesStartParams {
  readonly program: string;
  readonly arguments: readonly string[];
}

export const ProcessesStartParams: StructLayout<ProcessesStartParams> = struct("ProcessesStartParams", 0x9527b225fb817d5an, [0, 2], () => ({
  fields: [
    field("program", text, 0),
    field("arguments", list(text), 1),
  ],
}));

export interface ProcessesStartResults {
  readonly process: number;
}

export const ProcessesStartResults: StructLayout<ProcessesStartResults> = struct("ProcessesStartResults", 0xb233cd5398bce3a1n, [1, 0], () => ({
  fields: [
    field("process", uint32, 0),
  ],
}));

export interface ProcessesStopParams {
  readonly process: number;
}

export const ProcessesStopParams: StructLayout<ProcessesStopParams> = struct("ProcessesStopParams", 0xbf91e8d5df900d14n, [1, 0], () => ({
  fields: [
    field("process", uint32, 0),
  ],
}));

export interface ProcessesStopResults {}

export const ProcessesStopResults: StructLayout<ProcessesStopResults> = struct("ProcessesStopResults", 0xfbc97f66899197b1n, [0, 0], () => ({
  fields: [],
}));

export interface ScratchDeleteParams {
  readonly path: string;
}

export const ScratchDeleteParams: StructLayout<ScratchDeleteParams> = struct("ScratchDeleteParams", 0x80e7d1105a5bf4dbn, [0, 1], () => ({
  fields: [
    field("path", text, 0),
  ],
}));

export interface ScratchDeleteResults {}

export const ScratchDeleteResults: StructLayout<ScratchDeleteResults> = struct("ScratchDeleteResults", 0x92360018d74d0059n, [0, 0], () => ({
  fields: [],
}));

export interface ScratchListParams {
  readonly path: string;
}

export const ScratchListParams: StructLayout<ScratchListParams> = struct("ScratchListParams", 0xd4e568e10ed6da78n, [0, 1], () => ({
  fields: [
    field("path", text, 0),
  ],
}));

export interface ScratchListResults {
  readonly entries: readonly string[];
}

export const ScratchListResults: StructLayout<ScratchListResults> = struct("ScratchListResults", 0xc9f7da0986875783n, [0, 1], () => ({
  fields: [
    field("entries", list(text), 0),
  ],
}));

export interface ScratchReadParams {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export const ScratchReadParams: StructLayout<ScratchReadParams> = struct("ScratchReadParams", 0xa8584816c1fb8c14n, [1, 1], () => ({
  fields: [
    field("path", text, 0),
    field("from", uint32, 0, 1),
    field("to", uint32, 1, 4294967295),
  ],
}));

export interface ScratchReadResults {
  readonly content: string;
}

export const ScratchReadResults: StructLayout<ScratchReadResults> = struct("ScratchReadResults", 0xf5fb7ecdf334b522n, [0, 1], () => ({
  fields: [
    field("content", text, 0),
  ],
}));

export interface ScratchWriteParams {
  readonly path: string;
  readonly content: string;
}

export const ScratchWriteParams: StructLayout<ScratchWriteParams> = struct("ScratchWriteParams", 0x80345ed9e815d600n, [0, 2], () => ({
  fields: [
    field("path", text, 0),
    field("content", text, 1),
  ],
}));

export interface ScratchWriteResults {
  readonly bytes: bigint;
}

export const ScratchWriteResults: StructLayout<ScratchWriteResults> = struct("ScratchWriteResults", 0xe5eaad14ef274325n, [1, 0], () => ({
  fields: [
    field("bytes", uint64, 0),
  ],
}));

export interface ServicesListParams {}

export const ServicesListParams: StructLayout<ServicesListParams> = struct("ServicesListParams", 0xc49e73dc2e95843an, [0, 0], () => ({
  fields: [],
}));

export interface ServicesListResults {
  readonly services: readonly string[];
}

export const ServicesListResults: StructLayout<ServicesListResults> = struct("ServicesListResults", 0xf1ddbbfc951b6784n, [0, 1], () => ({
  fields: [
    field("services", list(text), 0),
  ],
}));

export interface ServicesRestartParams {
  readonly name: string;
}

export const ServicesRestartParams: StructLayout<ServicesRestartParams> = struct("ServicesRestartParams", 0x9c44e5b5a7b1056en, [0, 1], () => ({
  fields: [
    field("name", text, 0),
  ],
}));

export interface ServicesRestartResults {}

export const ServicesRestartResults: StructLayout<ServicesRestartResults> = struct("ServicesRestartResults", 0xfe94d702723c2ea3n, [0, 0], () => ({
  fields: [],
}));

export interface StatusShowParams {}

export const StatusShowParams: StructLayout<StatusShowParams> = struct("StatusShowParams", 0xf6f61f133d6f54bcn, [0, 0], () => ({
  fields: [],
}));

export interface StatusShowResults {
  readonly uptimeSeconds: bigint;
  readonly memoryFreeBytes: bigint;
  readonly processes: number;
}

export const StatusShowResults: StructLayout<StatusShowResults> = struct("StatusShowResults", 0xb3f7219bc7f37327n, [3, 0], () => ({
  fields: [
    field("uptimeSeconds", uint64, 0),
    field("memoryFreeBytes", uint64, 1),
    field("processes", uint32, 4),
  ],
}));

/** Plans of typed actions, in the name of one session. */
export const ActionPlans = capabilityOf("ActionPlans", 0x8635c0e1434f6963n, {
  /** Execute an action plan, a JSON document of llm-osd: its actions in order, each as the session's page decides, until one fails. */
  submit: method(0x8635c0e1434f6963n, 0, "submit", ActionPlansSubmitParams, ActionPlansSubmitResults),
});

/** Sums that come out right. */
export const Calculator = capabilityOf("Calculator", 0xeb1df8895482e9a8n, {
  /**
   * Work out an expression of numbers, + - * / and brackets. Without a decimal point it is one of whole numbers of 64 bits,
   * whose quotients are cut off towards zero; with one it is exact.
   */
  calc: method(0xeb1df8895482e9a8n, 0, "calc", CalculatorCalcParams, CalculatorCalcResults),
});

/** What time the machine takes it to be. */
export const Clock = capabilityOf("Clock", 0x825db6ebe3957e26n, {
  /** Tell date and time, where they come from, and whether anybody vouches for them. */
  now: method(0x825db6ebe3957e26n, 0, "now", ClockNowParams, ClockNowResults),
});

/** What is said to it, it says. */
export const Echo = capabilityOf("Echo", 0x9454ad27d1fa363en, {
  /** Say the same text again. */
  echo: method(0x9454ad27d1fa363en, 0, "echo", EchoEchoParams, EchoEchoResults),
});

/** Anything that can be asked for over HTTP, at any address that the page lets through. Redirects come back as results. */
export const Fetch = capabilityOf("Fetch", 0xf147c38da5ee21f8n, {
  /** Read a web page or another resource. The whole address leaves the machine. */
  get: method(0xf147c38da5ee21f8n, 0, "get", FetchGetParams, FetchGetResults),
  /** Send text to an address. */
  post: method(0xf147c38da5ee21f8n, 1, "post", FetchPostParams, FetchPostResults),
});

/** A directory of files. Paths are relative to the directory that was granted. */
export const Files = capabilityOf("Files", 0x8c2950b4690cf4b0n, {
  /** Read a text file, or some of its lines: from this one to that one, both included. The first line is 1. */
  read: method(0x8c2950b4690cf4b0n, 0, "read", FilesReadParams, FilesReadResults),
  /** List the names in a directory. Directories end with a slash. */
  list: method(0x8c2950b4690cf4b0n, 1, "list", FilesListParams, FilesListResults),
  /** Write a text file, replacing what it held. */
  write: method(0x8c2950b4690cf4b0n, 2, "write", FilesWriteParams, FilesWriteResults),
  /** Delete a file. It cannot be brought back. */
  delete: method(0x8c2950b4690cf4b0n, 3, "delete", FilesDeleteParams, FilesDeleteResults),
});

/** One HTTP server. The page fixes scheme, host, port and credential; nobody who calls can change them. */
export const HttpEndpoint = capabilityOf("HttpEndpoint", 0x8a5b3ca7cd6ec28fn, {
  /** Read a resource of the server. */
  get: method(0x8a5b3ca7cd6ec28fn, 0, "get", HttpEndpointGetParams, HttpEndpointGetResults),
  /** Send text to the server. */
  post: method(0x8a5b3ca7cd6ec28fn, 1, "post", HttpEndpointPostParams, HttpEndpointPostResults),
});

/** The system's own log. */
export const Logs = capabilityOf("Logs", 0xfbdc4ce81e492471n, {
  /** Read the newest lines of the log. */
  tail: method(0xfbdc4ce81e492471n, 0, "tail", LogsTailParams, LogsTailResults),
  /** Wait for the next line of the log that holds the pattern. */
  follow: method(0xfbdc4ce81e492471n, 1, "follow", LogsFollowParams, LogsFollowResults),
});

/** Facts that outlast a conversation. */
export const Memory = capabilityOf("Memory", 0xfc142a14977ca958n, {
  /** Remember a text under a topic. */
  store: method(0xfc142a14977ca958n, 0, "store", MemoryStoreParams, MemoryStoreResults),
  /** Find what was remembered about something, best match first. */
  recall: method(0xfc142a14977ca958n, 1, "recall", MemoryRecallParams, MemoryRecallResults),
  /** Forget one entry. It cannot be brought back. */
  forget: method(0xfc142a14977ca958n, 2, "forget", MemoryForgetParams, MemoryForgetResults),
});

/** Changes that are proposed first, and applied once somebody has looked at them. */
export const PatchSets = capabilityOf("PatchSets", 0xa684ad6bfdcecfacn, {
  /** List the proposed changes. */
  list: method(0xa684ad6bfdcecfacn, 0, "list", PatchSetsListParams, PatchSetsListResults),
  /** Show all edits of a proposed change. */
  show: method(0xa684ad6bfdcecfacn, 1, "show", PatchSetsShowParams, PatchSetsShowResults),
  /** Propose a change. No file is touched. */
  propose: method(0xa684ad6bfdcecfacn, 2, "propose", PatchSetsProposeParams, PatchSetsProposeResults),
  /** Apply a proposed change to the files: all of its edits, or none where one does not fit any more. */
  apply: method(0xa684ad6bfdcecfacn, 3, "apply", PatchSetsApplyParams, PatchSetsApplyResults),
  /** Throw a proposed change away. No file is touched. */
  discard: method(0xa684ad6bfdcecfacn, 4, "discard", PatchSetsDiscardParams, PatchSetsDiscardResults),
});

/** Programs that run on behalf of the session. */
export const Processes = capabilityOf("Processes", 0xba0eff25ecfe4dc5n, {
  /** List the programs that run. */
  list: method(0xba0eff25ecfe4dc5n, 0, "list", ProcessesListParams, ProcessesListResults),
  /** Start a program. It gets the arguments as they are: no shell takes them apart. */
  start: method(0xba0eff25ecfe4dc5n, 1, "start", ProcessesStartParams, ProcessesStartResults),
  /** End a program at once. */
  stop: method(0xba0eff25ecfe4dc5n, 2, "stop", ProcessesStopParams, ProcessesStopResults),
});

/** Files for work in between. They may be gone at any time, and nobody else sees them. */
export const Scratch = capabilityOf("Scratch", 0xf60d3b417580b499n, {
  /** Read a scratch file, or some of its lines: from this one to that one, both included. The first line is 1. */
  read: method(0xf60d3b417580b499n, 0, "read", ScratchReadParams, ScratchReadResults),
  /** List the names in a scratch directory. Directories end with a slash. */
  list: method(0xf60d3b417580b499n, 1, "list", ScratchListParams, ScratchListResults),
  /** Write a scratch file, replacing what it held. */
  write: method(0xf60d3b417580b499n, 2, "write", ScratchWriteParams, ScratchWriteResults),
  /** Delete a scratch file. */
  delete: method(0xf60d3b417580b499n, 3, "delete", ScratchDeleteParams, ScratchDeleteResults),
});

/** The services of the running system. */
export const Services = capabilityOf("Services", 0xc9f9f3755cb23ef7n, {
  /** List the names of the running services. */
  list: method(0xc9f9f3755cb23ef7n, 0, "list", ServicesListParams, ServicesListResults),
  /** Stop a service and start it again. Whatever it was doing is lost. */
  restart: method(0xc9f9f3755cb23ef7n, 1, "restart", ServicesRestartParams, ServicesRestartResults),
});

/** Facts about the running system. */
export const Status = capabilityOf("Status", 0xf6d6a8f4188a7919n, {
  /** Show uptime, free memory and the number of processes. */
  show: method(0xf6d6a8f4188a7919n, 0, "show", StatusShowParams, StatusShowResults),
});
