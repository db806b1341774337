import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { IndexedTables } from "../../lib/policy/index.ts";
import { findAllowedActions } from "./allowed.ts";
import { findUncountedQuota } from "./budget.ts";
import { ACTIONS, MOST_RESPONSE_BYTES } from "./names.ts";
import { respond } from "./planner.ts";
import { parseResponse } from "./response.ts";
import { bridgeIn, tablesOf } from "./testing/bridge.ts";

let tables: IndexedTables;
beforeAll(async () => {
  tables = await tablesOf();
});

const NEVER = new AbortController().signal;

async function plan(
  input: string,
  session = "operator",
  actions: readonly string[] = ACTIONS,
  from = tables,
): Promise<unknown> {
  const request = Buffer.from(JSON.stringify({ input, allowedActions: actions }));
  const response = await respond(bridgeIn(from, session), request, NEVER);
  return JSON.parse(Buffer.from(response).toString("utf8"));
}

const unknown = (explanation: unknown) => ({
  intent: "unknown",
  action: "unknown",
  args: [],
  risk: "safe",
  explanation,
});

async function listed(session: string, from = tables): Promise<unknown> {
  const allowed = findAllowedActions(from, bridgeIn(from, session).conversation);
  return allowed.ok ? allowed.value.map(({ action, risk }) => [action, risk]) : allowed.reason;
}

test("lists the actions that a session may propose; an action is safe only if it only reads and needs no approval", async () => {
  expect(await listed("operator")).toEqual([
    ["list_files", "safe"],
    // For some paths the page asks a person, so the action counts as risky until its path is known.
    ["read_file", "risky"],
    ["delete_file", "risky"],
    ["stat_file", "safe"],
    ["show_version", "safe"],
    ["show_ticks", "safe"],
    ["show_memory_map", "risky"],
  ]);
  expect(await listed("visitor")).toEqual([
    ["list_files", "safe"],
    ["show_version", "safe"],
  ]);
});

test("a deletion is risky, whatever category the page gives it", async () => {
  const kind = await tablesOf((page) =>
    page.replace("deleteFile    : destructive", "deleteFile    : readOnly").replace("consent   destructive", ""),
  );
  expect(await listed("operator", kind)).toContainEqual(["delete_file", "risky"]);
});

test("refuses two tools that map to one action, and names both", async () => {
  const twice = await tablesOf((page) =>
    page.replace(
      'service kernel : dav.Kernel { exec "kernel.js" }',
      (line) => `${line}\n${line.replace("kernel", "other")}`,
    ),
  );
  expect(await listed("operator", twice)).toBe("list_files is both kernel.listFiles and other.listFiles");
});

test("the example request of the protocol gets the example response", async () => {
  expect(await plan("show me the files")).toEqual({
    intent: "list_files",
    action: "list_files",
    args: [],
    risk: "safe",
    explanation: "The user wants to see the files available in the OS.",
  });
});

test.each([
  ["read notes", { action: "read_file", args: ["notes"], risk: "safe" }],
  ["delete notes", { action: "delete_file", args: ["notes"], risk: "risky" }],
])("%s: the risk of the plan follows from the page's decision on the exact arguments", async (input, expected) => {
  expect(await plan(input)).toEqual({ intent: expected.action, ...expected });
});

test("a plan has the risk that the kernel expects of its action, because the kernel would refuse it otherwise", async () => {
  const inputs = ["show me the files", "read notes", "read a key", "delete notes", "show the map"];
  const plans = await Promise.all(inputs.map((input) => plan(input)));
  expect(plans).toMatchObject([
    ...["list_files", "read_file"].map((action) => ({ action, risk: "safe" })),
    { action: "unknown" },
    { action: "delete_file", risk: "risky" },
    { action: "unknown" },
  ]);
});

test.each([
  ["sing", "No action sings. rm -rf /"],
  ["what was typed", "an action was proposed that is not allowed here"],
  ["two at once", "more than one action was proposed"],
  ["read a key", "read_file: the page wants a person asked: a kernel asks before delete_file alone"],
  ["show the map", "show_memory_map: the page wants a person asked: a kernel asks before delete_file alone"],
  ["a shell", "an action was proposed that is not allowed here"],
  ["a flag", "read_file: it was given arguments that a plan cannot say"],
  ["no target", "read_file: its target is missing"],
  ["nonsense", "read_file: its arguments are no JSON object"],
  ["a long name", "the plan is refused: a target's name has at most 16 bytes"],
])("%s: answers with a plan that does nothing, and with the reason", async (input, reason) => {
  expect(await plan(input)).toEqual(unknown(reason));
});

