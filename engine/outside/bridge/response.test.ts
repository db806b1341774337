import fc from "fast-check";
import { expect, test } from "vitest";
import { ACTIONS, ARGUMENTS, INTENTS, MOST_RESPONSE_BYTES, RISKS } from "./names.ts";
import { makeUnknownPlan, parseResponse } from "./response.ts";

const ALL = { allowedActions: ACTIONS };
const judge = (value: unknown, request = ALL) =>
  parseResponse(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)), request);
const reason = (value: unknown, request = ALL): string => {
  const judged = judge(value, request);
  return judged.ok ? "accepted" : judged.reason;
};

/** The example response of the protocol. */
const SEED = {
  intent: "list_files",
  action: "list_files",
  args: [],
  risk: "safe",
  explanation: "The user wants to see the files available in the OS.",
};
const READ = { intent: "read_file", action: "read_file", args: ["notes"], risk: "safe" };

test("accepts the protocol's example response unchanged", () => {
  expect(judge(SEED)).toEqual({ ok: true, value: SEED });
});

test("args and explanation are optional", () => {
  const { args: _, explanation: __, ...least } = SEED;
  expect(judge(least)).toEqual({ ok: true, value: { ...least, args: [] } });
});

test.each(ACTIONS)("%s takes the arguments that the protocol defines, and no more", (action) => {
  const most = ARGUMENTS[action];
  const plan = (args: readonly string[]) => ({ intent: action, action, risk: "risky", args });
  expect(reason(plan(["a"].slice(0, most)))).toBe("accepted");
  expect(reason(plan(["a", "b"].slice(0, most + 1)))).toMatch(`${action} takes ${most} arguments`);
});

test("accepts a plan with the action unknown, whatever the list of allowed actions", () => {
  expect(reason(makeUnknownPlan("no action fits"), { allowedActions: [] })).toBe("accepted");
  expect(reason({ ...makeUnknownPlan(""), intent: "write_file" }, { allowedActions: [] })).toBe("accepted");
});

test("accepts risky as the risk of every action", () => {
  for (const action of ACTIONS) expect(reason({ intent: action, action, risk: "risky" })).toBe("accepted");
});

// The protocol's list of invalid responses, in its order.
test.each([
  ["required fields are missing: intent", { ...SEED, intent: undefined }, /"intent"/],
  ["required fields are missing: action", { ...SEED, action: undefined }, /"action"/],
  ["required fields are missing: risk", { ...SEED, risk: undefined }, /"risk"/],
  ["wrong JSON type: intent", { ...SEED, intent: 1 }, /"intent"/],
  ["wrong JSON type: action", { ...SEED, action: ["list_files"] }, /"action"/],
  ["wrong JSON type: risk", { ...SEED, risk: true }, /"risk"/],
  ["wrong JSON type: args", { ...SEED, args: "notes" }, /"args" has to be a list of texts/],
  ["wrong JSON type: an argument", { ...READ, args: [7] }, /"args" has to be a list of texts/],
  ["wrong JSON type: null for args", { ...SEED, args: null }, /"args"/],
  ["wrong JSON type: explanation", { ...SEED, explanation: {} }, /"explanation"/],
  ["the action is unknown", { ...SEED, action: "format_disk" }, /"action" has to be a known action/],
  ["the action is an intent alone", { ...SEED, action: "set_mode" }, /"action" has to be a known action/],
  ["the intent is unknown", { ...SEED, intent: "own_the_machine" }, /"intent" has to be a known intent/],
  ["the risk is unknown", { ...SEED, risk: "harmless" }, /"risk" has to be safe or risky/],
  ["more args than the action expects", { ...READ, args: ["a", "b"] }, /read_file takes 1 arguments, and 2/],
  ["args of an action without any", { ...SEED, args: ["a"] }, /list_files takes 0 arguments, and 1/],
  ["args of unknown", { ...makeUnknownPlan(""), args: ["a"] }, /unknown takes 0/],
  ["an argument beyond the target's limit", { ...READ, args: ["seventeen-letters"] }, /at most 16 bytes/],
  ["an argument beyond the target's limit in bytes", { ...READ, args: ["ü".repeat(9)] }, /at most 16 bytes/],
  ["a raw execution field: command", { ...SEED, command: "ls" }, /"command" is no field of a plan/],
  ["a raw execution field: shell", { ...SEED, shell: "/bin/sh" }, /"shell" is no field/],
  ["a raw execution field: argv", { ...SEED, argv: ["ls"] }, /"argv" is no field/],
  ["a raw execution field: script", { ...SEED, script: "" }, /"script" is no field/],
  ["a raw execution field: exec", { ...SEED, exec: null }, /"exec" is no field/],
  ["an execution field under another name", { ...SEED, Command: "ls", cmd: "ls" }, /is no field of a plan/],
  ["another intent than the action's", { ...READ, intent: "list_files" }, /read_file is not what list_files intends/],
  ["a deletion with the risk safe", { ...READ, intent: "delete_file", action: "delete_file" }, /is risky/],
  ["a list of plans", [SEED], /no JSON object/],
  ["a command line", "rm -rf /", /no JSON/],
  ["a repeated field", '{"intent":"unknown","action":"list_files","action":"unknown","risk":"safe"}', /stands twice/],
])("rejects: %s", (_, value, why) => {
  expect(reason(value)).toMatch(why);
});

test("rejects a known action that is not in allowedActions", () => {
  expect(reason(SEED, { allowedActions: ["read_file"] })).toBe("list_files is not allowed here");
});

test("accepts a target of exactly the maximum length", () => {
  expect(reason({ ...READ, args: ["sixteen-letters!"] })).toBe("accepted");
});

test("counts the bytes of a response before it parses them", () => {
  const filled = (words: string) => JSON.stringify({ ...SEED, explanation: words });
  const room = MOST_RESPONSE_BYTES - Buffer.byteLength(filled(""));
  expect(reason(filled("x".repeat(room)))).toBe("accepted");
  expect(reason(filled("x".repeat(room + 1)))).toBe("longer than 1024 bytes");
});

test("property: an accepted plan holds only the protocol's words and an allowed action", () => {
  const words = fc.constantFrom(...INTENTS, ...RISKS, "command", "exec");
  const plans = fc.record(
    {
      intent: words,
      action: words,
      risk: words,
      args: fc.array(fc.string({ maxLength: 20 }), { maxLength: 2 }),
      explanation: fc.string({ maxLength: 20 }),
      exec: fc.string(),
    },
    { requiredKeys: ["intent"] },
  );
  fc.assert(
    fc.property(plans, fc.subarray([...ACTIONS]), (plan, allowedActions) => {
      const judged = judge(plan, { allowedActions });
      if (!judged.ok) return;
      const { action, args } = judged.value;
      expect(plan).not.toHaveProperty("exec");
      expect(action === "unknown" || allowedActions.includes(action)).toBe(true);
      expect(args.length).toBeLessThanOrEqual(action === "unknown" ? 0 : ARGUMENTS[action]);
    }),
  );
});

test("property: accepts or rejects any bytes, and never throws", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void parseResponse(bytes, ALL)));
  fc.assert(fc.property(fc.json(), (text) => void judge(text)));
});
