// Tests the charged usage if the worker of a remote model dies at any moment of a response, or if the provider ends the
// response early. The quota counts all usage that the provider counts, even if nobody reports it. Usage that the
// provider cannot have counted is returned to the quota.
import { type Duplex, duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { backend, row, tables } from "../../../engine/lib/policy/testing/sample.ts";
import { HttpExchange } from "../../../engine/lib/wire/generated/egress.ts";
import { PolicyTables, type Quota } from "../../../engine/lib/wire/generated/policy.ts";
import { Metering } from "../../../engine/lib/wire/generated/wire.ts";
import { connect, encodeMessage, implement, serveInterface } from "../../../engine/lib/wire/index.ts";
import { serveMetering } from "../../../engine/processes/model/metering.ts";
import { Permits } from "../../../engine/processes/model/permits.ts";
import type { DialectRequest } from "../../../engine/processes/model/remote/dialect.ts";
import { OPENAI } from "../../../engine/processes/model/remote/openai.ts";
import { Provider } from "../../../engine/processes/model/remote/provider.ts";
import { serveRemote } from "../../../engine/processes/model/remote/serve.ts";
import { Turns } from "../../../engine/processes/model/turns.ts";
import { rehearse } from "./rehearsal.ts";

const PLENTY = 1_000_000;

const tablesOf = (amount: number): Uint8Array => {
  const tokens: Quota = { amount: BigInt(amount), unit: "tokens", name: "", scope: "login", rule: 0 };
  return encodeMessage(
    PolicyTables,
    tables({
      tools: [],
      decisions: [],
      backends: [backend("far", { kind: "remote", local: false })],
      rows: [row("operator", [], { quotas: [tokens], backends: [{ backend: 0, mode: "auto" }] })],
    }),
  );
};
const INFO = {
  ...{ id: "far", displayName: "m", arch: "", contextTokens: 8192, outputTokens: 500, backend: "remote-openai" },
  ...{ quantisation: "", supportsTools: true },
};

interface Play {
  readonly words: string;
  /**
   * Prompt tokens that the provider charges, as a percentage of the maximum, which is one token for each byte of the
   * request.
   */
  readonly prompt: number;
  readonly output: number;
  /**
   * Moment at which the worker dies. At -2 it dies when it makes its request, at -1 before it tells the gate the
   * maximum usage, and at 0 when the provider receives the request. If the number is positive, the worker dies when it
   * reads that piece of the response. If it never reads so many pieces, it never dies.
   */
  readonly dies: number;
  /** Number of pieces after which the provider closes the connection. */
  readonly breaks: number;
}

/** Usage that the provider counted over all requests. */
interface Bill {
  asked: number;
  counted: number;
  most: number;
}

const event = (value: object) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
const delta = (content: string, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });

/**
 * Returns a provider that counts tokens as `play` specifies. The provider states the usage at the end of its response.
 */
function provider(play: Play, bill: Bill, die: () => void): Duplex {
  const [mine, theirs] = duplexPair();
  let pieces: readonly Uint8Array[] = [];
  let read = 0;
  const exchange = implement(HttpExchange, {
    ask: async ({ body }) => {
      const bytes = Buffer.byteLength(body);
      const { max_tokens: output } = JSON.parse(body);
      const prompt_tokens = Math.floor((bytes * play.prompt) / 100);
      const completion_tokens = Math.floor((output * play.output) / 100);
      bill.asked += 1;
      bill.counted += prompt_tokens + completion_tokens;
      bill.most += bytes + output;
      const usage = event({ choices: [], usage: { prompt_tokens, completion_tokens } });
      const all = [delta("one "), delta("two", "stop"), usage, Buffer.from("data: [DONE]\n\n")];
      [pieces, read] = [all.slice(0, play.breaks), 0];
      if (play.dies === 0) die();
      return { status: 200, contentType: "text/event-stream", retryAfter: "", unsent: "" };
    },
    read: async () => {
      const bytes = pieces[read];
      read += 1;
      if (play.dies === read) die();
      return { bytes: bytes ?? new Uint8Array(), end: bytes === undefined };
    },
    stop: async () => ({}),
  });
  serveInterface(theirs, [exchange]);
  return mine;
}