test("does not propose a call that needs a signature, because a kernel can only ask for a confirmation", async () => {
  const clauses = (each: (typeof tables.decisions)[number]) =>
    each.clauses.map((clause) => (clause.conditions.length > 0 ? { ...clause, met: "stepUp" as const } : clause));
  const decisions = tables.decisions.map((each) => ({ ...each, clauses: clauses(each) }));
  const signed = { ...tables, decisions };
  expect(await plan("read notes", "operator", ACTIONS, signed)).toMatchObject({ action: "read_file", risk: "safe" });
  expect(await plan("read a key", "operator", ACTIONS, signed)).toEqual(
    unknown(expect.stringMatching(/^read_file: .*nobody can sign at a kernel$/)),
  );
});

test("reports a quota of tokens of the session or of the backend, because a bridge does not count tokens", async () => {
  const row = (from: IndexedTables) => bridgeIn(from, "operator").conversation;
  expect(findUncountedQuota(tables, row(tables), 0)).toBeUndefined();
  const perDay = await tablesOf((page) =>
    page.replace(
      "consent   admin\n    }",
      "consent   admin\n    }\n    quota { 5 calls per turn  900 tokens per conversation }",
    ),
  );
  expect(findUncountedQuota(perDay, row(perDay), 0)).toMatch(/900 tokens per conversation/);
  const ofBackend = await tablesOf((page) =>
    page.replace('stub "replies.json" }', 'stub "replies.json"  quota { 900 tokens per conversation } }'),
  );
  expect(findUncountedQuota(ofBackend, row(ofBackend), 0)).toMatch(/900 tokens per conversation/);
});

test("offers only actions that both the kernel and the page allow", async () => {
  expect(await plan("show me the files", "operator", ["show_ticks"])).toEqual(
    unknown("an action was proposed that is not allowed here"),
  );
  expect(await plan("read notes", "visitor")).toEqual(unknown("an action was proposed that is not allowed here"));
  expect(await plan("show me the files", "operator", [])).toEqual(unknown("no action is allowed here"));
  expect(await plan("read notes", "visitor", ["read_file"])).toEqual(unknown("no action is allowed here"));
});

test("answers a malformed request with the reason", async () => {
  const bridge = bridgeIn(tables, "operator");
  for (const bytes of [Buffer.from("{"), new Uint8Array([0xff]), "tooLong" as const]) {
    const response = JSON.parse(Buffer.from(await respond(bridge, bytes, NEVER)).toString("utf8"));
    expect(response).toEqual(unknown(expect.stringMatching(/^the request is refused: /)));
  }
});

test("stops waiting for a model that does not answer, if the client has left", async () => {
  const gone = new AbortController();
  const bridge = bridgeIn(tables, "operator");
  const request = Buffer.from(JSON.stringify({ input: "forever", allowedActions: ACTIONS }));
  const response = respond(
    {
      ...bridge,
      permit: (...words) => {
        bridge.permit(...words);
        gone.abort();
      },
    },
    request,
    gone.signal,
  );
  expect(JSON.parse(Buffer.from(await response).toString("utf8"))).toEqual(
    unknown(expect.stringMatching(/^the planner failed/)),
  );
});

test("refuses a request that is too long for the model's context, instead of shortening it", async () => {
  const request = Buffer.from(JSON.stringify({ input: "x".repeat(1900), allowedActions: ACTIONS }));
  const asked = async (contextTokens: number) =>
    JSON.parse(
      Buffer.from(await respond(bridgeIn(tables, "operator", contextTokens), request, NEVER)).toString("utf8"),
    );
  expect(await asked(900)).toEqual(unknown("the request has no room in the model"));
  expect(await asked(300)).toEqual(unknown("the model has no room for a request"));
  expect(await asked(4096)).toEqual(unknown(expect.stringMatching(/^I am a stub/)));
});

test("property: the answer to any request is a plan that the validator of responses accepts", async () => {
  const bridge = bridgeIn(tables, "operator");
  const requests = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc
      .record({ input: fc.string({ maxLength: 100 }), allowedActions: fc.subarray([...ACTIONS]) })
      .map((it) => JSON.stringify(it)),
  );
  await fc.assert(
    fc.asyncProperty(requests, async (text) => {
      const response = await respond(bridge, Buffer.from(text), NEVER);
      expect(response.length).toBeLessThanOrEqual(MOST_RESPONSE_BYTES);
      expect(parseResponse(response, { allowedActions: ACTIONS })).toMatchObject({ ok: true });
    }),
  );
});
