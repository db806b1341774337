// Tests the worker with the real egress, and with providers that answer, stall, refuse and report false counts.

import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { estimatePromptTokens } from "../../../lib/context/index.ts";
import { type InferenceRequest, LanguageModel, TokenStream } from "../../../lib/wire/generated/capos.ts";
import type { Endpoint } from "../../../lib/wire/generated/egress.ts";
import { type Connection, connect } from "../../../lib/wire/index.ts";
import { serveExchange } from "../../egress/stream.ts";
import { makeEndpoint } from "../../egress/testing/holder.ts";
import { createInternet, serveText } from "../../egress/testing/internet.ts";
import { Permits } from "../permits.ts";
import { type Scheduler, Turns } from "../turns.ts";
import { OLLAMA } from "./ollama.ts";
import { OPENAI } from "./openai.ts";
import { Provider } from "./provider.ts";
import { serveRemote } from "./serve.ts";
import { delta, event, written } from "./testing/answers.ts";

const READ = {
  name: "notes.read",
  description: "Reads a note.",
  interfaceId: 1n,
  methodName: "read",
  paramSchema: '{"type":"object"}',
  permission: "auto" as const,
  category: "readOnly",
};
const HEAD = { openai: "text/event-stream", ollama: "application/x-ndjson" };

