import { expect, test } from "vitest";
import type { Json } from "../../lib/policy/index.ts";
import type { ActionCode, Answer, FailureAnswer, RequestCode, Result } from "./answer.ts";
import { FOREIGN } from "./plan.ts";
import { readPlan } from "./read-plan.ts";
import { undecodable } from "./testing/upstream-wire.ts";
import { convertAnswer, convertRequest, isUpstreamWell } from "./upstream.ts";
import { readWidePlan } from "./wide-plan.ts";

const onWire = (answer: Answer | FailureAnswer): Json => JSON.parse(JSON.stringify(convertAnswer(answer)));
const answered = (...results: readonly Result[]): Answer => ({
  ...{ ok: true, request_id: "r", session_id: "s", executed: true },
  results,
});
const wide = (...actions: readonly object[]) =>
  readWidePlan(Buffer.from(JSON.stringify({ request_id: "r", version: "0.1", mode: "execute", actions })));

const TYPES = ["ping", "exec", "read_file", "write_file", ...FOREIGN] as const;
const ACTION_CODES: Readonly<Record<ActionCode, true>> = {
  ...{ policy_denied: true, confirmation_required: true, confirmation_invalid: true, exec_failed: true },
  ...{ exec_timed_out: true, exit_status: true, read_failed: true, write_failed: true, not_run: true },
};
const REQUEST_CODES: Readonly<Record<RequestCode, true>> = {
  ...{ request_too_large: true, request_timed_out: true, parse_failed: true, validation_failed: true },
  ...{ mode_invalid: true, audit_failed: true },
};

const RAN: Result = {
  ...{ type: "exec", ok: false, stdout: "a", stderr: "b", stdout_truncated: true, stderr_truncated: false },
  ...{ exit_code: 3, error: { code: "exit_status", message: "it ended with 3" } },
};
const WELL: readonly Result[] = [
  { type: "ping", ok: true },
  { ...RAN, ok: true, exit_code: 0 } as Result,
  { type: "read_file", ok: true, content_base64: "aGk=", truncated: true },
  { type: "write_file", ok: true, artifacts: ["/tmp/a"], bytes_before: null, bytes_after: 2 },
];

test("upstream's client cannot decode answers in the form of this project's own protocol", () => {
  for (const result of [...WELL, RAN])
    expect(undecodable(JSON.parse(JSON.stringify(answered(result))))).toBe("unknown field ok");
  const failed: FailureAnswer = { ok: false, error: { code: "parse_failed", message: "no JSON" } };
  expect(undecodable(JSON.parse(JSON.stringify(failed)))).toBeDefined();
});

test("upstream's client decodes every result in upstream's form, with the same content", () => {
  const told = onWire(answered(...WELL, RAN));
  expect(undecodable(told)).toBeUndefined();
  expect(told).toEqual({
    ...{ request_id: "r", executed: true, error: null },
    results: [
      { type: "pong", ok: true },
      expect.objectContaining({ type: "exec", ok: true, exit_code: 0, stdout: "a", error: null }),
      { type: "read_file", ok: true, content_base64: "aGk=", truncated: true, error: null },
      { type: "write_file", ok: true, artifacts: ["/tmp/a"], error: null },
      expect.objectContaining({ ok: false, exit_code: 3, stdout_truncated: true, error: null }),
    ],
  });
});

test("upstream's client decodes every kind of refused action, for every reason", () => {
  for (const type of TYPES) {
    for (const code of Object.keys(ACTION_CODES) as ActionCode[]) {
      const told = onWire(answered({ type, ok: false, error: { code, message: "why" } }));
      expect(undecodable(told), `${type} ${code}`).toBeUndefined();
      expect(told).toMatchObject({ results: [{ ok: false }] });
    }
  }
});

test("upstream's client decodes every refused request, with an id or without", () => {
  for (const code of Object.keys(REQUEST_CODES) as RequestCode[]) {
    const failed: FailureAnswer = { ok: false, error: { code, message: "why" } };
    expect(undecodable(onWire(failed)), code).toBeUndefined();
    expect(onWire({ ...failed, request_id: "r", session_id: "s" })).toMatchObject({ request_id: "r", executed: false });
  }
});

test("upstream receives an action that waits for confirmation as failed, with the error confirmation_required", () => {
  const planned = (type: Result["type"], needs: boolean): Result => ({ type, ok: true, needs_confirmation: needs });
  const told = onWire({ ...answered(planned("exec", true), planned("read_file", false)), executed: false });
  expect(undecodable(told)).toBeUndefined();
  expect(told).toMatchObject({
    executed: false,
    results: [
      { ok: false, error: { code: "confirmation_required" } },
      { ok: true, content_base64: null, error: null },
    ],
  });
});

test("the parser for upstream accepts the seven foreign kinds of actions, and the daemon refuses them", () => {
  const action = { type: "service_control", action: "restart", unit: "ssh.service", reason: "a test", danger: null };
  expect(wide(action)).toMatchObject({
    ok: true,
    plan: {
      actions: [{ type: "service_control", asked: '{"action":"restart","unit":"ssh.service"}', reason: "a test" }],
    },
  });
  for (const type of FOREIGN) expect(wide({ type, reason: "a test" })).toMatchObject({ ok: true });
  expect(wide({ ...action, shell: "rm" })).toMatchObject({
    ok: false,
    error: { message: "actions[0].shell is not known" },
  });
  expect(wide({ type: "service_control" })).toMatchObject({ ok: false, error: { code: "validation_failed" } });
  expect(wide({ type: "format_disk", reason: "a test" })).toMatchObject({ ok: false });
  expect(wide({ ...action, unit: "x".repeat(1 << 17) })).toMatchObject({ ok: false });
  const narrow = readPlan(
    Buffer.from(JSON.stringify({ request_id: "r", version: "0.1", mode: "execute", actions: [action] })),
  );
  expect(narrow).toMatchObject({ ok: false, error: { code: "validation_failed" } });
});

test("a request to upstream's daemon gains only as_root, which upstream requires", () => {
  const plan = { request_id: "r", actions: [{ type: "exec", argv: ["/bin/true"] }, { type: "ping" }] };
  const sent = (value: unknown) =>
    JSON.parse(Buffer.from(convertRequest(Buffer.from(JSON.stringify(value)))).toString());
  expect(sent(plan)).toEqual({
    ...plan,
    actions: [{ type: "exec", as_root: false, argv: ["/bin/true"] }, { type: "ping" }],
  });
  expect(sent({ actions: [{ type: "exec", as_root: true }] })).toEqual({ actions: [{ type: "exec", as_root: true }] });
  expect(Buffer.from(convertRequest(Buffer.from("no JSON"))).toString()).toBe("no JSON");
});

test("an answer of upstream's daemon is successful only if no action failed", () => {
  expect(isUpstreamWell({ request_id: "r", executed: true, results: [{ type: "pong", ok: true }], error: null })).toBe(
    true,
  );
  expect(isUpstreamWell({ request_id: "r", executed: true, results: [{ type: "pong", ok: false }] })).toBe(false);
  expect(isUpstreamWell({ results: [], error: { code: "parse_failed", message: "" } })).toBe(false);
  expect(isUpstreamWell({})).toBe(false);
});
