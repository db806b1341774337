import fc from "fast-check";
import { expect, test } from "vitest";
import * as limits from "./limits.ts";
import { readPlan } from "./read-plan.ts";

const read = (value: unknown) => readPlan(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));
const fault = (value: unknown): string => {
  const plan = read(value);
  return plan.ok ? "accepted" : `${plan.error.code}: ${plan.error.message}`;
};

const PLAN = { request_id: "r-1", version: "0.1", mode: "execute", actions: [{ type: "ping" }] };
const EXEC = { type: "exec", argv: ["/bin/echo", "hi"], timeout_sec: 5, as_root: false, reason: "why" };
const READ = { type: "read_file", path: "notes", max_bytes: 10, reason: "why" };
const WRITE = { type: "write_file", path: "notes", content: "x", mode: "0644", reason: "why" };
const withAction = (action: object) => ({ ...PLAN, actions: [action] });

test("reads a plan with every optional field", () => {
  const plan = { ...PLAN, session_id: "s", mode: "plan_only", confirmation: { token: "t" } };
  expect(read(plan)).toEqual({ ok: true, plan });
});

test("reads null as absent", () => {
  const nothing = { cwd: null, env: null, danger: null, recovery: null };
  const plan = { ...withAction({ ...EXEC, ...nothing }), session_id: null, confirmation: null };
  const { as_root: _, ...exec } = EXEC;
  expect(read(plan)).toEqual({ ok: true, plan: { ...PLAN, actions: [{ ...exec, env: {} }] } });
});

test("the actions of a plan keep their order", () => {
  const plan = read({ ...PLAN, actions: [WRITE, { type: "ping" }, READ, EXEC] });
  expect(plan.ok && plan.plan.actions.map(({ type }) => type)).toEqual(["write_file", "ping", "read_file", "exec"]);
});

test.each([
  ["an unknown field of the envelope", { ...PLAN, shell: "sh" }, "shell is not known"],
  [
    "an unknown field of a confirmation",
    { ...PLAN, confirmation: { token: "t", always: true } },
    "confirmation.always is not known",
  ],
  ["an unknown field of a ping", withAction({ type: "ping", argv: [] }), "actions[0].argv is not known"],
  ["an unknown field of an exec", withAction({ ...EXEC, shell: true }), "actions[0].shell is not known"],
  ["an unknown field of a read_file", withAction({ ...READ, follow: true }), "actions[0].follow is not known"],
  ["an unknown field of a write_file", withAction({ ...WRITE, append: true }), "actions[0].append is not known"],
  ["no request_id", { ...PLAN, request_id: undefined }, "request_id has to be a text"],
  ["an empty request_id", { ...PLAN, request_id: "" }, "request_id has to be an id"],
  ["a request_id of two lines", { ...PLAN, request_id: "a\nb" }, "request_id has to be an id"],
  ["another version", { ...PLAN, version: "0.2" }, "version has to be 0.1"],
  ["no actions", { ...PLAN, actions: [] }, "actions has to be a list"],
  ["malformed actions", { ...PLAN, actions: { type: "ping" } }, "actions has to be a list"],
  ["a malformed action", withAction([]), "actions[0].type has to be"],
  ["an unknown action", withAction({ type: "reboot" }), "actions[0].type has to be"],
  ["as_root", withAction({ ...EXEC, as_root: true }), "as_root is refused"],
  ["as_root as a text", withAction({ ...EXEC, as_root: "false" }), "as_root is refused"],
  ["no program", withAction({ ...EXEC, argv: [] }), "argv has to be a list of 1 to 64 texts"],
  ["a command line", withAction({ ...EXEC, argv: "/bin/echo hi" }), "argv has to be a list"],
  ["a program without an absolute path", withAction({ ...EXEC, argv: ["echo"] }), "argv[0] has to be an absolute path"],
  ["an argument with a zero byte", withAction({ ...EXEC, argv: ["/bin/echo", "a\0b"] }), "argv[1] holds a zero byte"],
  ["a malformed argument", withAction({ ...EXEC, argv: ["/bin/echo", 1] }), "argv[1] has to be a text"],
  ["a folder without an absolute path", withAction({ ...EXEC, cwd: "tmp" }), "cwd has to be an absolute path"],
  ["a malformed variable", withAction({ ...EXEC, env: { "A=B": "c" } }), "env holds a name"],
  ["a value that is not a text", withAction({ ...EXEC, env: { A: 1 } }), "env.A has to be a text"],
  ["a malformed environment", withAction({ ...EXEC, env: ["A=B"] }), "env has to be an object"],
  ["a path with a zero byte", withAction({ ...READ, path: "a\0b" }), "path holds a zero byte"],
  ["no reason", withAction({ ...READ, reason: undefined }), "reason has to be a text"],
  ["a mode with setuid", withAction({ ...WRITE, mode: "4755" }), "mode has to be rights"],
  ["a malformed mode", withAction({ ...WRITE, mode: "rw" }), "mode has to be rights"],
])("fails with validation_failed: %s", (_, plan, words) => {
  expect(fault(plan)).toMatch(/^validation_failed: /);
  expect(fault(plan)).toContain(words);
});