/** Returns the whole text of an HTTP answer. */
const http = (body: string, type: string, status = "200 OK", more = ""): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`;

interface World {
  readonly model: Connection;
  readonly ask: (mostTokens?: number) => { readonly req: InferenceRequest };
  readonly permits: Permits;
  /** The worker's waits in milliseconds, each of which advances the clock. */
  readonly waited: number[];
}

async function worldOf(
  onConnection: (socket: Socket) => void,
  run: (world: World) => Promise<void>,
  dialect = OPENAI,
  over: Partial<Endpoint> = {},
): Promise<void> {
  await using net = await createInternet({ "10.0.0.1:80": onConnection });
  const path = dialect === OPENAI ? "/v1/chat/completions" : "/api/chat";
  const [mine, egress] = duplexPair();
  const limits = { requestBytes: 900_000, responseBytes: 1_000_000, ...over };
  serveExchange(egress, makeEndpoint({ host: "10.0.0.1", path }, limits), net.exit);
  const waited: number[] = [];
  let now = 1000;
  const after: Scheduler = (milliseconds, call) => {
    waited.push(milliseconds);
    now += milliseconds;
    queueMicrotask(call);
    return () => {};
  };
  const provider = new Provider(connect(mine), dialect, { now: () => now, after });
  const info = {
    ...{ id: "remote", displayName: "m", arch: "", contextTokens: 0, outputTokens: 500, backend: "remote-openai" },
    ...{ quantisation: "", supportsTools: true },
  };
  const [holder, worker] = duplexPair();
  const permits = new Permits();
  serveRemote(worker, { info, model: "big-one", dialect, provider, turns: new Turns(() => () => {}) }, permits);
  const ask = (mostTokens = 5000) => {
    const nonce = randomBytes(16);
    permits.allow(nonce, mostTokens);
    const messages = [
      { role: "system" as const, content: "Be short.", toolCallId: "", toolCalls: [] },
      { role: "user" as const, content: "Hello", toolCallId: "", toolCalls: [] },
      {
        role: "assistant" as const,
        content: "",
        toolCallId: "",
        toolCalls: [{ id: "c1", name: "notes.read", arguments: '{"path":"a"}' }],
      },
      { role: "tool" as const, content: "what stands there", toolCallId: "c1", toolCalls: [] },
    ];
    const rest = { maxTokens: 100, temperature: 0, stopSequences: [], responseSchema: "" };
    return { req: { messages, tools: [READ], nonce, ...rest } };
  };
  const model = connect(holder);
  await run({ model, ask, permits, waited });
  model.close();
}

/** Collects the requests, and answers each connection with the next of these texts. */
function answering(...texts: readonly string[]): { readonly asked: string[]; readonly on: (socket: Socket) => void } {
  const asked: string[] = [];
  const left = [...texts];
  const on = (socket: Socket): void => {
    let heard = "";
    socket.setEncoding("utf8").on("data", (text) => {
      heard += text;
      const [head = "", body = ""] = heard.split("\r\n\r\n");
      if (Buffer.byteLength(body) < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
      asked.push(heard);
      socket.end(left.shift() ?? "");
    });
  };
  return { asked, on };
}

test.each([OPENAI, OLLAMA])(
  "$name: text and calls arrive, and the request contains only what the page allows",
  async (dialect) => {
    const answer = written(dialect, ["Let me", " see."], [{ name: "notes_read", json: '{"path":"todo.txt"}' }]);
    const server = answering(http(answer, HEAD[dialect.name]));
    await worldOf(
      server.on,
      async ({ model, ask, permits }) => {
        const request = ask();
        const whole = await model.call(LanguageModel.methods.complete, request);
        expect(whole).toMatchObject({
          ok: true,
          value: {
            resp: {
              message: {
                content: "Let me see.",
                toolCalls: [{ name: "notes.read", arguments: '{"path":"todo.txt"}' }],
              },
              finishReason: "toolCalls",
            },
          },
        });
        // The provider reports 70 prompt tokens; the count by bytes may be higher, and is then charged.
        const usage = await permits.awaitUsage(request.req.nonce);
        expect(usage?.outputTokens).toBe(30);
        expect(usage?.promptTokens).toBeGreaterThanOrEqual(70);
      },
      dialect,
    );
    const [head = "", body = ""] = server.asked[0]?.split("\r\n\r\n") ?? [];
    expect(head).toMatch(dialect === OPENAI ? /^POST \/v1\/chat\/completions HTTP/ : /^POST \/api\/chat HTTP/);
    expect(head).not.toMatch(/authorization/i);
    const sent = JSON.parse(body);
    expect(sent).toMatchObject({ model: "big-one", stream: true, tools: [{ function: { name: "notes_read" } }] });
    expect(sent.messages.map(({ role }: { role: string }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    if (dialect === OPENAI)
      expect(sent).toMatchObject({ max_tokens: 100, messages: [{}, {}, {}, { tool_call_id: "c1" }] });
    else
      expect(sent).toMatchObject({
        options: { num_predict: 100 },
        messages: [{}, {}, {}, { tool_name: "notes_read" }],
      });
  },
);

test.each([OPENAI, OLLAMA])(
  "$name: sends the provider a sentence about each tool's mode, and counts the sentence as part of the prompt",
  async (dialect) => {
    const server = answering(http(written(dialect, ["ok"], []), HEAD[dialect.name]));
    await worldOf(
      server.on,
      async ({ model, ask, permits }) => {
        const { req } = ask(400);
        const modes = ["auto", "consent", "stepUp", "forbidden"] as const;
        const tools = modes.map((permission) => ({ ...READ, name: `notes.${permission}`, permission }));
        const most = permits.awaitMostUsage(req.nonce);
        expect(
          await model.call(LanguageModel.methods.complete, { req: { ...req, tools, maxTokens: 400 } }),
        ).toMatchObject({
          ok: true,
        });
        expect((await most)?.outputTokens).toBe(400 - estimatePromptTokens(req.messages, tools));
      },
      dialect,
    );
    const sent = JSON.parse(server.asked[0]?.split("\r\n\r\n")[1] ?? "");
    expect(sent.tools.map((tool: { function: { description: string } }) => tool.function.description)).toEqual([
      "Reads a note.",
      "Reads a note.\nA person may be asked before it runs.",
      "Reads a note.\nA person may have to prove that they are present before it runs.",
      "Reads a note.\nIt never runs and is listed only so that you can say so: do not call it.",
    ]);
  },
);

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: { city: { type: "string" } },
  required: ["city"],
};

test.each([OPENAI, OLLAMA])(
  "$name: sends the provider the schema, and returns no answer that does not fit it",
  async (dialect) => {
    const answers = ['{"city":"Bonn"}', "Bonn, ignore the schema."];
    const server = answering(...answers.map((text) => http(written(dialect, [text], []), HEAD[dialect.name])));
    await worldOf(
      server.on,
      async ({ model, ask, permits }) => {
        const { complete } = LanguageModel.methods;
        const shaped = (responseSchema: string) => ({ req: { ...ask().req, responseSchema } });
        const refused = await model.call(complete, shaped('{"type":"object","patternProperties":{}}'));
        expect(refused).toMatchObject({
          ok: false,
          reason: expect.stringContaining("responseSchema is not supported"),
        });
        expect(server.asked).toEqual([]);
        const fitting = await model.call(complete, shaped(JSON.stringify(SCHEMA)));
        expect(fitting).toMatchObject({ value: { resp: { message: { content: answers[0] } } } });
        const lying = shaped(JSON.stringify(SCHEMA));
        expect(await model.call(complete, lying)).toMatchObject({
          code: "malformed",
          reason: "the model's answer does not fit the schema that was asked for: the answer is not JSON",
        });
        // The answer is charged although it does not fit the schema.
        expect((await permits.awaitUsage(lying.req.nonce))?.outputTokens).toBe(30);
      },
      dialect,
    );
    const sent = JSON.parse(server.asked[0]?.split("\r\n\r\n")[1] ?? "");
    const told = { response_format: { type: "json_schema", json_schema: { name: "answer", schema: SCHEMA } } };
    expect(sent).toMatchObject(dialect === OPENAI ? told : { format: SCHEMA });
  },
);

test("a piece arrives before the next one is written; stopping ends the connection and the permit immediately", async () => {
  const gone = Promise.withResolvers<void>();
  let say: (text: string) => void = () => {};
  const on = (socket: Socket): void => {
    socket.on("close", () => gone.resolve());
    socket.once("data", () => {
      say = (text) => socket.write(text);
      say(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\r\n${delta({ content: "one " })}`);
    });
  };
  await worldOf(on, async ({ model, ask, permits }) => {
    const request = ask();
    const most = permits.awaitMostUsage(request.req.nonce);
    await model.call(LanguageModel.methods.stream, request);
    const next = () => model.call(TokenStream.methods.next, {});
    expect(await next()).toMatchObject({ value: { chunk: { textDelta: "one " }, done: false } });
    say(delta({ content: "two" }));
    expect(await next()).toMatchObject({ value: { chunk: { textDelta: "two" } } });
    const waiting = next();
    permits.withdraw(request.req.nonce);
    expect(await waiting).toMatchObject({ ok: false, code: "cancelled" });
    await gone.promise;
    // The provider had sent no count before the cancellation, so the maximum of the request is charged.
    expect(await permits.awaitUsage(request.req.nonce)).toEqual(await most);
  });
});

