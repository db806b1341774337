import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import type { HeldService, ServiceMethods } from "../../../lib/wire/generated/service.ts";
import { type CallResult, type Connection, connect, makeFailure, serve } from "../../../lib/wire/index.ts";
import { createHeld } from "./held.ts";
import { loadProgram } from "./program.ts";
import { serveOwn } from "./serve.ts";

const [DESK, NOTES] = [0x1001n, 0x2002n];
const METHODS: ServiceMethods = {
  schemaVersion: 1,
  toolList: new Uint8Array(),
  held: [],
  interfaceId: DESK,
  interfaceName: "Desk",
  methods: [{ ordinal: 0, name: "ask", readOnly: true, params: [], results: [] }],
};
const HELD: readonly HeldService[] = [{ name: "notes", interfaceId: NOTES, methods: [{ ordinal: 3, name: "read" }] }];

interface Asked {
  readonly method: number;
  readonly json: string;
  readonly signal: AbortSignal;
}

/** Returns the answer of a program to which the service notes is granted; `notes` answers the program's calls. */
async function asked(ask: string, notes: (asked: Asked) => Promise<string>, signal?: AbortSignal): Promise<string> {
  const loaded = await loadProgram(Buffer.from(`export default { ask: ${ask} };`), METHODS);
  if (!loaded.ok) throw new Error(loaded.reason);
  const [inner, provider] = duplexPair();
  serve(provider, [NOTES], async ({ method, payload, signal }) => {
    const json = payload.which === "json" ? payload.json : "";
    const answer = await notes({ method, json, signal });
    return answer.startsWith("!")
      ? makeFailure("failed", answer.slice(1))
      : { ok: true, payload: { which: "json", json: answer } };
  });
  const connection: Connection = connect(inner);
  const [outer, there] = duplexPair();
  serveOwn(there, {
    interfaceId: DESK,
    interfaceName: "Desk",
    methods: loaded.value,
    directory: undefined,
    stateBytes: 0,
    now: () => 0,
    held: (given) => createHeld(HELD, () => connection, given),
  });
  const reply = await connect(outer).callTool(DESK, 0, "{}", signal === undefined ? {} : { signal });
  return reply.ok ? reply.value : `${reply.code}: ${reply.reason}`;
}

/** Program that reports its result as the failure of its call, because this interface has no results. */
const TELLS = "async (_, { held }) => { throw new Error(JSON.stringify(await held.notes.read({ path: 'a' }))); }";

test("a program calls its granted service by the method's ordinal", async () => {
  const seen: string[] = [];
  const answer = await asked(TELLS, async ({ method, json }) => {
    seen.push(`${method} ${json}`);
    return '{"content":"milk"}';
  });
  expect([answer, seen]).toEqual(['failed: the program failed: {"content":"milk"}', ['3 {"path":"a"}']]);
});

test("a program gets the object of an answer, but not the text that accompanies it", async () => {
  expect(await asked(TELLS, async () => '[{"content":"milk"},"and a picture"]')).toBe(
    'failed: the program failed: {"content":"milk"}',
  );
});

test("a program gets only the services that were granted", async () => {
  const lists =
    "async (_, { held }) => { throw new Error(JSON.stringify([Object.keys(held), Object.keys(held.notes)])); }";
  expect(await asked(lists, async () => "{}")).toBe('failed: the program failed: [["notes"],["read"]]');
  const other = "async (_, { held }) => { await held.notes.write({}); }";
  expect(await asked(other, async () => "{}")).toMatch(/held.notes.write is not a function/);
});

test.each([
  ["a refusal", "!no such file", "notes.read: no such file"],
  [
    "malformed JSON",
    "{",
    "notes.read: it ran, and its answer cannot be read: a name in quotes is expected at character 2",
  ],
  ["a list instead of an object", "[1]", "notes.read: it ran, and its answer cannot be read: it is not an object"],
  ["an answer that does not fit its interface", '"three [it ran]"', "notes.read: three [it ran]"],
  [
    "a repeated name",
    '{"a":1,"a":2}',
    "notes.read: it ran, and its answer cannot be read: the same name stands twice at character 8",
  ],
])("%s from the granted service becomes an error of the program", async (_, answer, why) => {
  expect(await asked(TELLS, async () => answer)).toBe(`failed: the program failed: ${why}`);
});

test.each<readonly [string, CallResult | undefined, string]>([
  ["was not sent", undefined, ""],
  ["was sent and not answered", { is: "unanswered" }, "it was sent and may have run: "],
  ["got an unusable answer", { is: "answered", answer: "" }, "it ran, and "],
])("the error of a call that %s tells the program whether the call may have run", async (_, ran, words) => {
  const [stream] = duplexPair();
  const callTool: Connection["callTool"] = async () => ({
    ok: false,
    code: "closed",
    reason: "why",
    ...(ran && { ran }),
  });
  const held = createHeld(HELD, () => ({ ...connect(stream), callTool }), new AbortController().signal);
  await expect(held["notes"]?.["read"]?.()).rejects.toEqual(new Error(`notes.read: ${words}why`));
});

test("cancelling a call also cancels the calls that the program makes for it", async () => {
  const asking = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = asked(
    TELLS,
    async ({ signal }) => {
      asking.abort();
      await new Promise((go) => signal.addEventListener("abort", go));
      resolve();
      return "{}";
    },
    asking.signal,
  );
  expect(await answer).toMatch(/^cancelled/);
  await promise;
});