/** Returns a worker process that can be killed, with its permits and the address of its provider. */
function worker(play: Play, bill: Bill, die: () => void) {
  const permits = new (class extends Permits {
    override async awaitMostUsage(nonce: Uint8Array) {
      const most = await super.awaitMostUsage(nonce);
      if (play.dies === -1) die();
      return most;
    }
  })();
  const clock = { now: () => 0, after: () => () => {} };
  const remote = new (class extends Provider {
    override request(asked: DialectRequest) {
      if (play.dies === -2) die();
      return super.request(asked);
    }
  })(connect(provider(play, bill, die)), OPENAI, clock);
  const model = { info: INFO, model: "m", dialect: OPENAI, provider: remote, turns: new Turns(() => () => {}) };
  return (_: string, interfaceId: bigint): Duplex => {
    const [mine, theirs] = duplexPair();
    if (interfaceId === Metering.id) serveMetering(theirs, permits);
    else serveRemote(theirs, model, permits);
    return mine;
  };
}

/**
 * Plays several turns in a session, and starts a new worker for each turn. After each turn it calls `judge` with the
 * number of spent tokens.
 */
async function played(
  plays: readonly Play[],
  bill: Bill,
  judge: (spent: number) => void,
  amount = PLENTY,
): Promise<void> {
  let connection = worker(plays[0] ?? QUIET, bill, () => kill());
  const stage = await rehearse({
    ...{ tables: tablesOf(amount), session: "operator", replies: Buffer.from("[]"), files: {} },
    workers: new Map([["far", { id: "far", connection: (holder, id) => connection(holder, id) }]]),
  });
  const kill = () => stage.init.kill("model.far");
  for (const play of plays) {
    connection = worker(play, bill, kill);
    await stage.restart("model.far");
    await stage.console.say(play.words);
    // When the next turn begins, the usage that the last turn left open is charged.
    await stage.console.beginTurn();
    judge(spentIn(await stage.command("budget"), amount));
  }
  await stage.stop();
}

const QUIET: Play = { words: "", prompt: 0, output: 0, dies: 99, breaks: 99 };

function spentIn(lines: readonly string[], amount: number): number {
  const [, spent] = new RegExp(`(\\d+) of ${amount}`).exec(lines.join("\n")) ?? [];
  if (spent === undefined) throw new Error(lines.join("\n"));
  return Number(spent);
}

test("if a worker or provider fails, a quota is charged at least the counted usage, and at most the maximum of the requests", async () => {
  const play = fc.record({
    words: fc.string({ unit: fc.constantFrom("a", " ", "ж", "語", '"', "🦊"), minLength: 1, maxLength: 400 }),
    prompt: fc.integer({ min: 0, max: 100 }),
    output: fc.integer({ min: 0, max: 100 }),
    dies: fc.integer({ min: -2, max: 6 }),
    breaks: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(play, { minLength: 1, maxLength: 3 }), async (plays) => {
      const bill: Bill = { asked: 0, counted: 0, most: 0 };
      let turns = 0;
      await played(plays, bill, (spent) => {
        turns += 1;
        expect(bill.asked).toBe(plays.slice(0, turns).filter(({ dies }) => dies >= 0).length);
        expect(spent).toBeGreaterThanOrEqual(bill.counted);
        expect(spent).toBeLessThanOrEqual(bill.most);
      });
    }),
    { numRuns: 60 },
  );
});

test("a provider that counts more than the remaining quota is charged in full, and receives no further request", async () => {
  const bill: Bill = { asked: 0, counted: 0, most: 0 };
  const spent: number[] = [];
  const greedy = { ...QUIET, words: "hello", prompt: 100, output: 100 };
  await played([greedy, greedy], bill, (all) => spent.push(all), 600);
  expect(bill.most).toBeGreaterThan(600);
  expect([bill.asked, spent]).toEqual([1, [bill.most, bill.most]]);
});
