// Generated from tools.capnp by `npm run generate`. Do not edit.

import { bool, capabilityOf, field, list, method, of, struct, text, type StructLayout, uint16, uint32, uint64 } from "../layout.ts";

export interface ActionPlansSubmitParams {
  readonly plan: string;
}

export const ActionPlansSubmitParams: StructLayout<ActionPlansSubmitParams> = /* @__PURE__ */ struct({ name: "ActionPlansSubmitParams", id: 0xfc39bdb84ffd5110n, sizes: [0, 1], shape: () => ({
  fields: [
    field("plan", text, 0),
  ],
}) });

export interface ActionPlansSubmitResults {
  readonly answer: string;
}

export const ActionPlansSubmitResults: StructLayout<ActionPlansSubmitResults> = /* @__PURE__ */ struct({ name: "ActionPlansSubmitResults", id: 0xb34f69655425ccacn, sizes: [0, 1], shape: () => ({
  fields: [
    field("answer", text, 0),
  ],
}) });

export interface CalculatorCalcParams {
  readonly expression: string;
}

export const CalculatorCalcParams: StructLayout<CalculatorCalcParams> = /* @__PURE__ */ struct({ name: "CalculatorCalcParams", id: 0x97b16769f09e018bn, sizes: [0, 1], shape: () => ({
  fields: [
    field("expression", text, 0),
  ],
}) });

export interface CalculatorCalcResults {
  readonly said: string;
  readonly value: string;
}

export const CalculatorCalcResults: StructLayout<CalculatorCalcResults> = /* @__PURE__ */ struct({ name: "CalculatorCalcResults", id: 0xfc448438541b4ed2n, sizes: [0, 2], shape: () => ({
  fields: [
    field("said", text, 0),
    field("value", text, 1),
  ],
}) });

export interface ClockNowParams {}

