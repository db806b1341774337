import fc from "fast-check";
import { expect, test } from "vitest";
import { ACTIONS, ARGUMENTS, INTENTS, MOST_REQUEST_BYTES, RISKS } from "./names.ts";
import { requestFrom } from "./request.ts";

const read = (value: unknown) => requestFrom(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));
const reason = (value: unknown): string => {
  const request = read(value);
  return request.ok ? "accepted" : request.reason;
};

/** The example request of the protocol. */
const SEED = {
  input: "show me the files",
  context: {
    lastIntent: "read_file",
    lastAction: "read_file",
    lastSummary: "Read file notes",
    requestCount: 3,
  },
  allowedActions: [
    "list_files",
    "read_file",
    "stat_file",
    "delete_file",
    "show_history",
    "show_version",
    "show_ticks",
    "show_memory_map",
  ],
};

test("the actions, risks and intents have the protocol's names, in its order", () => {
  expect(ACTIONS).toEqual([
    "list_files",
    "read_file",
    "delete_file",
    "stat_file",
    "show_history",
    "show_version",
    "show_ticks",
    "show_memory_map",
  ]);
  expect([...ACTIONS].sort()).toEqual([...SEED.allowedActions].sort());
  const takesTarget = ACTIONS.filter((action) => ARGUMENTS[action] === 1);
  expect(takesTarget).toEqual(["read_file", "delete_file", "stat_file"]);
  expect(RISKS).toEqual(["safe", "risky"]);
  expect(INTENTS).toEqual([
    ...["unknown", "list_files", "read_file", "write_file", "delete_file", "stat_file", "show_help", "show_history"],
    ...["show_version", "show_ticks", "show_memory_map", "set_mode"],
  ]);
});

test("reads the protocol's example request unchanged", () => {
  expect(read(SEED)).toEqual({ ok: true, value: SEED });
});

test("the context and each of its fields are optional", () => {
  expect(read({ input: "", allowedActions: [] })).toEqual({
    ok: true,
    value: { input: "", context: {}, allowedActions: [] },
  });
  expect(read({ input: "x", context: { requestCount: 0 }, allowedActions: [] }).ok).toBe(true);
  expect(read({ input: "x", context: { lastAction: "unknown", lastIntent: "set_mode" }, allowedActions: [] }).ok).toBe(
    true,
  );
});

test("accepts names of the protocol that are not among the eight actions, but does not offer them", () => {
  const more = ["write_file", "show_help", "set_mode"] as const;
  expect(read({ ...SEED, allowedActions: [...SEED.allowedActions, ...more] })).toEqual({ ok: true, value: SEED });
  for (const lastAction of more) {
    const context = { ...SEED.context, lastAction };
    expect(read({ ...SEED, context })).toEqual({ ok: true, value: { ...SEED, context } });
  }
});

test.each([
  ["a missing input", { allowedActions: [] }, /"input" has to be a text/],
  ["an input that is not a text", { ...SEED, input: ["ls"] }, /"input" has to be a text/],
  ["missing allowedActions", { input: "x" }, /"allowedActions"/],
  ["allowedActions that are not a list", { ...SEED, allowedActions: "list_files" }, /"allowedActions"/],
  ["an unknown action", { ...SEED, allowedActions: ["list_files", "shell"] }, /"allowedActions"/],
  [
    "a repeated intent that is not a bridge action",
    { ...SEED, allowedActions: ["set_mode", "set_mode"] },
    /none twice/,
  ],
  ["unknown as an action to choose", { ...SEED, allowedActions: ["unknown"] }, /"allowedActions"/],
  ["a repeated action", { ...SEED, allowedActions: ["list_files", "list_files"] }, /none twice/],
  ["an action that is not a text", { ...SEED, allowedActions: [1] }, /"allowedActions"/],
  ["a name that every object inherits", { ...SEED, allowedActions: ["toString"] }, /"allowedActions"/],
  ["a context that is not an object", { ...SEED, context: [] }, /"context" has to be an object/],
  ["an unknown lastIntent", { ...SEED, context: { lastIntent: "rm" } }, /"lastIntent"/],
  ["an unknown lastAction", { ...SEED, context: { lastAction: "format_disk" } }, /"lastAction"/],
  ["a lastSummary that is not a text", { ...SEED, context: { lastSummary: 1 } }, /"lastSummary"/],
  ["a negative requestCount", { ...SEED, context: { requestCount: -1 } }, /"requestCount"/],
  ["a fractional requestCount", { ...SEED, context: { requestCount: 0.5 } }, /"requestCount"/],
  ["a shell command", { ...SEED, command: "ls" }, /"command" is no field of a request/],
  ["history to replay", { ...SEED, context: { history: ["ls"] } }, /"history" is no field of a context/],
  ["a list", [SEED], /no JSON object/],
  ["malformed JSON", "show me the files", /no JSON/],
  ["a repeated field", '{"input":"a","input":"b","allowedActions":[]}', /the same name stands twice/],
])("refuses %s", (_, value, why) => {
  expect(reason(value)).toMatch(why);
});

test("counts the bytes of a request before it parses them", () => {
  const filled = (input: string) => JSON.stringify({ input, allowedActions: [] });
  const room = MOST_REQUEST_BYTES - Buffer.byteLength(filled(""));
  expect(reason(filled("x".repeat(room)))).toBe("accepted");
  expect(reason(filled("x".repeat(room + 1)))).toBe("longer than 2048 bytes");
  expect(reason(filled("é".repeat(room / 2 + 1)))).toBe("longer than 2048 bytes");
  expect(requestFrom(new Uint8Array([0xff]))).toEqual({ ok: false, reason: "no UTF-8" });
  expect(reason("[".repeat(2048))).toMatch(/deeper than 32 levels/);
});

test("property: reads or refuses any bytes, and never throws", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void requestFrom(bytes)));
  fc.assert(fc.property(fc.json(), (text) => void requestFrom(Buffer.from(text))));
});
