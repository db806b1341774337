// Generated from service.capnp by `npm run generate`. Do not edit.

import { bool, bytes, capabilityOf, field, list, method, of, struct, text, type StructLayout, uint16, uint32, uint64 } from "../layout.ts";
import { Param } from "./policy.ts";
import { Edit } from "./tools.ts";

export interface ExpectedEdit {
  readonly edit: Edit;
  /** What the file must be, as `check` gives it. */
  readonly digest: string;
}

export const ExpectedEdit: StructLayout<ExpectedEdit> = /* @__PURE__ */ struct({ name: "ExpectedEdit", id: 0xa8df8c1d8307444fn, sizes: [0, 2], shape: () => ({
  fields: [
    field("edit", of(() => Edit), 0),
    field("digest", text, 1),
  ],
}) });

export interface FileAction {
  /** read_file or write_file. */
  readonly type: string;
  readonly path: string;
  /** Of a read empty. */
  readonly content: string;
}

export const FileAction: StructLayout<FileAction> = /* @__PURE__ */ struct({ name: "FileAction", id: 0xd570fa4ec527fc51n, sizes: [0, 3], shape: () => ({
  fields: [
    field("type", text, 0),
    field("path", text, 1),
    field("content", text, 2),
  ],
}) });

export interface FileEditsApplyParams {
  readonly edits: readonly ExpectedEdit[];
}

export const FileEditsApplyParams: StructLayout<FileEditsApplyParams> = /* @__PURE__ */ struct({ name: "FileEditsApplyParams", id: 0xf643a3c4e2e34b76n, sizes: [0, 1], shape: () => ({
  fields: [
    field("edits", list(of(() => ExpectedEdit)), 0),
  ],
}) });

export interface FileEditsApplyResults {}

