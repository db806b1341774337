import { type Duplex, duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { encodeMessage } from "../../lib/wire/encode.ts";
import { Files } from "../../lib/wire/generated/tools.ts";
import { Frame, Supervisor } from "../../lib/wire/generated/wire.ts";
import { connect, implement, makeFailure, serve, serveInterface } from "../../lib/wire/index.ts";
import { Renewable } from "../../lib/wire/renewable.ts";
import { watchProviders } from "./providers.ts";

const NOT_UTF8 = 0xff;

/** Returns an answer whose text contains a byte that is not UTF-8. */
function spoiledAnswer(callId: bigint): Uint8Array {
  const payload = { which: "json", json: '{"said":"~"}' } as const;
  const bytes = Buffer.from(encodeMessage(Frame, { callId, which: "answer", answer: { payload } }));
  bytes[bytes.indexOf("~")] = NOT_UTF8;
  return bytes;
}

/**
 * Returns a connection to a provider that answers each call with given bytes, valid or not. `answers` write the replies
 * to the calls, in order; the last one serves all later calls.
 */
function provider(answers: readonly ((callId: bigint, stream: Duplex) => void)[]): Duplex {
  const [mine, theirs] = duplexPair();
  let calls = 0;
  theirs.on("data", (bytes: Buffer) => {
    // In a frame with a call, the call ID follows the root pointer.
    const callId = bytes.readBigUInt64LE(16);
    answers[Math.min(calls, answers.length - 1)]?.(callId, theirs);
    calls += 1;
  });
  return mine;
}

const good = (callId: bigint, stream: Duplex) =>
  stream.write(
    encodeMessage(Frame, { callId, which: "answer", answer: { payload: { which: "json", json: '{"ok":true}' } } }),
  );
const spoiled = (callId: bigint, stream: Duplex) => stream.write(spoiledAnswer(callId));

/** Watches a gate's connection `first` to `notes`. When the gate asks init for a restart, `next` returns the new connection. */
function tended(first: Duplex, next: () => Duplex) {
  const renewable = new Renewable(first);
  const notes: string[] = [];
  const asked: string[] = [];
  let renewed = Promise.withResolvers<void>();
  const [mine, theirs] = duplexPair();
  const refused = async () => makeFailure("failed", "not for this holder");
  serveInterface(theirs, [
    implement(Supervisor, {
      revoke: refused,
      stop: refused,
      facts: refused,
      readLog: refused,
      readNotices: refused,
      restart: async ({ name }) => {
        asked.push(name);
        renewable.renew(next());
        renewed.resolve();
        renewed = Promise.withResolvers();
        return {};
      },
    }),
  ]);
  watchProviders(["notes"], {
    onEnd: (_, heed) => renewable.onEnd(heed),
    supervisor: connect(mine),
    note: (event, detail) => notes.push(`${event}: ${detail}`),
  });
  const call = () => renewable.connection.callTool(Files.id, 0, "{}");
  return { call, notes, asked, whenRenewed: () => renewed.promise };
}

const UNREADABLE = {
  ok: false,
  code: "malformed",
  reason: "the answer cannot be read: a text is not UTF-8",
  ran: { is: "answered", answer: '{"said":"\ufffd"}' },
};
const GOOD = { ok: true, value: '{"ok":true}' };

test("an answer that is not UTF-8 fails only its own call, and causes no restart", async () => {
  const { call, notes, asked } = tended(provider([good, spoiled, spoiled, good]), () => expect.unreachable());
  expect(await call()).toEqual(GOOD);
  expect(await call()).toEqual(UNREADABLE);
  expect(await call()).toEqual(UNREADABLE);
  expect(await call()).toEqual(GOOD);
  expect([notes, asked]).toEqual([[], []]);
});

test("disconnects, records and restarts a provider after three malformed answers in a row", async () => {
  const { call, notes, asked, whenRenewed } = tended(provider([spoiled]), () => provider([good]));
  const isRenewed = whenRenewed();
  for (let turn = 0; turn < 3; turn += 1) expect(await call()).toEqual(UNREADABLE);
  await isRenewed;
  expect(await call()).toEqual(GOOD);
  expect(asked).toEqual(["notes"]);
  expect(notes).toEqual([
    "cut off: notes: 3 answers in a row cannot be read, the last one because: a text is not UTF-8",
  ]);
});

test("records and restarts a provider that breaks its framing", async () => {
  const broken = (_: bigint, stream: Duplex) => stream.write(Buffer.alloc(16, 0xff));
  const { call, notes, asked, whenRenewed } = tended(provider([broken]), () => provider([good]));
  const isRenewed = whenRenewed();
  expect(await call()).toMatchObject({ ok: false, code: "closed" });
  await isRenewed;
  expect(await call()).toEqual(GOOD);
  expect([notes, asked]).toEqual([["cut off: notes: a frame has more than one segment"], ["notes"]]);
});

test("restarts a provider that closes its connection, without a record of a fault", async () => {
  const [mine, theirs] = duplexPair();
  const serving = serve(theirs, [Files.id], async () => makeFailure("failed", "never"));
  const { call, notes, asked, whenRenewed } = tended(mine, () => provider([good]));
  const isRenewed = whenRenewed();
  serving.close();
  await isRenewed;
  expect(await call()).toEqual(GOOD);
  expect([notes, asked]).toEqual([[], ["notes"]]);
});

test("does not restart a provider that was replaced before the gate saw its end", async () => {
  const renewable = new Renewable(provider([good]));
  const ended: string[] = [];
  renewable.onEnd(({ reason }) => ended.push(reason));
  renewable.renew(provider([good]));
  expect(await renewable.connection.callTool(Files.id, 0, "{}")).toEqual(GOOD);
  expect(ended).toEqual([]);
});
