// Generated from stdlib/schema/wire.capnp by `npm run generate`. Do not edit.

import { bool, bytes, capabilityOf, enumeration, field, group, list, method, nothing, of, struct, text, type EnumLayout, type StructLayout, uint16, uint32, uint64 } from "../layout.ts";
import { Outcome, PermissionMode, ToolCall, ToolDescriptor, ToolResult } from "./capos.ts";

export type Answer = "denied" | "granted" | "cancelled" | "timedOut";

export const Answer: EnumLayout<Answer> = enumeration("Answer", ["denied", "granted", "cancelled", "timedOut"]);

export type FailureCode = "unknownMethod" | "malformed" | "failed" | "cancelled" | "overloaded" | "closed";

export const FailureCode: EnumLayout<FailureCode> = enumeration("FailureCode", ["unknownMethod", "malformed", "failed", "cancelled", "overloaded", "closed"]);

export type NoticeStage = "proposed" | "running" | "finished";

export const NoticeStage: EnumLayout<NoticeStage> = enumeration("NoticeStage", ["proposed", "running", "finished"]);

/** Whose text this is; the console marks it and filters it. */
export type Speaker = "runner" | "model" | "tool";

export const Speaker: EnumLayout<Speaker> = enumeration("Speaker", ["runner", "model", "tool"]);

export interface ApprovalAnnounceParams {
  readonly notice: Notice;
}

export const ApprovalAnnounceParams: StructLayout<ApprovalAnnounceParams> = struct("ApprovalAnnounceParams", 0x9db46f69ffcf2ff6n, [0, 1], () => ({
  fields: [
    field("notice", of(() => Notice), 0),
  ],
}));

export interface ApprovalAnnounceResults {}

export const ApprovalAnnounceResults: StructLayout<ApprovalAnnounceResults> = struct("ApprovalAnnounceResults", 0x905b04d4096146e3n, [0, 0], () => ({
  fields: [],
}));

export interface ApprovalAskParams {
  readonly question: Question;
}

export const ApprovalAskParams: StructLayout<ApprovalAskParams> = struct("ApprovalAskParams", 0xde971c54d9fea58fn, [0, 1], () => ({
  fields: [
    field("question", of(() => Question), 0),
  ],
}));

export interface ApprovalAskResults {
  readonly answer: Answer;
}

export const ApprovalAskResults: StructLayout<ApprovalAskResults> = struct("ApprovalAskResults", 0xee9f84f798bd1c48n, [1, 0], () => ({
  fields: [
    field("answer", Answer, 0),
  ],
}));

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

export const Frame: StructLayout<Frame> = struct("Frame", 0xbb18f9b6ab9fd6f1n, [3, 1], () => ({
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
}));

export interface Notice {
  readonly tool: string;
  readonly arguments: string;
  readonly mode: PermissionMode;
  readonly stage: NoticeStage;
  readonly outcome: Outcome;
  readonly detail: string;
}

export const Notice: StructLayout<Notice> = struct("Notice", 0xc1ece050e501fb2dn, [1, 3], () => ({
  fields: [
    field("tool", text, 0),
    field("arguments", text, 1),
    field("mode", PermissionMode, 0),
    field("stage", NoticeStage, 1),
    field("outcome", Outcome, 2),
    field("detail", text, 2),
  ],
}));

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

export const Payload: StructLayout<Payload> = struct("Payload", 0x83699031841e81b1n, [1, 1], () => ({
  fields: [],
  union: { tagOffset: 0, members: [
    field("empty", nothing, 0),
    field("json", text, 0),
    field("message", bytes, 0),
  ] },
}));

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
}

export const Question: StructLayout<Question> = struct("Question", 0x9cb3a7bb12b8cbd6n, [1, 4], () => ({
  fields: [
    field("tool", text, 0),
    field("arguments", text, 1),
    field("sentence", text, 2),
    field("mode", PermissionMode, 0),
    field("rule", text, 3),
    field("timeoutMs", uint32, 1),
  ],
}));

export interface SessionCommandParams {
  readonly name: string;
  readonly argument: string;
}

export const SessionCommandParams: StructLayout<SessionCommandParams> = struct("SessionCommandParams", 0xd1aa80d6ce0c8db2n, [0, 2], () => ({
  fields: [
    field("name", text, 0),
    field("argument", text, 1),
  ],
}));

export interface SessionCommandResults {
  readonly lines: readonly string[];
}

export const SessionCommandResults: StructLayout<SessionCommandResults> = struct("SessionCommandResults", 0xdabc6b6b2ab66bd0n, [0, 1], () => ({
  fields: [
    field("lines", list(text), 0),
  ],
}));

export interface TerminalAwaitInterruptParams {}

export const TerminalAwaitInterruptParams: StructLayout<TerminalAwaitInterruptParams> = struct("TerminalAwaitInterruptParams", 0x9c20a1ff728d5776n, [0, 0], () => ({
  fields: [],
}));

export interface TerminalAwaitInterruptResults {}

export const TerminalAwaitInterruptResults: StructLayout<TerminalAwaitInterruptResults> = struct("TerminalAwaitInterruptResults", 0xa2b295c6745b237fn, [0, 0], () => ({
  fields: [],
}));

export interface TerminalReadLineParams {}

export const TerminalReadLineParams: StructLayout<TerminalReadLineParams> = struct("TerminalReadLineParams", 0x93792043c0176285n, [0, 0], () => ({
  fields: [],
}));

export interface TerminalReadLineResults {
  readonly line: string;
  readonly end: boolean;
}