export const FileEditsApplyResults: StructLayout<FileEditsApplyResults> = /* @__PURE__ */ struct({ name: "FileEditsApplyResults", id: 0xe1540c590ac5d694n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface FileEditsCheckParams {
  readonly edits: readonly ExpectedEdit[];
}

export const FileEditsCheckParams: StructLayout<FileEditsCheckParams> = /* @__PURE__ */ struct({ name: "FileEditsCheckParams", id: 0xb04bf86fa6c3956fn, sizes: [0, 1], shape: () => ({
  fields: [
    field("edits", list(of(() => ExpectedEdit)), 0),
  ],
}) });

export interface FileEditsCheckResults {
  readonly digests: readonly string[];
}

export const FileEditsCheckResults: StructLayout<FileEditsCheckResults> = /* @__PURE__ */ struct({ name: "FileEditsCheckResults", id: 0xe94444071c9356fdn, sizes: [0, 1], shape: () => ({
  fields: [
    field("digests", list(text), 0),
  ],
}) });

export interface HeldMethod {
  readonly ordinal: number;
  readonly name: string;
}

export const HeldMethod: StructLayout<HeldMethod> = /* @__PURE__ */ struct({ name: "HeldMethod", id: 0xcb7e3fbbaceec42bn, sizes: [1, 1], shape: () => ({
  fields: [
    field("ordinal", uint16, 0),
    field("name", text, 0),
  ],
}) });

export interface HeldService {
  /** Of the service, as the page calls it. */
  readonly name: string;
  readonly interfaceId: bigint;
  /** In code-unit order of names. */
  readonly methods: readonly HeldMethod[];
}

export const HeldService: StructLayout<HeldService> = /* @__PURE__ */ struct({ name: "HeldService", id: 0xbc5c04ecf254db01n, sizes: [1, 2], shape: () => ({
  fields: [
    field("name", text, 0),
    field("interfaceId", uint64, 0),
    field("methods", list(of(() => HeldMethod)), 1),
  ],
}) });

export interface PlanGateActParams {
  readonly turn: number;
  readonly id: string;
  readonly action: FileAction;
  readonly isCautious: boolean;
}

export const PlanGateActParams: StructLayout<PlanGateActParams> = /* @__PURE__ */ struct({ name: "PlanGateActParams", id: 0x8ca20fb72c1dfd51n, sizes: [1, 2], shape: () => ({
  fields: [
    field("turn", uint32, 0),
    field("id", text, 0),
    field("action", of(() => FileAction), 1),
    field("isCautious", bool, 32),
  ],
}) });

export interface PlanGateActResults {
  readonly outcome: string;
  readonly content: string;
  readonly error: string;
}

export const PlanGateActResults: StructLayout<PlanGateActResults> = /* @__PURE__ */ struct({ name: "PlanGateActResults", id: 0x9141eca10d627139n, sizes: [0, 3], shape: () => ({
  fields: [
    field("outcome", text, 0),
    field("content", text, 1),
    field("error", text, 2),
  ],
}) });

export interface PlanGateBeginParams {
  readonly words: string;
}

export const PlanGateBeginParams: StructLayout<PlanGateBeginParams> = /* @__PURE__ */ struct({ name: "PlanGateBeginParams", id: 0xce780ec966ac3cdbn, sizes: [0, 1], shape: () => ({
  fields: [
    field("words", text, 0),
  ],
}) });

export interface PlanGateBeginResults {
  readonly turn: number;
}

export const PlanGateBeginResults: StructLayout<PlanGateBeginResults> = /* @__PURE__ */ struct({ name: "PlanGateBeginResults", id: 0x95711b329e62dde6n, sizes: [1, 0], shape: () => ({
  fields: [
    field("turn", uint32, 0),
  ],
}) });

export interface PlanGateLookParams {
  readonly action: FileAction;
}

export const PlanGateLookParams: StructLayout<PlanGateLookParams> = /* @__PURE__ */ struct({ name: "PlanGateLookParams", id: 0x9c4c233bbe7c4973n, sizes: [0, 1], shape: () => ({
  fields: [
    field("action", of(() => FileAction), 0),
  ],
}) });

export interface PlanGateLookResults {
  readonly standing: string;
  readonly reason: string;
}

export const PlanGateLookResults: StructLayout<PlanGateLookResults> = /* @__PURE__ */ struct({ name: "PlanGateLookResults", id: 0xa71e17114c57890an, sizes: [0, 2], shape: () => ({
  fields: [
    field("standing", text, 0),
    field("reason", text, 1),
  ],
}) });

export interface PlanGateRefusedParams {
  readonly words: string;
}

export const PlanGateRefusedParams: StructLayout<PlanGateRefusedParams> = /* @__PURE__ */ struct({ name: "PlanGateRefusedParams", id: 0xbdb692aa22e38a3cn, sizes: [0, 1], shape: () => ({
  fields: [
    field("words", text, 0),
  ],
}) });

export interface PlanGateRefusedResults {}

export const PlanGateRefusedResults: StructLayout<PlanGateRefusedResults> = /* @__PURE__ */ struct({ name: "PlanGateRefusedResults", id: 0xabd93a2cd679bdf0n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface ServiceMethod {
  readonly ordinal: number;
  /** As the program exports it. */
  readonly name: string;
  /** Its category is readOnly or descends from it: it is called even where the service has used up its state. */
  readonly readOnly: boolean;
  readonly params: readonly Param[];
  readonly results: readonly Param[];
}

export const ServiceMethod: StructLayout<ServiceMethod> = /* @__PURE__ */ struct({ name: "ServiceMethod", id: 0xe23f0d48787b49c6n, sizes: [1, 3], shape: () => ({
  fields: [
    field("ordinal", uint16, 0),
    field("name", text, 0),
    field("readOnly", bool, 16),
    field("params", list(of(() => Param)), 1),
    field("results", list(of(() => Param)), 2),
  ],
}) });

export interface ServiceMethods {
  readonly schemaVersion: number;
  readonly interfaceId: bigint;
  readonly interfaceName: string;
  /** In code-unit order of names. */
  readonly methods: readonly ServiceMethod[];
  /**
   * Of a server of the Model Context Protocol: SHA-256 of the tools that the page's list has, as canonical JSON in order of
   * names. It serves nothing while it lists others. Empty: the program is none.
   */
  readonly toolList: Uint8Array;
  /** What the page grants it, in code-unit order of names: each is a capability of the process under the same name. */
  readonly held: readonly HeldService[];
}

export const ServiceMethods: StructLayout<ServiceMethods> = /* @__PURE__ */ struct({ name: "ServiceMethods", id: 0x9374cc7fd966ddd3n, sizes: [2, 4], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("interfaceId", uint64, 1),
    field("interfaceName", text, 0),
    field("methods", list(of(() => ServiceMethod)), 1),
    field("toolList", bytes, 2),
    field("held", list(of(() => HeldService)), 3),
  ],
}) });

/** A service of Files as the one that keeps patch sets for it holds it; no tool. Arguments and results travel as JSON. */
export const FileEdits = /* @__PURE__ */ capabilityOf("FileEdits", 0xb834bb827a8ff95fn, {
  /**
   * Whether all of these edits fit, and what each of their files is now: SHA-256 in hexadecimal, empty where there is none.
   * No file is touched.
   */
  check: /* @__PURE__ */ method({ interfaceId: 0xb834bb827a8ff95fn, ordinal: 0, name: "check", params: FileEditsCheckParams, results: FileEditsCheckResults }),
  /** All of these edits, or none: also where the machine loses its power meanwhile. */
  apply: /* @__PURE__ */ method({ interfaceId: 0xb834bb827a8ff95fn, ordinal: 1, name: "apply", params: FileEditsApplyParams, results: FileEditsApplyResults }),
});

/**
 * The gate of a session as the service of ActionPlans that works in its name holds it; no tool. Arguments and results travel
 * as JSON. Who holds it begins turns and proposes calls in them, and decides nothing.
 */
export const PlanGate = /* @__PURE__ */ capabilityOf("PlanGate", 0x8601d3bd852d9a46n, {
  /** What stands before an action now: "runs", "asks" (a person), or "refused". Quotas are not looked at. Nothing is touched. */
  look: /* @__PURE__ */ method({ interfaceId: 0x8601d3bd852d9a46n, ordinal: 0, name: "look", params: PlanGateLookParams, results: PlanGateLookResults }),
  /** A plan's turn, behind what is under way. The words, without what is secret in it, are on record before anything of it runs. */
  begin: /* @__PURE__ */ method({ interfaceId: 0x8601d3bd852d9a46n, ordinal: 1, name: "begin", params: PlanGateBeginParams, results: PlanGateBeginResults }),
  /** One call of the plan's turn. isCautious: a person is asked even where the page would not. outcome: of the nine. */
  act: /* @__PURE__ */ method({ interfaceId: 0x8601d3bd852d9a46n, ordinal: 2, name: "act", params: PlanGateActParams, results: PlanGateActResults }),
  /** A request that is no plan, for the record. */
  refused: /* @__PURE__ */ method({ interfaceId: 0x8601d3bd852d9a46n, ordinal: 3, name: "refused", params: PlanGateRefusedParams, results: PlanGateRefusedResults }),
});