export const ClockNowParams: StructLayout<ClockNowParams> = /* @__PURE__ */ struct({ name: "ClockNowParams", id: 0xbe7b1a6b81d4ab03n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ClockNowResults {
  readonly utc: string;
  readonly source: string;
  readonly trusted: boolean;
  readonly said: string;
}

export const ClockNowResults: StructLayout<ClockNowResults> = /* @__PURE__ */ struct({ name: "ClockNowResults", id: 0x94a5933ea2116afan, sizes: [1, 3], shape: () => ({
  fields: [
    field("utc", text, 0),
    field("source", text, 1),
    field("trusted", bool, 0),
    field("said", text, 2),
  ],
}) });

export interface EchoEchoParams {
  readonly text: string;
}

export const EchoEchoParams: StructLayout<EchoEchoParams> = /* @__PURE__ */ struct({ name: "EchoEchoParams", id: 0xd6dc13dcfb7f28fan, sizes: [0, 1], shape: () => ({
  fields: [
    field("text", text, 0),
  ],
}) });

export interface EchoEchoResults {
  readonly said: string;
}

export const EchoEchoResults: StructLayout<EchoEchoResults> = /* @__PURE__ */ struct({ name: "EchoEchoResults", id: 0xb4191f7458b97e8en, sizes: [0, 1], shape: () => ({
  fields: [
    field("said", text, 0),
  ],
}) });

export interface Edit {
  readonly path: string;
  /** What stands there now; it must occur exactly once. Empty: the file does not exist yet. */
  readonly before: string;
  /** What shall stand there instead. */
  readonly after: string;
}

export const Edit: StructLayout<Edit> = /* @__PURE__ */ struct({ name: "Edit", id: 0xb329bf900be6acb3n, sizes: [0, 3], shape: () => ({
  fields: [
    field("path", text, 0),
    field("before", text, 1),
    field("after", text, 2),
  ],
}) });

export interface FetchGetParams {
  readonly url: string;
}

export const FetchGetParams: StructLayout<FetchGetParams> = /* @__PURE__ */ struct({ name: "FetchGetParams", id: 0xd4227fefb2746816n, sizes: [0, 1], shape: () => ({
  fields: [
    field("url", text, 0),
  ],
}) });

export interface FetchGetResults {
  readonly response: HttpResponse;
}

export const FetchGetResults: StructLayout<FetchGetResults> = /* @__PURE__ */ struct({ name: "FetchGetResults", id: 0xccbbbcd444d448e7n, sizes: [0, 1], shape: () => ({
  fields: [
    field("response", of(() => HttpResponse), 0),
  ],
}) });

export interface FetchPostParams {
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
}

export const FetchPostParams: StructLayout<FetchPostParams> = /* @__PURE__ */ struct({ name: "FetchPostParams", id: 0x8d6bd4c3ad272090n, sizes: [0, 3], shape: () => ({
  fields: [
    field("url", text, 0),
    field("contentType", text, 1),
    field("body", text, 2),
  ],
}) });

export interface FetchPostResults {
  readonly response: HttpResponse;
}

export const FetchPostResults: StructLayout<FetchPostResults> = /* @__PURE__ */ struct({ name: "FetchPostResults", id: 0xdff3ad8451604f2fn, sizes: [0, 1], shape: () => ({
  fields: [
    field("response", of(() => HttpResponse), 0),
  ],
}) });

export interface FilesDeleteParams {
  readonly path: string;
}

export const FilesDeleteParams: StructLayout<FilesDeleteParams> = /* @__PURE__ */ struct({ name: "FilesDeleteParams", id: 0xa575088d0b937680n, sizes: [0, 1], shape: () => ({
  fields: [
    field("path", text, 0),
  ],
}) });

export interface FilesDeleteResults {}

export const FilesDeleteResults: StructLayout<FilesDeleteResults> = /* @__PURE__ */ struct({ name: "FilesDeleteResults", id: 0xe6f3301cc00abc3en, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface FilesListParams {
  readonly path: string;
}

export const FilesListParams: StructLayout<FilesListParams> = /* @__PURE__ */ struct({ name: "FilesListParams", id: 0xc1e5510966f089ddn, sizes: [0, 1], shape: () => ({
  fields: [
    field("path", text, 0),
  ],
}) });

export interface FilesListResults {
  readonly entries: readonly string[];
}

export const FilesListResults: StructLayout<FilesListResults> = /* @__PURE__ */ struct({ name: "FilesListResults", id: 0xb0d2ef1b8fe3bd3fn, sizes: [0, 1], shape: () => ({
  fields: [
    field("entries", list(text), 0),
  ],
}) });

export interface FilesReadParams {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export const FilesReadParams: StructLayout<FilesReadParams> = /* @__PURE__ */ struct({ name: "FilesReadParams", id: 0xcfdc9b6265b6da3en, sizes: [1, 1], shape: () => ({
  fields: [
    field("path", text, 0),
    field("from", uint32, 0, 1),
    field("to", uint32, 1, 4294967295),
  ],
}) });

export interface FilesReadResults {
  readonly content: string;
}

export const FilesReadResults: StructLayout<FilesReadResults> = /* @__PURE__ */ struct({ name: "FilesReadResults", id: 0xe693f9ff2ad6f82cn, sizes: [0, 1], shape: () => ({
  fields: [
    field("content", text, 0),
  ],
}) });

export interface FilesWriteParams {
  readonly path: string;
  readonly content: string;
}

export const FilesWriteParams: StructLayout<FilesWriteParams> = /* @__PURE__ */ struct({ name: "FilesWriteParams", id: 0x881b43145be27022n, sizes: [0, 2], shape: () => ({
  fields: [
    field("path", text, 0),
    field("content", text, 1),
  ],
}) });

export interface FilesWriteResults {
  readonly bytes: bigint;
}

export const FilesWriteResults: StructLayout<FilesWriteResults> = /* @__PURE__ */ struct({ name: "FilesWriteResults", id: 0xdcdb696874f01188n, sizes: [1, 0], shape: () => ({
  fields: [
    field("bytes", uint64, 0),
  ],
}) });

export interface HttpEndpointGetParams {
  readonly path: string;
}

export const HttpEndpointGetParams: StructLayout<HttpEndpointGetParams> = /* @__PURE__ */ struct({ name: "HttpEndpointGetParams", id: 0xfde2fda152b4834bn, sizes: [0, 1], shape: () => ({
  fields: [
    field("path", text, 0),
  ],
}) });

export interface HttpEndpointGetResults {
  readonly response: HttpResponse;
}

export const HttpEndpointGetResults: StructLayout<HttpEndpointGetResults> = /* @__PURE__ */ struct({ name: "HttpEndpointGetResults", id: 0xca2398b8d8d4ed4an, sizes: [0, 1], shape: () => ({
  fields: [
    field("response", of(() => HttpResponse), 0),
  ],
}) });

export interface HttpEndpointPostParams {
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

export const HttpEndpointPostParams: StructLayout<HttpEndpointPostParams> = /* @__PURE__ */ struct({ name: "HttpEndpointPostParams", id: 0xb5b47c885a204812n, sizes: [0, 3], shape: () => ({
  fields: [
    field("path", text, 0),
    field("contentType", text, 1),
    field("body", text, 2),
  ],
}) });

export interface HttpEndpointPostResults {
  readonly response: HttpResponse;
}

export const HttpEndpointPostResults: StructLayout<HttpEndpointPostResults> = /* @__PURE__ */ struct({ name: "HttpEndpointPostResults", id: 0xdc590b99ecfc5153n, sizes: [0, 1], shape: () => ({
  fields: [
    field("response", of(() => HttpResponse), 0),
  ],
}) });

export interface HttpResponse {
  /** The status code, e.g. 200. */
  readonly status: number;
  readonly contentType: string;
  /** Where a redirect points to; empty where there is none. It is not followed. */
  readonly location: string;
  readonly body: string;
}

export const HttpResponse: StructLayout<HttpResponse> = /* @__PURE__ */ struct({ name: "HttpResponse", id: 0xfdc6d48c6f4c2454n, sizes: [1, 3], shape: () => ({
  fields: [
    field("status", uint16, 0),
    field("contentType", text, 0),
    field("location", text, 1),
    field("body", text, 2),
  ],
}) });

export interface LogsFollowParams {
  readonly pattern: string;
}

export const LogsFollowParams: StructLayout<LogsFollowParams> = /* @__PURE__ */ struct({ name: "LogsFollowParams", id: 0xcfd60b333d953f86n, sizes: [0, 1], shape: () => ({
  fields: [
    field("pattern", text, 0),
  ],
}) });

export interface LogsFollowResults {
  readonly entry: string;
}

export const LogsFollowResults: StructLayout<LogsFollowResults> = /* @__PURE__ */ struct({ name: "LogsFollowResults", id: 0xf764f1a045713a02n, sizes: [0, 1], shape: () => ({
  fields: [
    field("entry", text, 0),
  ],
}) });

export interface LogsTailParams {
  readonly lines: number;
}

export const LogsTailParams: StructLayout<LogsTailParams> = /* @__PURE__ */ struct({ name: "LogsTailParams", id: 0xb154949c4f8c77f7n, sizes: [1, 0], shape: () => ({
  fields: [
    field("lines", uint32, 0),
  ],
}) });

export interface LogsTailResults {
  readonly entries: readonly string[];
}

export const LogsTailResults: StructLayout<LogsTailResults> = /* @__PURE__ */ struct({ name: "LogsTailResults", id: 0xd17c3f490776a2bbn, sizes: [0, 1], shape: () => ({
  fields: [
    field("entries", list(text), 0),
  ],
}) });

export interface MemoryEntry {
  readonly id: string;
  readonly topic: string;
  readonly content: string;
}

export const MemoryEntry: StructLayout<MemoryEntry> = /* @__PURE__ */ struct({ name: "MemoryEntry", id: 0xd7a5ba64fa7cf6een, sizes: [0, 3], shape: () => ({
  fields: [
    field("id", text, 0),
    field("topic", text, 1),
    field("content", text, 2),
  ],
}) });

export interface MemoryForgetParams {
  readonly id: string;
}

export const MemoryForgetParams: StructLayout<MemoryForgetParams> = /* @__PURE__ */ struct({ name: "MemoryForgetParams", id: 0xcbd3f488b778efeen, sizes: [0, 1], shape: () => ({
  fields: [
    field("id", text, 0),
  ],
}) });

export interface MemoryForgetResults {}

export const MemoryForgetResults: StructLayout<MemoryForgetResults> = /* @__PURE__ */ struct({ name: "MemoryForgetResults", id: 0x846058ecd3fee9edn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface MemoryRecallParams {
  readonly query: string;
  readonly most: number;
}

export const MemoryRecallParams: StructLayout<MemoryRecallParams> = /* @__PURE__ */ struct({ name: "MemoryRecallParams", id: 0xb28a4e33753311e5n, sizes: [1, 1], shape: () => ({
  fields: [
    field("query", text, 0),
    field("most", uint16, 0, 10),
  ],
}) });

export interface MemoryRecallResults {
  readonly entries: readonly MemoryEntry[];
  readonly said: string;
}

export const MemoryRecallResults: StructLayout<MemoryRecallResults> = /* @__PURE__ */ struct({ name: "MemoryRecallResults", id: 0xd6d2eb14f94934f2n, sizes: [0, 2], shape: () => ({
  fields: [
    field("entries", list(of(() => MemoryEntry)), 0),
    field("said", text, 1),
  ],
}) });

export interface MemoryStoreParams {
  readonly topic: string;
  readonly content: string;
}

export const MemoryStoreParams: StructLayout<MemoryStoreParams> = /* @__PURE__ */ struct({ name: "MemoryStoreParams", id: 0xc59ff97369e0ebf8n, sizes: [0, 2], shape: () => ({
  fields: [
    field("topic", text, 0),
    field("content", text, 1),
  ],
}) });

export interface MemoryStoreResults {
  readonly id: string;
  readonly said: string;
}

export const MemoryStoreResults: StructLayout<MemoryStoreResults> = /* @__PURE__ */ struct({ name: "MemoryStoreResults", id: 0xbd864e0a95c608dfn, sizes: [0, 2], shape: () => ({
  fields: [
    field("id", text, 0),
    field("said", text, 1),
  ],
}) });

export interface PatchEntry {
  readonly id: string;
  readonly title: string;
}

export const PatchEntry: StructLayout<PatchEntry> = /* @__PURE__ */ struct({ name: "PatchEntry", id: 0xfa86acf49db24e42n, sizes: [0, 2], shape: () => ({
  fields: [
    field("id", text, 0),
    field("title", text, 1),
  ],
}) });

export interface PatchSetsApplyParams {
  readonly id: string;
}

export const PatchSetsApplyParams: StructLayout<PatchSetsApplyParams> = /* @__PURE__ */ struct({ name: "PatchSetsApplyParams", id: 0x8a7d084b6bdac010n, sizes: [0, 1], shape: () => ({
  fields: [
    field("id", text, 0),
  ],
}) });

export interface PatchSetsApplyResults {}

export const PatchSetsApplyResults: StructLayout<PatchSetsApplyResults> = /* @__PURE__ */ struct({ name: "PatchSetsApplyResults", id: 0xeae4e42a2b019dedn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface PatchSetsDiscardParams {
  readonly id: string;
}

export const PatchSetsDiscardParams: StructLayout<PatchSetsDiscardParams> = /* @__PURE__ */ struct({ name: "PatchSetsDiscardParams", id: 0xc33de34ca2644071n, sizes: [0, 1], shape: () => ({
  fields: [
    field("id", text, 0),
  ],
}) });

export interface PatchSetsDiscardResults {}

export const PatchSetsDiscardResults: StructLayout<PatchSetsDiscardResults> = /* @__PURE__ */ struct({ name: "PatchSetsDiscardResults", id: 0xfbaa029d5073c047n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface PatchSetsListParams {}

export const PatchSetsListParams: StructLayout<PatchSetsListParams> = /* @__PURE__ */ struct({ name: "PatchSetsListParams", id: 0xa3df2e43cbce5df2n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface PatchSetsListResults {
  readonly patches: readonly PatchEntry[];
}

export const PatchSetsListResults: StructLayout<PatchSetsListResults> = /* @__PURE__ */ struct({ name: "PatchSetsListResults", id: 0xd8bb4d3baf729df5n, sizes: [0, 1], shape: () => ({
  fields: [
    field("patches", list(of(() => PatchEntry)), 0),
  ],
}) });

export interface PatchSetsProposeParams {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export const PatchSetsProposeParams: StructLayout<PatchSetsProposeParams> = /* @__PURE__ */ struct({ name: "PatchSetsProposeParams", id: 0xed85b89fb9123301n, sizes: [0, 2], shape: () => ({
  fields: [
    field("title", text, 0),
    field("edits", list(of(() => Edit)), 1),
  ],
}) });

export interface PatchSetsProposeResults {
  readonly id: string;
}

export const PatchSetsProposeResults: StructLayout<PatchSetsProposeResults> = /* @__PURE__ */ struct({ name: "PatchSetsProposeResults", id: 0xe2cd4174b6c1b64cn, sizes: [0, 1], shape: () => ({
  fields: [
    field("id", text, 0),
  ],
}) });

export interface PatchSetsShowParams {
  readonly id: string;
}

export const PatchSetsShowParams: StructLayout<PatchSetsShowParams> = /* @__PURE__ */ struct({ name: "PatchSetsShowParams", id: 0xca62d105b1255ab9n, sizes: [0, 1], shape: () => ({
  fields: [
    field("id", text, 0),
  ],
}) });

export interface PatchSetsShowResults {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export const PatchSetsShowResults: StructLayout<PatchSetsShowResults> = /* @__PURE__ */ struct({ name: "PatchSetsShowResults", id: 0xd9640505acb46ea9n, sizes: [0, 2], shape: () => ({
  fields: [
    field("title", text, 0),
    field("edits", list(of(() => Edit)), 1),
  ],
}) });

export interface ProcessEntry {
  readonly process: number;
  readonly program: string;
}

export const ProcessEntry: StructLayout<ProcessEntry> = /* @__PURE__ */ struct({ name: "ProcessEntry", id: 0xf5e54fa6522a50een, sizes: [1, 1], shape: () => ({
  fields: [
    field("process", uint32, 0),
    field("program", text, 0),
  ],
}) });

export interface ProcessesListParams {}

export const ProcessesListParams: StructLayout<ProcessesListParams> = /* @__PURE__ */ struct({ name: "ProcessesListParams", id: 0xce406e86fd386b69n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ProcessesListResults {
  readonly processes: readonly ProcessEntry[];
}

export const ProcessesListResults: StructLayout<ProcessesListResults> = /* @__PURE__ */ struct({ name: "ProcessesListResults", id: 0xf528d0dbaae51ec5n, sizes: [0, 1], shape: () => ({
  fields: [
    field("processes", list(of(() => ProcessEntry)), 0),
  ],
}) });

export interface ProcessesStartParams {
  readonly program: string;
  readonly arguments: readonly string[];
}

export const ProcessesStartParams: StructLayout<ProcessesStartParams> = /* @__PURE__ */ struct({ name: "ProcessesStartParams", id: 0x9527b225fb817d5an, sizes: [0, 2], shape: () => ({
  fields: [
    field("program", text, 0),
    field("arguments", list(text), 1),
  ],
}) });

export interface ProcessesStartResults {
  readonly process: number;
}

export const ProcessesStartResults: StructLayout<ProcessesStartResults> = /* @__PURE__ */ struct({ name: "ProcessesStartResults", id: 0xb233cd5398bce3a1n, sizes: [1, 0], shape: () => ({
  fields: [
    field("process", uint32, 0),
  ],
}) });

export interface ProcessesStopParams {
  readonly process: number;
}

export const ProcessesStopParams: StructLayout<ProcessesStopParams> = /* @__PURE__ */ struct({ name: "ProcessesStopParams", id: 0xbf91e8d5df900d14n, sizes: [1, 0], shape: () => ({
  fields: [
    field("process", uint32, 0),
  ],
}) });

export interface ProcessesStopResults {}

export const ProcessesStopResults: StructLayout<ProcessesStopResults> = /* @__PURE__ */ struct({ name: "ProcessesStopResults", id: 0xfbc97f66899197b1n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ScratchDeleteParams {
  readonly path: string;
}

export const ScratchDeleteParams: StructLayout<ScratchDeleteParams> = /* @__PURE__ */ struct({ name: "ScratchDeleteParams", id: 0x80e7d1105a5bf4dbn, sizes: [0, 1], shape: () => ({
  fields: [
    field("path", text, 0),
  ],
}) });

export interface ScratchDeleteResults {}

export const ScratchDeleteResults: StructLayout<ScratchDeleteResults> = /* @__PURE__ */ struct({ name: "ScratchDeleteResults", id: 0x92360018d74d0059n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ScratchListParams {
  readonly path: string;
}

export const ScratchListParams: StructLayout<ScratchListParams> = /* @__PURE__ */ struct({ name: "ScratchListParams", id: 0xd4e568e10ed6da78n, sizes: [0, 1], shape: () => ({
  fields: [
    field("path", text, 0),
  ],
}) });

export interface ScratchListResults {
  readonly entries: readonly string[];
}

export const ScratchListResults: StructLayout<ScratchListResults> = /* @__PURE__ */ struct({ name: "ScratchListResults", id: 0xc9f7da0986875783n, sizes: [0, 1], shape: () => ({
  fields: [
    field("entries", list(text), 0),
  ],
}) });

export interface ScratchReadParams {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export const ScratchReadParams: StructLayout<ScratchReadParams> = /* @__PURE__ */ struct({ name: "ScratchReadParams", id: 0xa8584816c1fb8c14n, sizes: [1, 1], shape: () => ({
  fields: [
    field("path", text, 0),
    field("from", uint32, 0, 1),
    field("to", uint32, 1, 4294967295),
  ],
}) });

export interface ScratchReadResults {
  readonly content: string;
}

export const ScratchReadResults: StructLayout<ScratchReadResults> = /* @__PURE__ */ struct({ name: "ScratchReadResults", id: 0xf5fb7ecdf334b522n, sizes: [0, 1], shape: () => ({
  fields: [
    field("content", text, 0),
  ],
}) });

export interface ScratchWriteParams {
  readonly path: string;
  readonly content: string;
}

export const ScratchWriteParams: StructLayout<ScratchWriteParams> = /* @__PURE__ */ struct({ name: "ScratchWriteParams", id: 0x80345ed9e815d600n, sizes: [0, 2], shape: () => ({
  fields: [
    field("path", text, 0),
    field("content", text, 1),
  ],
}) });

export interface ScratchWriteResults {
  readonly bytes: bigint;
}

export const ScratchWriteResults: StructLayout<ScratchWriteResults> = /* @__PURE__ */ struct({ name: "ScratchWriteResults", id: 0xe5eaad14ef274325n, sizes: [1, 0], shape: () => ({
  fields: [
    field("bytes", uint64, 0),
  ],
}) });

export interface ServicesListParams {}

export const ServicesListParams: StructLayout<ServicesListParams> = /* @__PURE__ */ struct({ name: "ServicesListParams", id: 0xc49e73dc2e95843an, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ServicesListResults {
  readonly services: readonly string[];
}

export const ServicesListResults: StructLayout<ServicesListResults> = /* @__PURE__ */ struct({ name: "ServicesListResults", id: 0xf1ddbbfc951b6784n, sizes: [0, 1], shape: () => ({
  fields: [
    field("services", list(text), 0),
  ],
}) });

export interface ServicesRestartParams {
  readonly name: string;
}

export const ServicesRestartParams: StructLayout<ServicesRestartParams> = /* @__PURE__ */ struct({ name: "ServicesRestartParams", id: 0x9c44e5b5a7b1056en, sizes: [0, 1], shape: () => ({
  fields: [
    field("name", text, 0),
  ],
}) });

export interface ServicesRestartResults {}

export const ServicesRestartResults: StructLayout<ServicesRestartResults> = /* @__PURE__ */ struct({ name: "ServicesRestartResults", id: 0xfe94d702723c2ea3n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface StatusShowParams {}

export const StatusShowParams: StructLayout<StatusShowParams> = /* @__PURE__ */ struct({ name: "StatusShowParams", id: 0xf6f61f133d6f54bcn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface StatusShowResults {
  readonly uptimeSeconds: bigint;
  readonly memoryFreeBytes: bigint;
  readonly processes: number;
}

export const StatusShowResults: StructLayout<StatusShowResults> = /* @__PURE__ */ struct({ name: "StatusShowResults", id: 0xb3f7219bc7f37327n, sizes: [3, 0], shape: () => ({
  fields: [
    field("uptimeSeconds", uint64, 0),
    field("memoryFreeBytes", uint64, 1),
    field("processes", uint32, 4),
  ],
}) });

/** Plans of typed actions, in the name of one session. */
export const ActionPlans = /* @__PURE__ */ capabilityOf("ActionPlans", 0x8635c0e1434f6963n, {
  /** Execute an action plan, a JSON document of llm-osd: its actions in order, each as the session's page decides, until one fails. */
  submit: /* @__PURE__ */ method({ interfaceId: 0x8635c0e1434f6963n, ordinal: 0, name: "submit", params: ActionPlansSubmitParams, results: ActionPlansSubmitResults }),
});

/** Sums that come out right. */
export const Calculator = /* @__PURE__ */ capabilityOf("Calculator", 0xeb1df8895482e9a8n, {
  /**
   * Work out an expression of numbers, + - * / and brackets. Without a decimal point it is one of whole numbers of 64 bits,
   * whose quotients are cut off towards zero; with one it is exact.
   */
  calc: /* @__PURE__ */ method({ interfaceId: 0xeb1df8895482e9a8n, ordinal: 0, name: "calc", params: CalculatorCalcParams, results: CalculatorCalcResults }),
});

/** What time the machine takes it to be. */
export const Clock = /* @__PURE__ */ capabilityOf("Clock", 0x825db6ebe3957e26n, {
  /** Tell date and time, where they come from, and whether anybody vouches for them. */
  now: /* @__PURE__ */ method({ interfaceId: 0x825db6ebe3957e26n, ordinal: 0, name: "now", params: ClockNowParams, results: ClockNowResults }),
});

/** What is said to it, it says. */
export const Echo = /* @__PURE__ */ capabilityOf("Echo", 0x9454ad27d1fa363en, {
  /** Say the same text again. */
  echo: /* @__PURE__ */ method({ interfaceId: 0x9454ad27d1fa363en, ordinal: 0, name: "echo", params: EchoEchoParams, results: EchoEchoResults }),
});

/** Anything that can be asked for over HTTP, at any address that the page lets through. Redirects come back as results. */
export const Fetch = /* @__PURE__ */ capabilityOf("Fetch", 0xf147c38da5ee21f8n, {
  /** Read a web page or another resource. The whole address leaves the machine. */
  get: /* @__PURE__ */ method({ interfaceId: 0xf147c38da5ee21f8n, ordinal: 0, name: "get", params: FetchGetParams, results: FetchGetResults }),
  /** Send text to an address. */
  post: /* @__PURE__ */ method({ interfaceId: 0xf147c38da5ee21f8n, ordinal: 1, name: "post", params: FetchPostParams, results: FetchPostResults }),
});

/** A directory of files. Paths are relative to the directory that was granted. */
export const Files = /* @__PURE__ */ capabilityOf("Files", 0x8c2950b4690cf4b0n, {
  /** Read a text file, or some of its lines: from this one to that one, both included. The first line is 1. */
  read: /* @__PURE__ */ method({ interfaceId: 0x8c2950b4690cf4b0n, ordinal: 0, name: "read", params: FilesReadParams, results: FilesReadResults }),
  /** List the names in a directory. Directories end with a slash. */
  list: /* @__PURE__ */ method({ interfaceId: 0x8c2950b4690cf4b0n, ordinal: 1, name: "list", params: FilesListParams, results: FilesListResults }),
  /** Write a text file, replacing what it held. Folders that are missing are made. */
  write: /* @__PURE__ */ method({ interfaceId: 0x8c2950b4690cf4b0n, ordinal: 2, name: "write", params: FilesWriteParams, results: FilesWriteResults }),
  /** Delete a file. It cannot be brought back. */
  delete: /* @__PURE__ */ method({ interfaceId: 0x8c2950b4690cf4b0n, ordinal: 3, name: "delete", params: FilesDeleteParams, results: FilesDeleteResults }),
});

/** One HTTP server. The page fixes scheme, host, port and credential; nobody who calls can change them. */
export const HttpEndpoint = /* @__PURE__ */ capabilityOf("HttpEndpoint", 0x8a5b3ca7cd6ec28fn, {
  /** Read a resource of the server. */
  get: /* @__PURE__ */ method({ interfaceId: 0x8a5b3ca7cd6ec28fn, ordinal: 0, name: "get", params: HttpEndpointGetParams, results: HttpEndpointGetResults }),
  /** Send text to the server. */
  post: /* @__PURE__ */ method({ interfaceId: 0x8a5b3ca7cd6ec28fn, ordinal: 1, name: "post", params: HttpEndpointPostParams, results: HttpEndpointPostResults }),
});

/** The system's own log. */
export const Logs = /* @__PURE__ */ capabilityOf("Logs", 0xfbdc4ce81e492471n, {
  /** Read the newest lines of the log. */
  tail: /* @__PURE__ */ method({ interfaceId: 0xfbdc4ce81e492471n, ordinal: 0, name: "tail", params: LogsTailParams, results: LogsTailResults }),
  /** Wait for the next line of the log that holds the pattern. */
  follow: /* @__PURE__ */ method({ interfaceId: 0xfbdc4ce81e492471n, ordinal: 1, name: "follow", params: LogsFollowParams, results: LogsFollowResults }),
});

/** Facts that outlast a conversation. */
export const Memory = /* @__PURE__ */ capabilityOf("Memory", 0xfc142a14977ca958n, {
  /** Remember a text under a topic. */
  store: /* @__PURE__ */ method({ interfaceId: 0xfc142a14977ca958n, ordinal: 0, name: "store", params: MemoryStoreParams, results: MemoryStoreResults }),
  /** Find what was remembered about something, best match first. */
  recall: /* @__PURE__ */ method({ interfaceId: 0xfc142a14977ca958n, ordinal: 1, name: "recall", params: MemoryRecallParams, results: MemoryRecallResults }),
  /** Forget one entry. It cannot be brought back. */
  forget: /* @__PURE__ */ method({ interfaceId: 0xfc142a14977ca958n, ordinal: 2, name: "forget", params: MemoryForgetParams, results: MemoryForgetResults }),
});

/** Changes that are proposed first, and applied once somebody has looked at them. */
export const PatchSets = /* @__PURE__ */ capabilityOf("PatchSets", 0xa684ad6bfdcecfacn, {
  /** List the proposed changes. */
  list: /* @__PURE__ */ method({ interfaceId: 0xa684ad6bfdcecfacn, ordinal: 0, name: "list", params: PatchSetsListParams, results: PatchSetsListResults }),
  /** Show all edits of a proposed change. */
  show: /* @__PURE__ */ method({ interfaceId: 0xa684ad6bfdcecfacn, ordinal: 1, name: "show", params: PatchSetsShowParams, results: PatchSetsShowResults }),
  /** Propose a change. No file is touched. */
  propose: /* @__PURE__ */ method({ interfaceId: 0xa684ad6bfdcecfacn, ordinal: 2, name: "propose", params: PatchSetsProposeParams, results: PatchSetsProposeResults }),
  /** Apply a proposed change to the files: all of its edits, or none where one does not fit any more. */
  apply: /* @__PURE__ */ method({ interfaceId: 0xa684ad6bfdcecfacn, ordinal: 3, name: "apply", params: PatchSetsApplyParams, results: PatchSetsApplyResults }),
  /** Throw a proposed change away. No file is touched. */
  discard: /* @__PURE__ */ method({ interfaceId: 0xa684ad6bfdcecfacn, ordinal: 4, name: "discard", params: PatchSetsDiscardParams, results: PatchSetsDiscardResults }),
});

/** Programs that run on behalf of the session. */
export const Processes = /* @__PURE__ */ capabilityOf("Processes", 0xba0eff25ecfe4dc5n, {
  /** List the programs that run. */
  list: /* @__PURE__ */ method({ interfaceId: 0xba0eff25ecfe4dc5n, ordinal: 0, name: "list", params: ProcessesListParams, results: ProcessesListResults }),
  /** Start a program. It gets the arguments as they are: no shell takes them apart. */
  start: /* @__PURE__ */ method({ interfaceId: 0xba0eff25ecfe4dc5n, ordinal: 1, name: "start", params: ProcessesStartParams, results: ProcessesStartResults }),
  /** End a program at once. */
  stop: /* @__PURE__ */ method({ interfaceId: 0xba0eff25ecfe4dc5n, ordinal: 2, name: "stop", params: ProcessesStopParams, results: ProcessesStopResults }),
});

/** Files for work in between. They may be gone at any time, and nobody else sees them. */
export const Scratch = /* @__PURE__ */ capabilityOf("Scratch", 0xf60d3b417580b499n, {
  /** Read a scratch file, or some of its lines: from this one to that one, both included. The first line is 1. */
  read: /* @__PURE__ */ method({ interfaceId: 0xf60d3b417580b499n, ordinal: 0, name: "read", params: ScratchReadParams, results: ScratchReadResults }),
  /** List the names in a scratch directory. Directories end with a slash. */
  list: /* @__PURE__ */ method({ interfaceId: 0xf60d3b417580b499n, ordinal: 1, name: "list", params: ScratchListParams, results: ScratchListResults }),
  /** Write a scratch file, replacing what it held. Folders that are missing are made. */
  write: /* @__PURE__ */ method({ interfaceId: 0xf60d3b417580b499n, ordinal: 2, name: "write", params: ScratchWriteParams, results: ScratchWriteResults }),
  /** Delete a scratch file. */
  delete: /* @__PURE__ */ method({ interfaceId: 0xf60d3b417580b499n, ordinal: 3, name: "delete", params: ScratchDeleteParams, results: ScratchDeleteResults }),
});

/** The services of the running system. */
export const Services = /* @__PURE__ */ capabilityOf("Services", 0xc9f9f3755cb23ef7n, {
  /** List the names of the running services. */
  list: /* @__PURE__ */ method({ interfaceId: 0xc9f9f3755cb23ef7n, ordinal: 0, name: "list", params: ServicesListParams, results: ServicesListResults }),
  /** Stop a service and start it again. Whatever it was doing is lost. */
  restart: /* @__PURE__ */ method({ interfaceId: 0xc9f9f3755cb23ef7n, ordinal: 1, name: "restart", params: ServicesRestartParams, results: ServicesRestartResults }),
});

/** Facts about the running system. */
export const Status = /* @__PURE__ */ capabilityOf("Status", 0xf6d6a8f4188a7919n, {
  /** Show uptime, free memory and the number of processes. */
  show: /* @__PURE__ */ method({ interfaceId: 0xf6d6a8f4188a7919n, ordinal: 0, name: "show", params: StatusShowParams, results: StatusShowResults }),
});
