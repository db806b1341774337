// Tests the program of llm-osd in an image with a mock gate: its requests to the gate, and its answers.
// compiler/dev/in-process/plans.test.ts tests it with a real gate.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUNDLED, bundled } from "./bundle.ts";
import llmOsd from "./module.ts";

type Call = readonly [method: string, args: object];

interface Played {
  readonly act?: (args: object) => object;
  readonly look?: object;
  readonly begin?: () => object;
}

function gate({ act = () => OK, look = { standing: "runs", reason: "" }, begin = () => ({ turn: 7 }) }: Played = {}) {
  const calls: Call[] = [];
  const answer = (method: string, give: (args: object) => object) => async (args: object) => {
    calls.push([method, args]);
    return give(args);
  };
  const held = {
    robots: {
      ...{ look: answer("look", () => look), begin: answer("begin", begin) },
      ...{ act: answer("act", act), refused: answer("refused", () => ({})) },
    },
  };
  const submit = async (plan: unknown, signal = new AbortController().signal) => {
    const text = typeof plan === "string" ? plan : JSON.stringify(plan);
    return JSON.parse((await llmOsd.submit({ plan: text }, { signal, held })).answer);
  };
  return { calls, submit };
}

const OK = { outcome: "ok", content: '{"content":"text"}', error: "" };
const READ = { type: "read_file", path: "a", max_bytes: 10, reason: "a test" };
const WRITE = { type: "write_file", path: "a", content: "b", mode: "0600", reason: "a test" };
const plan = (actions: readonly object[], more: object = {}) => ({
  ...{ request_id: "a:b", version: "0.1", mode: "execute", actions },
  ...more,
});

test("the library holds the current bundle of this room", async () => {
  expect(readFileSync(BUNDLED, "utf8")).toBe(await bundled());
});

test("proposes an action in the turn of its plan, under an id that the gate accepts", async () => {
  const { calls, submit } = gate();
  await submit(plan([READ, WRITE]));
  expect(calls.slice(1)).toEqual([
    ["act", { turn: 7, id: "a_b.0", action: { type: "read_file", path: "a" }, isCautious: false }],
    ["act", { turn: 7, id: "a_b.1", action: { type: "write_file", path: "a", content: "b" }, isCautious: false }],
  ]);
});

test.each([
  ["dangerous", { ...WRITE, danger: "yes" }],
  ["absolute", { ...READ, path: "/etc/passwd" }],
  ["climbing", { ...READ, path: "a/../b" }],
])("asks about an action that is %s, whatever the page says", async (_, action) => {
  const { calls, submit } = gate();
  await submit(plan([action]));
  expect(calls.at(-1)?.[1]).toMatchObject({ isCautious: true });
  const looked = await submit(plan([action], { mode: "plan_only" }));
  expect(looked.results).toEqual([{ type: action.type, ok: true, needs_confirmation: true }]);
});

test.each([
  ["refusedByPolicy", "policy_denied"],
  ["unknownTool", "policy_denied"],
  ["invalidArguments", "policy_denied"],
  ["anything else", "policy_denied"],
  ["deniedByUser", "confirmation_required"],
  ["stepUpFailed", "confirmation_required"],
  ["executionError", "read_failed"],
  ["timedOut", "read_failed"],
  ["cancelled", "read_failed"],
])("maps the outcome %s to the code %s, with the gate's message", async (outcome, code) => {
  const { submit } = gate({ act: () => ({ outcome, content: "", error: "why" }) });
  expect((await submit(plan([READ]))).results).toEqual([
    { type: "read_file", ok: false, error: { code, message: "why" } },
  ]);
});

test("reports a gate that fails or answers malformed data", async () => {
  const throwing = gate({
    act: () => {
      throw new Error("gone");
    },
  });
  expect((await throwing.submit(plan([READ]))).results[0].error).toEqual({ code: "policy_denied", message: "gone" });
  const odd = gate({ act: () => ({ outcome: "ok", content: "[1]", error: "" }) });
  expect((await odd.submit(plan([READ]))).results[0].error.code).toBe("read_failed");
});

test("does not begin a plan that cannot be recorded", async () => {
  const { calls, submit } = gate({
    begin: () => {
      throw new Error("robots.begin: the log takes no more");
    },
  });
  expect(await submit(plan([WRITE]))).toMatchObject({ ok: false, request_id: "a:b", error: { code: "audit_failed" } });
  expect(calls.map(([method]) => method)).toEqual(["begin"]);
});

test("refuses programs, and a file mode other than the service's", async () => {
  const { calls, submit } = gate();
  const exec = { type: "exec", argv: ["/bin/ls"], timeout_sec: 1, as_root: false, reason: "a test" };
  for (const action of [exec, { ...WRITE, mode: "0644" }])
    expect((await submit(plan([action]))).results[0].error.code).toBe("policy_denied");
  expect(calls.map(([method]) => method)).toEqual(["begin", "begin"]);
});

test("stops executing when the client disconnects", async () => {
  const leaving = new AbortController();
  const { calls, submit } = gate({
    act: () => {
      leaving.abort();
      return OK;
    },
  });
  const { results } = await submit(plan([READ, WRITE]), leaving.signal);
  expect(results[1].error.code).toBe("not_run");
  expect(calls.filter(([method]) => method === "act")).toHaveLength(1);
});

test("plans that arrive together run one after another", async () => {
  const { calls, submit } = gate();
  const plans = ["a", "b", "c"].map((request_id) => submit(plan([READ, WRITE], { request_id })));
  expect((await Promise.all(plans)).map((told) => told.request_id)).toEqual(["a", "b", "c"]);
  const whose = calls.flatMap(([method, args]) => (method === "act" && "id" in args ? [args.id] : []));
  expect(whose).toEqual(["a.0", "a.1", "b.0", "b.1", "c.0", "c.1"]);
});

test("property: the content returned is the beginning of the file, wherever the gate cuts it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", minLength: 1 }), fc.nat(), async (text, at) => {
      fc.pre(text.isWellFormed());
      const told = Buffer.from(JSON.stringify({ content: text }));
      let end = '{"content":"'.length + (at % told.length);
      while (end < told.length && ((told[end] ?? 0) & 0xc0) === 0x80) end += 1;
      const isCut = end < told.length;
      const content = isCut
        ? `${told.toString("utf8", 0, end)} [cut: ${told.length - end} more bytes]`
        : told.toString();
      const { submit } = gate({ act: () => ({ outcome: "ok", content, error: "" }) });
      const [result] = (await submit(plan([{ ...READ, max_bytes: 65_536 }]))).results;
      expect(result.ok).toBe(true);
      const read = Buffer.from(result.content_base64, "base64").toString();
      expect(text.startsWith(read)).toBe(true);
      expect(result.truncated).toBe(isCut);
    }),
  );
});

test("property: answers any input, and submits only valid plans to the gate", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
      const { calls, submit } = gate();
      expect((await submit(text)).ok).toBe(false);
      expect(calls.map(([method]) => method)).toEqual(["refused"]);
    }),
  );
});
