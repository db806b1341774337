import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { Logs } from "../../../lib/wire/generated/tools.ts";
import { type LogLine, Supervisor } from "../../../lib/wire/generated/wire.ts";
import { type Connection, connect, implement, makeFailure, serveInterface } from "../../../lib/wire/index.ts";
import { Journal } from "./journal.ts";
import { serveLogs } from "./serve.ts";

const { tail, follow } = Logs.methods;
const AT_ONCE = 64;

/** A simulated init with a log: it keeps the newest `kept` lines, answers with at most 64, and waits if there is none. */
class Init {
  readonly #kept: number;
  #lines: LogLine[] = [];
  #last = 0n;
  #added: (() => void)[] = [];
  /**
   * Number of calls of `readLog` that wait for a line. The functions in `#waits` are called as soon as one more call
   * waits.
   */
  waiting = 0;
  #waits: (() => void)[] = [];

  constructor(kept = 1_000_000) {
    this.#kept = kept;
  }

  say(...texts: string[]): void {
    for (const text of texts) {
      this.#last += 1n;
      this.#lines.push({ sequence: this.#last, uptimeMs: 1000n + this.#last, text });
    }
    this.#lines = this.#lines.slice(-this.#kept);
    for (const wake of this.#added.splice(0)) wake();
  }

  async readLog({ after }: { readonly after: bigint }) {
    while (this.#last <= after) {
      this.waiting += 1;
      for (const seen of this.#waits.splice(0)) seen();
      await new Promise<void>((resolve) => this.#added.push(resolve));
      this.waiting -= 1;
    }
    return { lines: this.#lines.filter(({ sequence }) => sequence > after).slice(0, AT_ONCE) };
  }

  async untilAsked(): Promise<void> {
    while (this.waiting === 0) await new Promise<void>((resolve) => this.#waits.push(resolve));
  }
}

function logsOver(init: Init): { readonly logs: () => Connection; readonly supervisor: Connection } {
  const refused = async () => makeFailure("failed", "not for this holder");
  const [held, provider] = duplexPair();
  const readLog = (params: { readonly after: bigint }) => init.readLog(params);
  serveInterface(provider, [
    implement(Supervisor, {
      revoke: refused,
      stop: refused,
      facts: refused,
      readLog,
      readNotices: refused,
      restart: refused,
    }),
  ]);
  const supervisor = connect(held);
  const journal = new Journal(supervisor);
  const logs = () => {
    const [here, there] = duplexPair();
    serveLogs(there, journal);
    return connect(here);
  };
  return { logs, supervisor };
}

async function newest(logs: Connection, lines: number): Promise<unknown> {
  const reply = await logs.callTool(Logs.id, tail.ordinal, JSON.stringify({ lines }));
  return reply.ok ? JSON.parse(reply.value).entries : reply;
}

/**
 * Calls `follow`, and then `tail`. `reply` is the reply of `follow`. `waits` is the reply of `tail`, which arrives only
 * when `follow` waits for a line.
 */
function following(logs: Connection, pattern: string, signal?: AbortSignal) {
  const json = JSON.stringify({ pattern });
  const reply = logs.callTool(Logs.id, follow.ordinal, json, signal === undefined ? {} : { signal });
  return { reply, waits: newest(logs, 0) };
}

test("tail returns the newest lines, oldest first, with seconds since boot", async () => {
  const init = new Init();
  init.say("one", "two", "three");
  const logs = logsOver(init).logs();
  expect(await newest(logs, 2)).toEqual(["1.002 two", "1.003 three"]);
  expect(await newest(logs, 10)).toEqual(["1.001 one", "1.002 two", "1.003 three"]);
  expect(await newest(logs, 0)).toEqual([]);
});

for (const count of [1, 63, 64, 65, 128, 640]) {
  test(`tail finds the newest of ${count} lines, however many answers of init are needed`, async () => {
    const init = new Init();
    init.say(...Array.from({ length: count }, (_, index) => `line ${index + 1}`));
    const logs = logsOver(init).logs();
    expect(await newest(logs, 1)).toEqual([expect.stringMatching(new RegExp(` line ${count}$`))]);
    init.say("and one more");
    expect(await newest(logs, 1)).toEqual([expect.stringMatching(/ and one more$/)]);
  });
}

test("reads a log from its beginning if init dropped older lines", async () => {
  const init = new Init(3);
  init.say("a", "b", "c", "d", "e");
  expect(await newest(logsOver(init).logs(), 9)).toEqual(["1.003 c", "1.004 d", "1.005 e"]);
});

test("tail waits for the first line if there is none yet", async () => {
  const init = new Init();
  const entries = newest(logsOver(init).logs(), 5);
  await init.untilAsked();
  init.say("first");
  expect(await entries).toEqual(["1.001 first"]);
});

test("keeps at most a thousand lines, and returns at most as many as fit into a frame", async () => {
  const init = new Init();
  init.say(...Array.from({ length: 2500 }, (_, index) => `${index + 1}`));
  const logs = logsOver(init).logs();
  const entries = await newest(logs, 0xffff_ffff);
  expect(entries).toHaveLength(1000);
  init.say(...Array.from({ length: 40 }, () => "\u0001".repeat(4000)));
  expect(await newest(logs, 100)).toHaveLength(32);
});

test("follow returns the next line with the pattern, and no earlier one", async () => {
  const init = new Init();
  init.say("wanted, but old");
  const logs = logsOver(init).logs();
  const { reply, waits } = following(logs, "wanted");
  await waits;
  init.say("something else", "this is wanted", "wanted again");
  expect(await reply).toEqual({ ok: true, value: '{"entry":"1.003 this is wanted"}' });
});

test("the pattern is plain text, not a regular expression", async () => {
  const init = new Init();
  init.say("start");
  const logs = logsOver(init).logs();
  const { reply, waits } = following(logs, "a.*(b");
  await waits;
  init.say("axx(b", "a.*(b");
  expect(await reply).toMatchObject({ ok: true, value: expect.stringContaining("a.*(b") });
});

test("a cancelled follow stops waiting, and other follows continue", async () => {
  const init = new Init();
  init.say("start");
  const logs = logsOver(init).logs();
  const giveUp = new AbortController();
  const [gone, stays] = [following(logs, "x", giveUp.signal), following(logs, "x")];
  await stays.waits;
  giveUp.abort();
  expect(await gone.reply).toMatchObject({ ok: false, code: "cancelled" });
  init.say("x");
  expect(await stays.reply).toMatchObject({ ok: true });
});

test("a cancelled follow frees its slot on the connection", async () => {
  const init = new Init();
  init.say("start");
  const logs = logsOver(init).logs();
  for (let round = 0; round < 20; round += 1) {
    const giveUp = new AbortController();
    const { reply, waits } = following(logs, "never", giveUp.signal);
    await waits;
    giveUp.abort();
    await reply;
  }
  expect(await newest(logs, 1)).toEqual(["1.001 start"]);
});

test("many waiting holders share one request to init", async () => {
  const init = new Init();
  init.say("start");
  const { logs } = logsOver(init);
  const follows = Array.from({ length: 20 }, () => following(logs(), "x"));
  await Promise.all(follows.map(({ waits }) => waits));
  expect(init.waiting).toBe(1);
  init.say("x");
  for (const { reply } of follows) expect(await reply).toMatchObject({ ok: true });
});

test("when init ends, waiting and later calls fail", async () => {
  const init = new Init();
  init.say("start");
  const { logs, supervisor } = logsOver(init);
  const holder = logs();
  const { reply, waits } = following(holder, "x");
  await waits;
  supervisor.close();
  const gone = { ok: false, code: "failed", reason: expect.stringContaining("the log cannot be read") };
  expect(await reply).toMatchObject(gone);
  expect(await newest(holder, 1)).toMatchObject(gone);
});

test("refuses unknown methods, malformed JSON and payloads that are not JSON", async () => {
  const init = new Init();
  const logs = logsOver(init).logs();
  expect(await logs.callTool(Logs.id, 9, "{}")).toMatchObject({ ok: false, code: "unknownMethod" });
  expect(await logs.callTool(Logs.id, tail.ordinal, "[")).toMatchObject({ ok: false, code: "failed" });
  expect(await logs.call(tail, { lines: 1 })).toMatchObject({ ok: false, code: "malformed" });
});
