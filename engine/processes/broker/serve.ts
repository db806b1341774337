// Serves Broker over one connection. Only init's grant determines the desk: a lease or nonce of another session is unknown here.

import type { IncomingGrant } from "../../lib/wire/capset.ts";
import type { Row } from "../../lib/wire/generated/policy.ts";
import { Broker, type QuotaLeft } from "../../lib/wire/generated/wire.ts";
import { implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import type { Desk, Desks } from "./broker.ts";
import { MODEL_STEP } from "./consents/consents.ts";
import { NO_PASSPHRASE } from "./login/door.ts";
import { describeQuota, formatAmount, type QuotaStatus } from "./quotas/index.ts";

const NO_LEASE = new Uint8Array(0);
const NO_NONCE = new Uint8Array(0);
const LOCKED = "nobody is logged in to the session";
/**
 * Names of the steps that are not calls: the beginning of a task, the entry into a phase, and the permission to use a
 * backend. Like a call, such a step may need a signature.
 */
const STEPS: ReadonlySet<string> = new Set(["/task", "/phase", MODEL_STEP]);
const CONVERSATION = /^[\x21-\x26\x28-\x7e]{1,128}$/;

/**
 * Returns the desk of a grant's holder: `gate.S` gets the desk of session S, and `gate.S.I` that of the worker of
 * ingress I. Any other holder gets none.
 */
export function findDesk(desks: Desks, { holder, interfaceId }: Pick<IncomingGrant, "holder" | "interfaceId">) {
  const [, session = ""] = /^gate\.(.+)$/.exec(holder) ?? [];
  return interfaceId === Broker.id ? desks.get(session) : undefined;
}

export function serveGate(stream: IncomingGrant["stream"], desk: Desk): Serving {
  return serveInterface(stream, [
    implement(Broker, {
      reserve: async ({ request: { conversation, turn, tool: name, prompts, argumentBytes, task, phase, ran } }) => {
        for (const lease of ran) desk.ledger.settle(lease, "ran");
        const row = desk.row(task, phase);
        if (row === undefined) return rejectUnknownRow();
        if (desk.login.isLocked) return { lease: NO_LEASE, exhausted: LOCKED };
        const tool = desk.tool(row, name);
        if (tool === undefined && name !== "") return rejectUnknownTool();
        if (!CONVERSATION.test(conversation)) return rejectConversationName();
        const reserved = desk.ledger.reserve({ conversation, turn, row, tool, prompts, argumentBytes });
        return "lease" in reserved
          ? { lease: reserved.lease, exhausted: "" }
          : { lease: NO_LEASE, exhausted: reserved.exhausted };
      },
      settle: async ({ lease, ran }) =>
        desk.ledger.settle(lease, ran ? "ran" : "notRun")
          ? {}
          : makeFailure("failed", "there is no such lease, or it was settled before"),
      challenge: async ({ step }) => {
        const row = desk.row(step.task, step.phase);
        if (row === undefined) return rejectUnknownRow();
        if (desk.login.isLocked) return { challenge: "", nonce: NO_NONCE, failure: LOCKED };
        if (!STEPS.has(step.tool) && desk.tool(row, step.tool) === undefined) return rejectUnknownTool();
        if (!CONVERSATION.test(step.conversation)) return rejectConversationName();
        const made = desk.stepUp.issueChallenge(step);
        if (!made.ok) return { challenge: "", nonce: NO_NONCE, failure: made.reason };
        return { challenge: made.value.line, nonce: made.value.nonce, failure: "" };
      },
      prove: async ({ nonce, signature }) => {
        const proof = desk.stepUp.prove(nonce, signature);
        if (proof.ok) return { principal: proof.principal, failure: "" };
        return { principal: "", failure: `${proof.fault}: ${proof.reason}` };
      },
      remember: async ({ consent }) => {
        const row = desk.row(consent.task, consent.phase);
        if (row === undefined) return rejectUnknownRow();
        if (desk.login.isLocked) return { number: 0, failure: LOCKED };
        if (!CONVERSATION.test(consent.conversation)) return rejectConversationName();
        const isModel = consent.tool === MODEL_STEP;
        const tool = isModel ? undefined : desk.tool(row, consent.tool);
        if (tool === undefined && !isModel) return rejectUnknownTool();
        const { consents } = desk;
        const remembered = tool === undefined ? consents.lend(consent, row) : consents.remember(consent, row, tool);
        return remembered.ok ? { number: remembered.value, failure: "" } : { number: 0, failure: remembered.reason };
      },
      recall: async ({ consent }) => ({ number: desk.consents.recall(consent) }),
      consents: async ({ consent }) => ({ held: desk.consents.listHeld(consent) }),
      takeBack: async ({ number }) => ({ taken: desk.consents.takeBack(number) }),
      keep: async ({ conversation, state }) => {
        if (!CONVERSATION.test(conversation)) return rejectConversationName();
        const refusal = desk.kept.keep(conversation, state);
        return refusal === undefined ? {} : makeFailure("failed", refusal);
      },
      kept: async ({ conversation }) => ({ state: desk.kept.getState(conversation) }),
      forget: async ({ conversation }) => {
        if (!CONVERSATION.test(conversation)) return rejectConversationName();
        const refusal = desk.sources.forget(conversation) ?? desk.kept.forget(conversation);
        return refusal === undefined ? {} : makeFailure("failed", refusal);
      },
      keepSources: async ({ conversation, after, chunk }) => {
        if (!CONVERSATION.test(conversation)) return rejectConversationName();
        const kept = desk.sources.keep(conversation, after, chunk);
        return kept.ok ? { size: kept.value } : makeFailure("failed", kept.reason);
      },
      keptSources: async ({ conversation, from }) => {
        if (!CONVERSATION.test(conversation)) return rejectConversationName();
        const read = desk.sources.read(conversation, from);
        return read.ok ? read.value : makeFailure("failed", read.reason);
      },
      infer: async ({ inference: { conversation, turn, task, phase, backend } }) => {
        const row = desk.row(task, phase);
        if (row === undefined) return rejectUnknownRow();
        if (desk.login.isLocked) return { lease: NO_LEASE, mostTokens: 0, exhausted: LOCKED };
        if (!CONVERSATION.test(conversation)) return rejectConversationName();
        const counted = desk.countedFor(row, backend, conversation, turn);
        if (counted === undefined) return makeFailure("failed", "no such backend answers in the session");
        const reserved = counted.ok
          ? desk.answers.reserve(counted.value.counted, counted.value.price, counted.value.contextTokens)
          : { exhausted: counted.reason };
        return { lease: NO_LEASE, mostTokens: 0, exhausted: "", ...reserved };
      },
      settleTokens: async ({ lease, tokens, outputTokens }) =>
        desk.answers.settle(lease, tokens, outputTokens)
          ? {}
          : makeFailure("failed", "there is no such lease, or it was settled before"),
      loginChallenge: async ({ validForMs, principal, renews }) => {
        const { login } = desk;
        const made = renews ? login.issueRenewalChallenge(validForMs) : login.issueChallenge(validForMs, principal);
        if (!made.ok) return { challenge: "", nonce: NO_NONCE, failure: made.reason, passphrase: NO_PASSPHRASE };
        const { line, nonce, passphrase } = made.value;
        return { challenge: line, nonce, failure: "", passphrase };
      },
      login: async ({ nonce, signature }) => {
        const proof = desk.login.prove(nonce, signature);
        if (!proof.ok) return { principal: "", failure: proof.reason };
        desk.ledger.beginLogin();
        return { principal: proof.value, failure: "" };
      },
      logout: async () => {
        desk.login.logOut();
        return { taken: desk.consents.takeBack(0) };
      },
      renew: async ({ nonce, signature }) => ({ failure: desk.login.renew(nonce, signature) ?? "" }),
      remaining: async ({ conversation, turn, task, phase }) => {
        const row = desk.row(task, phase);
        if (row === undefined) return rejectUnknownRow();
        const counted = listQuotas(desk, conversation, turn, row);
        return { lines: counted.map(describeCounted), left: counted.flatMap(describeLeft) };
      },
    }),
  ]);
}

/** A quota of the row, or of a backend that answers in the row; `backend` is empty for a quota of the row. */
interface CountedFor extends QuotaStatus {
  readonly backend: string;
}

function listQuotas({ ledger, backendsOf }: Desk, conversation: string, turn: number, row: Row): readonly CountedFor[] {
  const own = ledger.listStandings(conversation, turn, row.quotas).map((one) => ({ ...one, backend: "" }));
  const theirs = backendsOf(row).flatMap(({ name: backend, standings }) =>
    standings(conversation, turn).map((one) => ({ ...one, backend })),
  );
  return [...own, ...theirs];
}

function describeCounted({ quota, spent, resets, backend }: CountedFor): string {
  const whose = backend === "" ? "" : `backend ${backend}, whoever asks: `;
  return `${whose}${describeQuota(quota)}: ${formatAmount(quota, spent)} of ${formatAmount(quota, quota.amount)} spent; ${resets}`;
}

/**
 * Returns in words how much of a quota is left. Returns an empty list for a quota per call, because earlier calls do
 * not use any of it.
 */
function describeLeft({ quota, spent, backend }: CountedFor): readonly QuotaLeft[] {
  const { amount, scope } = quota;
  const left = formatAmount(quota, spent > amount ? 0n : amount - spent);
  return scope === "call" ? [] : [{ backend, words: `${left} of ${describeQuota(quota)}` }];
}

function rejectUnknownRow() {
  return makeFailure("failed", "the session has no such task and phase");
}

function rejectUnknownTool() {
  return makeFailure("failed", "the session has no such tool");
}

function rejectConversationName() {
  return makeFailure("malformed", "a conversation is named by 1 to 128 printable ASCII characters");
}