test("a holder that disconnects or cancels leaves no waiting request", async () => {
  const gone = Promise.withResolvers<void>();
  const on = (socket: Socket): void => {
    socket.on("close", () => gone.resolve());
    socket.resume();
  };
  await worldOf(on, async ({ model, ask, permits }) => {
    const request = ask();
    await model.call(LanguageModel.methods.stream, request);
    const waiting = model.call(TokenStream.methods.next, {});
    await model.call(TokenStream.methods.cancel, {});
    expect(await waiting).toMatchObject({ ok: false });
    await gone.promise;
    expect(await permits.awaitUsage(request.req.nonce)).toBeDefined();
  });
});

/** Returns the most tokens that a provider may count: those of a request's body, and all that the answer may have. */
function greatestBill(body: string) {
  return { prompt_tokens: Math.floor(Buffer.byteLength(body) / 3), completion_tokens: JSON.parse(body).max_tokens };
}

/**
 * Returns a provider whose model uses all its tokens for reasoning and answers with one word. The provider reports its count at the
 * end, if the connection is still open.
 */
function thinking(): { readonly bill: { tokens: number; asked: number }; readonly on: (socket: Socket) => void } {
  const bill = { tokens: 0, asked: 0 };
  const on = (socket: Socket): void => {
    let heard = "";
    socket.setEncoding("utf8").on("data", (text) => {
      heard += text;
      const [head = "", body = ""] = heard.split("\r\n\r\n");
      if (Buffer.byteLength(body) < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
      const { prompt_tokens, completion_tokens } = greatestBill(body);
      bill.tokens += prompt_tokens + completion_tokens;
      bill.asked += 1;
      const words = delta({ reasoning_content: "hmm ".repeat(500) }) + delta({ content: "x" });
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${words}`);
    });
  };
  return { bill, on };
}

test("an answer that is stopped after its first word is charged in full, so repeated stops soon exhaust the quota", async () => {
  const { bill, on } = thinking();
  await worldOf(on, async ({ model, ask, permits }) => {
    const page = 5000;
    let left = page;
    for (let answers = 0; answers < 20 && left > 0; answers += 1) {
      const request = ask(left);
      if (!(await model.call(LanguageModel.methods.stream, request)).ok) break;
      expect(await model.call(TokenStream.methods.next, {})).toMatchObject({ value: { chunk: { textDelta: "x" } } });
      await model.call(TokenStream.methods.cancel, {});
      const { promptTokens, outputTokens } = (await permits.awaitUsage(request.req.nonce)) ?? fail();
      left -= promptTokens + outputTokens;
    }
    expect(page - left).toBeGreaterThanOrEqual(bill.tokens);
    expect(bill.asked).toBeLessThan(20);
  });
});

test("a request that no provider read costs at most its prompt, counted by its bytes", async () => {
  const server = answering();
  await worldOf(server.on, async ({ model, ask, permits }) => {
    const request = ask();
    const most = permits.awaitMostUsage(request.req.nonce);
    await model.call(LanguageModel.methods.stream, request);
    await model.call(TokenStream.methods.cancel, {});
    const used = await permits.awaitUsage(request.req.nonce);
    expect([used?.outputTokens, (used?.promptTokens ?? 0) * 4 < ((await most) ?? fail()).promptTokens + 4]).toEqual([
      0,
      true,
    ]);
    expect(server.asked).toEqual([]);
  });
  const owes = async (on: (socket: Socket) => void, over: Partial<Endpoint> = {}) => {
    let isMost: boolean | undefined;
    await worldOf(
      on,
      async ({ model, ask, permits }) => {
        const request = ask();
        const most = permits.awaitMostUsage(request.req.nonce);
        expect(await model.call(LanguageModel.methods.complete, request)).toMatchObject({ ok: false });
        const [used, all] = [await permits.awaitUsage(request.req.nonce), await most];
        isMost = used?.promptTokens === all?.promptTokens && used?.outputTokens === all?.outputTokens;
        if (isMost === false) expect(used?.outputTokens).toBe(0);
      },
      OPENAI,
      over,
    );
    return isMost;
  };
  const status = (code: string) => owes(serveText(http("", "text/plain", code)));
  for (const code of ["302 Found", "401 No", "403 No", "404 No", "429 Too Many", "503 Later"])
    expect([code, await status(code)]).toEqual([code, false]);
  // With these codes the provider may have read the request and computed an answer, and may charge for it.
  for (const code of ["400 No", "408 Late", "500 Oops", "502 Bad", "504 Late", "204 Nothing"])
    expect([code, await status(code)]).toEqual([code, true]);
  expect(await owes(serveText(""))).toBe(true);
  expect(await owes(serveText(http("{}", "application/json")))).toBe(true);
  expect(await owes(serveText(http(delta({ content: "half" }), HEAD.openai)))).toBe(true);
  // If no server is listening, or the endpoint refuses the request, no request was sent.
  expect(await owes(serveText(""), { places: [{ scheme: "http", host: "10.0.0.9", port: 80, path: "/" }] })).toBe(
    false,
  );
  expect(await owes(serveText(""), { requestBytes: 10 })).toBe(false);
});

test("an answer costs the tokens that the provider counted, or the answer's maximum if the provider reports none", async () => {
  const asked = async (answer: string) => {
    let found: readonly unknown[] = [];
    await worldOf(serveText(http(answer, HEAD.openai)), async ({ model, ask, permits }) => {
      const request = ask();
      const most = permits.awaitMostUsage(request.req.nonce);
      const whole = await model.call(LanguageModel.methods.complete, request);
      const used = await permits.awaitUsage(request.req.nonce);
      expect(whole).toMatchObject({ ok: true, value: { resp: { usage: used } } });
      found = [used, await most];
    });
    return found;
  };
  const usage = { prompt_tokens: 300, completion_tokens: 8 };
  const [told] = await asked(delta({ content: "ok" }, "stop") + event({ choices: [], usage }));
  expect(told).toEqual({ promptTokens: 300, outputTokens: 8 });
  const [untold, most] = await asked(delta({ content: "ok" }, "stop"));
  expect(untold).toEqual(most);
});

function fail(): never {
  throw new Error("the worker does not say it");
}

const FINE = http(written(OPENAI, ["ok"], []), HEAD.openai);
const LATER = (seconds: string): string => http("", "text/plain", "429 Too Many", `retry-after: ${seconds}\r\n`);

test("waits as the provider asks, at most twice; a longer wait is reported, and blocks requests until it is over", async () => {
  const patient = answering(LATER("3"), LATER("0"), FINE);
  await worldOf(patient.on, async ({ model, ask, waited }) => {
    expect(await model.call(LanguageModel.methods.complete, ask())).toMatchObject({ ok: true });
    expect([waited, patient.asked.length]).toEqual([[3000], 3]);
  });
  for (const [seconds, times] of [
    ["1", 3],
    ["0", 3],
  ] as const) {
    const stubborn = answering(...Array.from({ length: 9 }, () => LATER(seconds)));
    await worldOf(stubborn.on, async ({ model, ask }) => {
      const reply = await model.call(LanguageModel.methods.complete, ask());
      expect(reply).toMatchObject({ ok: false, reason: expect.stringContaining("asked again later") });
      expect(stubborn.asked.length).toBe(times);
    });
  }
  const long = answering(LATER("7200"), FINE);
  await worldOf(long.on, async ({ model, ask, waited }) => {
    const words = "the model's provider: it wants to be asked again later, in 7200 s";
    for (let time = 0; time < 2; time += 1) {
      expect(await model.call(LanguageModel.methods.complete, ask())).toMatchObject({ ok: false, reason: words });
    }
    expect([waited, long.asked.length]).toEqual([[], 1]);
  });
});

const REFUSALS: readonly (readonly [string, string])[] = [
  [
    http("", "text/plain", "302 Found", "location: http://169.254.169.254/\r\n"),
    "sends elsewhere (302), and nobody goes there",
  ],
  [
    http('{"error":{"code":"invalid_api_key","message":"sk-1"}}', "application/json", "401 No"),
    "(401) (invalid_api_key)",
  ],
  [http('{"error":"model not found"}', "application/json", "404 No"), "knows no such address or model (404)"],
  [http("", "text/plain", "429 Too Many"), "was asked too often (429)"],
  [
    http("", "text/plain", "429 Too Many", "retry-after: Tue, 01 Jan 2030 00:00:00 GMT\r\n"),
    "was asked too often (429)",
  ],
  [http("<h1>no</h1>", "text/html", "500 Oops"), "failed (500)"],
  [http("{}", "application/json"), "answers in a form that was not asked for"],
  [http("data: [DONE]\n\n", HEAD.openai), "the answer breaks off"],
  [http(delta({ content: "half" }, "stop"), HEAD.openai).replace(/content-length: \d+/, "$&9"), "ends too early"],
  ["garbage", "broken"],
  ["", "the connection or its answer is broken"],
];

test.each(REFUSALS.map(([text, words]) => ({ text, words })))(
  "fails with the provider's fault: $words",
  async ({ text, words }) => {
    await worldOf(serveText(text), async ({ model, ask, permits }) => {
      const request = ask();
      const reply = await model.call(LanguageModel.methods.complete, request);
      expect(reply).toMatchObject({ ok: false, code: "failed", reason: expect.stringContaining(words) });
      expect(reply.ok ? "" : reply.reason).not.toContain("sk-1");
      expect(await permits.awaitUsage(request.req.nonce)).toBeDefined();
    });
  },
);

test("ends an endless answer at its maximum size, and a stalled answer after the endpoint's timeout", async () => {
  const forever = (socket: Socket): void => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
      const more = (): void => {
        while (socket.writable && socket.write(": nothing\n".repeat(1000))) {}
      };
      socket.on("drain", more);
      more();
    });
  };
  await worldOf(forever, async ({ model, ask }) => {
    const reply = await model.call(LanguageModel.methods.complete, ask());
    expect(reply).toMatchObject({ ok: false, reason: expect.stringContaining("larger than 1000000 bytes") });
  });
  const stall = (socket: Socket): void => {
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: a"));
  };
  await worldOf(
    stall,
    async ({ model, ask }) => {
      const reply = await model.call(LanguageModel.methods.complete, ask());
      expect(reply).toMatchObject({ ok: false, reason: expect.stringContaining("took too long") });
    },
    OPENAI,
    { milliseconds: 50 },
  );
});

test("checks a prompt by the estimate of its tokens, in any script, and charges it by its bytes", async () => {
  const server = answering(FINE);
  await worldOf(server.on, async ({ model, ask, permits }) => {
    const { req } = ask(400);
    const messages = [{ role: "user" as const, content: "ж".repeat(1200), toolCallId: "", toolCalls: [] }];
    const estimate = estimatePromptTokens(messages, req.tools);
    expect(estimate).toBeLessThan(384);
    const most = permits.awaitMostUsage(req.nonce);
    expect(await model.call(LanguageModel.methods.complete, { req: { ...req, messages } })).toMatchObject({ ok: true });
    const body = Buffer.byteLength(server.asked[0]?.split("\r\n\r\n")[1] ?? "");
    // The provider reported less than the count by bytes, which is therefore charged.
    const used = (await permits.awaitUsage(req.nonce))?.promptTokens ?? 0;
    expect(used).toBeGreaterThan(400);
    expect(Math.abs(used - body / 4)).toBeLessThan(2);
    expect(await most).toEqual({ promptTokens: body, outputTokens: Math.min(100, 400 - estimate) });
  });
});

test("sends no request to the provider before the gate has noted the maximum, or after the gate withdrew the permit", async () => {
  const server = answering(http(delta({ content: "ok" }, "stop"), HEAD.openai));
  await worldOf(server.on, async ({ model, ask, permits }) => {
    const afar = () => {
      const nonce = randomBytes(16);
      permits.allowFromAfar(nonce, 5000);
      return { req: { ...ask().req, nonce } };
    };
    const { complete } = LanguageModel.methods;
    const first = afar();
    const cut = model.call(complete, first);
    await permits.awaitMostUsage(first.req.nonce);
    permits.withdraw(first.req.nonce);
    expect(await cut).toMatchObject({ ok: false, reason: "the gate ended this answer" });
    // The model gives one answer at a time. The answer that the gate ended no longer blocks the next one.
    const second = afar();
    const whole = model.call(complete, second);
    await permits.awaitMostUsage(second.req.nonce);
    permits.acknowledgeUsage(second.req.nonce);
    expect(await whole).toMatchObject({ ok: true });
    expect(server.asked.length).toBe(1);
  });
});

test("sends no request without a permit, beyond the permit's tokens, or above the maximum size", async () => {
  const server = answering(FINE);
  await worldOf(server.on, async ({ model, ask }) => {
    const { complete } = LanguageModel.methods;
    const { req } = ask();
    const unknown = await model.call(complete, { req: { ...req, nonce: randomBytes(16) } });
    expect(unknown).toMatchObject({ ok: false, reason: "the gate has not allowed this request" });
    expect(await model.call(complete, ask(60))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("60 are left"),
    });
    const content = "x".repeat(950_000);
    const long = { ...req, messages: [{ role: "user" as const, content, toolCallId: "", toolCalls: [] }] };
    expect(await model.call(complete, { req: long })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("larger"),
    });
    expect(server.asked).toEqual([]);
  });
});
