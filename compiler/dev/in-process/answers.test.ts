// Tests of models against a compromised loop. The compromised loop has a connection to every model of its session, and
// uses all data that it has received. Whatever the loop requests, the models answer only what the gate allowed. The
// gate allows each answer once, within the page's token quota. The backend must be cleared for the content of the
// request.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { always, backend, PUBLIC, row, SECRET, tables, tool } from "../../../engine/lib/policy/testing/sample.ts";
import { LanguageModel, TokenStream } from "../../../engine/lib/wire/generated/capos.ts";
import { PolicyTables as layout, type Quota, type Type } from "../../../engine/lib/wire/generated/policy.ts";
import { Files } from "../../../engine/lib/wire/generated/tools.ts";
import { ToolProxy } from "../../../engine/lib/wire/generated/wire.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

const text: Type = { which: "text", text: { maxBytes: 0 } };
const read = tool("notes.read", {
  interfaceId: Files.id,
  method: Files.methods.read.ordinal,
  params: [{ name: "path", type: text, required: true }],
  readOnly: true,
  result: { low: PUBLIC, high: SECRET },
});
const tokens: Quota = { amount: 600n, unit: "tokens", name: "", scope: "turn", rule: 0 };
const hearing = (name: string, confidentiality: number) =>
  backend(name, { clearance: { confidentiality, integrity: 0, compartments: 0n } });
/** Backend `low` is cleared for public data, and `deep` for all data; the result of the tool `read` is secret. */
const TABLES = encodeMessage(
  layout,
  tables({
    tools: [read],
    decisions: [{ clauses: [always("auto")], floors: [] }],
    backends: [hearing("deep", 2), hearing("low", 0)],
    rows: [
      row("operator", [2], {
        quotas: [tokens],
        backends: [
          { backend: 1, mode: "auto" },
          { backend: 0, mode: "auto" },
        ],
      }),
    ],
  }),
);
const REPLIES = Buffer.from(
  JSON.stringify([
    { when: { user: "hello" }, say: "Hello to you." },
    { when: { user: "ramble" }, say: "x".repeat(4000) },
    { when: { user: "which city" }, say: '{"city":"Oslo"}' },
    { when: { user: "which other" }, say: '{"town":"Oslo"}' },
    { when: { user: "read" }, say: "", call: [{ name: "notes.read", arguments: { path: "todo.txt" } }] },
    { when: { tool: "notes.read", outcome: "ok" }, say: "It says: {content}" },
  ]),
);

let folder = "";
let stage: Rehearsal;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-answers-"));
  for (const name of ["notes", "audit"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "notes/todo.txt"), "buy milk");
  const files = { notes: join(folder, "notes") };
  stage = await rehearse({ tables: TABLES, session: "operator", replies: REPLIES, files, disk: join(folder, "audit") });
});
afterEach(async () => {
  await stage.leave();
  rmSync(folder, { recursive: true });
});

async function described() {
  const reply = await stage.proxy.call(ToolProxy.methods.describeTools, {
    conversation: stage.gate.place.conversation,
  });
  if (!reply.ok) throw new Error(reply.reason);
  return reply.value;
}

function ask(content: string, nonce: Uint8Array, responseSchema = "") {
  const message = { role: "user", content, toolCallId: "", toolCalls: [] } as const;
  const bounds = { tools: [], maxTokens: 2 ** 31, temperature: 0, stopSequences: [] };
  return { messages: [message], ...bounds, responseSchema, nonce };
}

/**
 * Sends a request with this nonce to the model of the backend `name`, and returns its response. After a failure the
 * text ends with `!` and the reason.
 */
async function heard(name: string, nonce: Uint8Array, content = "hello"): Promise<string> {
  const model = stage.models.get(name);
  if (model === undefined) throw new Error(name);
  const opened = await model.call(LanguageModel.methods.stream, { req: ask(content, nonce) });
  if (!opened.ok) return `!${opened.reason}`;
  let all = "";
  for (;;) {
    const next = await model.call(TokenStream.methods.next, {});
    if (!next.ok) return `${all}!${next.reason}`;
    if (next.value.done) return all;
    all += next.value.chunk.textDelta;
  }
}

const REFUSED = "!the gate has not allowed this request";

test("a model does not answer a request with an invented, used, outdated or foreign nonce", async () => {
  await stage.console.beginTurn();
  const first = await described();
  const second = await described();
  expect(second.backend).toBe("low");
  for (const nonce of [new Uint8Array(), Buffer.alloc(16), first.nonce])
    expect(await heard("low", nonce)).toBe(REFUSED);
  expect(await heard("deep", second.nonce)).toBe(REFUSED);
  expect(await heard("low", second.nonce)).toBe("Hello to you.");
  expect(await heard("low", second.nonce)).toBe(REFUSED);
});

test("a loop cannot get more tokens than the page allows, in one response or in many", async () => {
  await stage.console.beginTurn();
  let given = 0;
  for (let round = 0; round < 40; round += 1) {
    const reply = await stage.proxy.call(ToolProxy.methods.describeTools, {
      conversation: stage.gate.place.conversation,
    });
    if (!reply.ok) break;
    given += (await heard("low", reply.value.nonce, "ramble")).replace(/!.*/, "").length;
  }
  // The quota of 600 tokens allows 2400 bytes, because a token is four bytes. Prompts use a part of the quota.
  expect(given).toBeGreaterThan(1000);
  expect(given).toBeLessThanOrEqual(2400);
  expect(await stage.command("budget")).toEqual([
    expect.stringMatching(/^600 tokens per turn: (59\d|600) of 600 spent/),
  ]);
  await stage.console.beginTurn();
  expect(await heard("low", (await described()).nonce)).toBe("Hello to you.");
});

test("a backend does not answer a request with an older nonce after the label rises above its clearance", async () => {
  await stage.console.beginTurn();
  const { turn, snapshot, nonce } = await described();
  const call = { id: "1", name: "notes.read", arguments: '{"path":"todo.txt"}' };
  const reply = await stage.proxy.call(ToolProxy.methods.invokeTool, {
    conversation: stage.gate.place.conversation,
    turn,
    snapshot,
    call,
  });
  expect(reply).toMatchObject({ ok: true, value: { result: { outcome: "ok" } } });
  expect(await heard("low", nonce, "buy milk")).toBe(REFUSED);
  expect((await described()).backend).toBe("deep");
});

test("an honest loop continues with the page's next backend after the first loses its clearance", async () => {
  const drawn = await stage.console.say("read");
  expect(drawn.map((one) => (one.what === "text" ? one.text : "")).join("")).toContain("It says: buy milk");
});

const CITY =
  '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}';

test.each<[string, string, string, object]>([
  [
    "a fitting answer comes whole",
    "which city",
    CITY,
    { value: { resp: { message: { content: '{"city":"Oslo"}' } } } },
  ],
  [
    "an answer that does not fit is malformed",
    "which other",
    CITY,
    { code: "malformed", reason: expect.stringContaining("has a member that is not in the schema") },
  ],
  [
    "a schema with other words fails before the model is asked",
    "which city",
    '{"type":"object","minProperties":1}',
    { code: "failed", reason: expect.stringContaining("responseSchema is not supported") },
  ],
])("gate and model handle a request with a responseSchema: %s", async (_, content, responseSchema, expected) => {
  await stage.console.beginTurn();
  const { nonce, backend: name } = await described();
  const reply = await stage.models
    .get(name)
    ?.call(LanguageModel.methods.complete, { req: ask(content, nonce, responseSchema) });
  expect(reply).toMatchObject(expected);
});