test("an unknown mode has an error code of its own", () => {
  expect(fault({ ...PLAN, mode: "force" })).toBe("mode_invalid: mode has to be plan_only or execute");
});

test.each([
  ["malformed JSON", "hello", /a value is expected/],
  ["a list", [PLAN], /no JSON object/],
  ["two documents", `${JSON.stringify(PLAN)} {}`, /something follows/],
  ["a repeated field", '{"mode":"plan_only","mode":"execute"}', /stands twice/],
  ["too deep", `{"actions":${"[".repeat(40)}`, /deeper than 32 levels/],
  ["a name that every object inherits", '{"__proto__":{}}', /__proto__/],
])("fails with parse_failed: %s", (_, plan, words) => {
  expect(fault(plan)).toMatch(/^parse_failed: /);
  expect(fault(plan)).toMatch(words);
});

test("reports all faults at once, with the request's id", () => {
  expect(read({ ...PLAN, version: "9", actions: [{ ...READ, max_bytes: 0, reason: "" }] })).toEqual({
    ok: false,
    request_id: "r-1",
    error: {
      code: "validation_failed",
      message: [
        "version has to be 0.1",
        "actions[0].max_bytes has to be a whole number from 1 to 65536",
        "actions[0].reason has to have 1 to 1024 bytes",
      ].join("; "),
    },
  });
});

const words = (bytes: number) => "x".repeat(bytes);

/** Each limit, with its value and a request of a given size. The limit itself is accepted, and a size one above it is refused. */
const BOUNDS: readonly (readonly [string, number, (size: number) => object])[] = [
  ["request_id", 128, (size) => ({ ...PLAN, request_id: words(size) })],
  ["session_id", 128, (size) => ({ ...PLAN, session_id: words(size) })],
  ["actions", limits.MOST_ACTIONS, (size) => ({ ...PLAN, actions: Array(size).fill({ type: "ping" }) })],
  ["token", 256, (size) => ({ ...PLAN, confirmation: { token: words(size) } })],
  ["reason", 1024, (size) => withAction({ ...READ, reason: words(size) })],
  ["danger", 1024, (size) => withAction({ ...READ, danger: words(size) })],
  ["recovery", 1024, (size) => withAction({ ...READ, recovery: words(size) })],
  ["path", 4096, (size) => withAction({ ...READ, path: words(size) })],
  ["path of a write", 4096, (size) => withAction({ ...WRITE, path: words(size) })],
  ["max_bytes", 65_536, (size) => withAction({ ...READ, max_bytes: size })],
  ["content", 65_536, (size) => withAction({ ...WRITE, content: words(size) })],
  ["content, in bytes", 65_536, (size) => withAction({ ...WRITE, content: `ü${words(size - 2)}` })],
  ["argv", 64, (size) => withAction({ ...EXEC, argv: ["/bin/echo", ...Array(size - 1).fill("x")] })],
  ["an argument of argv", 4096, (size) => withAction({ ...EXEC, argv: ["/bin/echo", words(size)] })],
  ["argv together", 32_768, (size) => withAction({ ...EXEC, argv: ["/bin/echo", ...split(size - 9, 4096)] })],
  ["cwd", 4096, (size) => withAction({ ...EXEC, cwd: `/${words(size - 1)}` })],
  ["env", 64, (size) => withAction({ ...EXEC, env: variables(Array(size).fill("x")) })],
  ["a name of env", 128, (size) => withAction({ ...EXEC, env: { [words(size)]: "" } })],
  ["a value of env", 4096, (size) => withAction({ ...EXEC, env: { A: words(size) } })],
  ["env together", 32_768, (size) => withAction({ ...EXEC, env: variables(split(size - 9 * 4, 4000)) })],
  ["timeout_sec", 60, (size) => withAction({ ...EXEC, timeout_sec: size })],
];