export const TerminalReadLineResults: StructLayout<TerminalReadLineResults> = struct("TerminalReadLineResults", 0x967d84c62c3ac5f6n, [1, 1], () => ({
  fields: [
    field("line", text, 0),
    field("end", bool, 0),
  ],
}));

export interface TerminalWriteParams {
  readonly text: string;
  readonly speaker: Speaker;
}

export const TerminalWriteParams: StructLayout<TerminalWriteParams> = struct("TerminalWriteParams", 0xa2e240bb6fd5b783n, [1, 1], () => ({
  fields: [
    field("text", text, 0),
    field("speaker", Speaker, 0),
  ],
}));

export interface TerminalWriteResults {}

export const TerminalWriteResults: StructLayout<TerminalWriteResults> = struct("TerminalWriteResults", 0xd1ca31962785ee63n, [0, 0], () => ({
  fields: [],
}));

export interface ToolProxyCancelTurnParams {
  readonly conversation: string;
  readonly turn: number;
}

export const ToolProxyCancelTurnParams: StructLayout<ToolProxyCancelTurnParams> = struct("ToolProxyCancelTurnParams", 0xbeb6b3e94162c98dn, [1, 1], () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
  ],
}));

export interface ToolProxyCancelTurnResults {}

export const ToolProxyCancelTurnResults: StructLayout<ToolProxyCancelTurnResults> = struct("ToolProxyCancelTurnResults", 0x9470f83b182243b6n, [0, 0], () => ({
  fields: [],
}));

export interface ToolProxyDescribeToolsParams {
  readonly conversation: string;
}

export const ToolProxyDescribeToolsParams: StructLayout<ToolProxyDescribeToolsParams> = struct("ToolProxyDescribeToolsParams", 0x8b513b1b89b16962n, [0, 1], () => ({
  fields: [
    field("conversation", text, 0),
  ],
}));

export interface ToolProxyDescribeToolsResults {
  readonly tools: readonly ToolDescriptor[];
  readonly snapshot: Uint8Array;
}

export const ToolProxyDescribeToolsResults: StructLayout<ToolProxyDescribeToolsResults> = struct("ToolProxyDescribeToolsResults", 0x95003f2c4ec8d0d7n, [0, 2], () => ({
  fields: [
    field("tools", list(of(() => ToolDescriptor)), 0),
    field("snapshot", bytes, 1),
  ],
}));

export interface ToolProxyInvokeToolParams {
  readonly conversation: string;
  readonly turn: number;
  readonly snapshot: Uint8Array;
  readonly call: ToolCall;
}

export const ToolProxyInvokeToolParams: StructLayout<ToolProxyInvokeToolParams> = struct("ToolProxyInvokeToolParams", 0xa7f3cc58893efc26n, [1, 3], () => ({
  fields: [
    field("conversation", text, 0),
    field("turn", uint32, 0),
    field("snapshot", bytes, 1),
    field("call", of(() => ToolCall), 2),
  ],
}));

export interface ToolProxyInvokeToolResults {
  readonly result: ToolResult;
}

export const ToolProxyInvokeToolResults: StructLayout<ToolProxyInvokeToolResults> = struct("ToolProxyInvokeToolResults", 0xdfa0ba0875d0c42en, [0, 1], () => ({
  fields: [
    field("result", of(() => ToolResult), 0),
  ],
}));

/** Held by a gate. The one place where a person is asked. */
export const Approval = capabilityOf("Approval", 0xf7d0d2536e96816an, {
  ask: method(0xf7d0d2536e96816an, 0, "ask", ApprovalAskParams, ApprovalAskResults),
  /** Draws a call as a structured widget. */
  announce: method(0xf7d0d2536e96816an, 1, "announce", ApprovalAnnounceParams, ApprovalAnnounceResults),
});

/** Held by the console: the person's direct commands. They bypass the model and the loop. */
export const Session = capabilityOf("Session", 0xa9dea4a2a61337c0n, {
  /** name without its slash, e.g. "tools"; lines are drawn as the gate's own words. */
  command: method(0xa9dea4a2a61337c0n, 0, "command", SessionCommandParams, SessionCommandResults),
});

/** Held by the loop. The console draws; what is written here is text and never a command. */
export const Terminal = capabilityOf("Terminal", 0xfa3955a83acb847bn, {
  /** Waits for a whole line. end: the person left. */
  readLine: method(0xfa3955a83acb847bn, 0, "readLine", TerminalReadLineParams, TerminalReadLineResults),
  write: method(0xfa3955a83acb847bn, 1, "write", TerminalWriteParams, TerminalWriteResults),
  /** Returns when the person presses Ctrl-C. */
  awaitInterrupt: method(0xfa3955a83acb847bn, 2, "awaitInterrupt", TerminalAwaitInterruptParams, TerminalAwaitInterruptResults),
});

/** Held by the loop. Naming a tool here is a proposal; the gate decides. */
export const ToolProxy = capabilityOf("ToolProxy", 0xbff6e663bf26c731n, {
  /** snapshot: SHA-256 of the canonical descriptor list; a call must name the one it was made from. */
  describeTools: method(0xbff6e663bf26c731n, 0, "describeTools", ToolProxyDescribeToolsParams, ToolProxyDescribeToolsResults),
  invokeTool: method(0xbff6e663bf26c731n, 1, "invokeTool", ToolProxyInvokeToolParams, ToolProxyInvokeToolResults),
  cancelTurn: method(0xbff6e663bf26c731n, 2, "cancelTurn", ToolProxyCancelTurnParams, ToolProxyCancelTurnResults),
});