function split(bytes: number, most: number): readonly string[] {
  return [...Array(Math.ceil(bytes / most)).keys()].map((index) => words(Math.min(most, bytes - index * most)));
}

/** Returns variables with names of four characters. */
function variables(values: readonly string[]): object {
  return Object.fromEntries(values.map((value, index) => [`V${String(index).padStart(3, "0")}`, value]));
}

test.each(BOUNDS)("%s has a maximum of %i", (_, most, planOf) => {
  expect(fault(planOf(most))).toBe("accepted");
  expect(fault(planOf(most + 1))).toMatch(/^validation_failed: /);
});

test("property: accepts every size within its bound and refuses every size beyond it", () => {
  for (const [, most, planOf] of BOUNDS) {
    const least = most < 100 ? 1 : 64;
    fc.assert(
      fc.property(fc.integer({ min: least, max: most }), fc.integer({ min: 1, max: 300 }), (size, more) => {
        expect(fault(planOf(size))).toBe("accepted");
        expect(fault(planOf(most + more))).toMatch(/^validation_failed: /);
      }),
      { numRuns: 5 },
    );
  }
});

test.each([0, -1, 1.5, "5", null])("refuses %j as max_bytes and timeout_sec", (size) => {
  expect(fault(withAction({ ...READ, max_bytes: size }))).toMatch(/^validation_failed: /);
  expect(fault(withAction({ ...EXEC, timeout_sec: size }))).toMatch(/^validation_failed: /);
});

test("checks the size of a request before it parses it", () => {
  const filled = (bytes: number) => `${JSON.stringify(PLAN)}${" ".repeat(bytes)}`;
  const room = limits.MOST_REQUEST_BYTES - JSON.stringify(PLAN).length;
  expect(fault(filled(room))).toBe("accepted");
  expect(fault(filled(room + 1))).toBe("request_too_large: a request has at most 262144 bytes");
});

test("property: any bytes give a plan or a failure, and a plan has only known fields", () => {
  const names = fc.constantFrom("request_id", "version", "mode", "actions", "type", "argv", "exec", "reason", "path");
  const values = fc.oneof(
    fc.constantFrom("r", "0.1", "execute", "ping", "exec", 1, null),
    fc.json().map((text) => text),
  );
  const records = fc.dictionary(names, values);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readPlan(bytes)));
  fc.assert(
    fc.property(records, fc.array(records, { maxLength: 3 }), (plan, actions) => void read({ ...plan, actions })),
  );
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 12 }), (name) => {
      for (const action of [EXEC, READ, WRITE, { type: "ping" }]) {
        if (!(name in action) && !["cwd", "env", "danger", "recovery"].includes(name))
          expect(fault(withAction({ ...action, [name]: 1 }))).not.toBe("accepted");
      }
    }),
  );
});
