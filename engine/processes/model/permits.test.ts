import { duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { IncomingGrant } from "../../lib/wire/capset.ts";
import { LanguageModel } from "../../lib/wire/generated/capos.ts";
import { Metering } from "../../lib/wire/generated/wire.ts";
import { connect, serve } from "../../lib/wire/index.ts";
import { SessionPermits, serveMetering, serveSessions } from "./metering.ts";
import { MAX_PERMITS, type Permit, Permits } from "./permits.ts";

const nonce = (number: number) => Uint8Array.of(number);

test("a permit begins once, counts up to its last token, and reports its usage", async () => {
  const permits = new Permits();
  expect(permits.allow(nonce(1), 10)).toBe(true);
  const permit = permits.begin(nonce(1));
  expect([permits.begin(nonce(1)), permits.begin(nonce(2))]).toEqual([undefined, undefined]);
  const ended = permits.awaitUsage(nonce(1));
  expect([permit?.prompt(4), permit?.output(6), permit?.signal.aborted]).toEqual([true, true, false]);
  expect([permit?.output(1), permit?.signal.aborted, permit?.prompt(0)]).toEqual([false, true, false]);
  expect(await ended).toEqual({ promptTokens: 4, outputTokens: 6 });
  expect(await permits.awaitUsage(nonce(1))).toEqual({ promptTokens: 4, outputTokens: 6 });
  expect(await permits.awaitUsage(nonce(2))).toBeUndefined();
});

test("a nonce is valid once, whether or not it was used, and is never empty", () => {
  const permits = new Permits();
  expect([permits.allow(nonce(1), 5), permits.allow(nonce(1), 5)]).toEqual([true, false]);
  permits.withdraw(nonce(1));
  expect([permits.allow(nonce(1), 5), permits.begin(nonce(1))]).toEqual([false, undefined]);
  expect(permits.allow(new Uint8Array(), 5)).toBe(false);
});

test("beyond the maximum number of permits, ends the oldest permit and remembers its usage", async () => {
  const permits = new Permits();
  permits.allow(nonce(0), 5);
  const first = permits.begin(nonce(0));
  first?.prompt(2);
  for (let number = 1; number <= MAX_PERMITS; number += 1) permits.allow(nonce(number), 5);
  expect(first?.signal.aborted).toBe(true);
  expect(await permits.awaitUsage(nonce(0))).toEqual({ promptTokens: 2, outputTokens: 0 });
  expect(permits.begin(nonce(1))).toBeDefined();
  // Ended permits are forgotten too, so that no list grows with the number of requests.
  for (let number = 10; number < 60; number += 1) permits.allow(nonce(number), 5);
  expect(await permits.awaitUsage(nonce(0))).toBeUndefined();
});

test("counts at most the allowed tokens, and no tokens after the end", async () => {
  const act = fc.oneof(
    fc.record({ what: fc.constantFrom("prompt" as const, "output" as const), tokens: fc.nat(6) }),
    fc.constant({ what: "end" as const, tokens: 0 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(12), fc.array(act), async (most, acts) => {
      const permits = new Permits();
      permits.allow(nonce(1), most);
      const permit = permits.begin(nonce(1));
      let [used, over] = [0, false];
      for (const { what, tokens } of acts) {
        if (what === "end") {
          permit?.end();
          over = true;
        } else {
          const fits = !over && used + tokens <= most;
          expect(permit?.[what](tokens)).toBe(fits);
          if (fits) used += tokens;
          else over = true;
        }
        expect(permit?.signal.aborted).toBe(over);
      }
      permit?.end();
      const { promptTokens = 0, outputTokens = 0 } = (await permits.awaitUsage(nonce(1))) ?? {};
      expect(promptTokens + outputTokens).toBe(used);
    }),
  );
});

test("charges a provider's whole count, even beyond the permit, and never less than the local count", async () => {
  const permits = new Permits();
  permits.allow(nonce(1), 10);
  const permit = permits.begin(nonce(1));
  // Four tokens of the prompt count against the allowance. Six are charged, unless the provider counts more.
  expect([permit?.prompt(4, 6), permit?.output(5), permit?.used()]).toEqual([
    ...[true, true, { promptTokens: 6, outputTokens: 5 }],
  ]);
  permit?.counted({ promptTokens: 40, outputTokens: 2 });
  permit?.counted({ promptTokens: 3, outputTokens: 90 });
  expect([permit?.output(1), permit?.output(1), permit?.signal.aborted]).toEqual([true, false, true]);
  permit?.counted({ promptTokens: 500, outputTokens: 500 });
  expect(await permits.awaitUsage(nonce(1))).toEqual({ promptTokens: 40, outputTokens: 91 });
});

test("until a provider reports its count, charges the most that the provider may have counted, and never refunds tokens that were counted locally", async () => {
  const NOTHING = { promptTokens: 0, outputTokens: 0 };
  const most = { promptTokens: 400, outputTokens: 50 };
  const endedBehind = (number: number, act: (permit: Permit) => void) => {
    const permits = new Permits();
    permits.allow(nonce(number), 100);
    const permit = permits.begin(nonce(number));
    if (permit === undefined) throw new Error("it was allowed");
    permit.prompt(4, 6);
    permit.owes(most);
    permit.output(2);
    act(permit);
    permits.withdraw(nonce(number));
    permit.counted({ promptTokens: 1, outputTokens: 1 });
    permit.owes(NOTHING);
    return Promise.all([permits.awaitUsage(nonce(number)), permit.used()]);
  };
  const both = (usage: object) => [usage, usage];
  expect(await endedBehind(1, () => {})).toEqual(both(most));
  expect(await endedBehind(2, (permit) => permit.output(99))).toEqual(both(most));
  expect(await endedBehind(3, (permit) => permit.owes(NOTHING))).toEqual(both({ promptTokens: 6, outputTokens: 2 }));
  expect(await endedBehind(4, (permit) => permit.counted({ promptTokens: 9, outputTokens: 1 }))).toEqual(
    both({ promptTokens: 9, outputTokens: 2 }),
  );
  // The worker owes nothing after a refused request, and the maximum again after it sends the request once more.
  const again = (permit: Permit) => [NOTHING, most].map((owed) => permit.owes(owed));
  expect(await endedBehind(5, again)).toEqual(both(most));
});

test("a waiting gate gets an answer's maximum usage when the model is asked, or the actual usage if the answer ended before that", async () => {
  const permits = new Permits();
  const most = { promptTokens: 400, outputTokens: 50 };
  permits.allow(nonce(1), 10);
  const waiting = permits.awaitMostUsage(nonce(1));
  permits.begin(nonce(1))?.asks(most);
  expect([await waiting, await permits.awaitMostUsage(nonce(1))]).toEqual([most, most]);
  permits.withdraw(nonce(1));
  expect(await permits.awaitMostUsage(nonce(1))).toEqual({ promptTokens: 0, outputTokens: 0 });
  permits.allow(nonce(2), 10);
  const unasked = permits.awaitMostUsage(nonce(2));
  permits.withdraw(nonce(2));
  expect([await unasked, await permits.awaitMostUsage(nonce(3))]).toEqual([
    { promptTokens: 0, outputTokens: 0 },
    undefined,
  ]);
});

test("a request under a gate's permit waits until the gate has noted its maximum usage or withdraws the permit", async () => {
  const most = { promptTokens: 400, outputTokens: 50 };
  const permits = new Permits();
  permits.allow(nonce(1), 10);
  expect(await permits.begin(nonce(1))?.asks(most)).toBe(true);
  expect([permits.allowFromAfar(nonce(2), 10), permits.allowFromAfar(nonce(2), 10)]).toEqual([true, false]);
  const waiting = permits.begin(nonce(2))?.asks(most);
  const meanwhile = new Promise((resolve) => setImmediate(() => resolve("nothing")));
  expect(await Promise.race([waiting, meanwhile])).toBe("nothing");
  permits.acknowledgeUsage(nonce(2));
  expect(await waiting).toBe(true);
  permits.allowFromAfar(nonce(3), 10);
  const withdrawn = permits.begin(nonce(3))?.asks(most);
  permits.withdraw(nonce(3));
  expect(await withdrawn).toBe(false);
});

test("a gate can allow, await and withdraw an answer; if the gate's connection ends, all its permits are withdrawn", async () => {
  const sessions = new SessionPermits();
  const permits = sessions.getPermits("gate.operator", "gate") ?? new Permits();
  expect(sessions.getPermits("loop.operator", "loop")).toBe(permits);
  for (const [holder, role] of [
    ["loop.operator", "gate"],
    ["gate.operator", "loop"],
    ["notes", "loop"],
    ["loop.", "loop"],
  ] as const) {
    expect(sessions.getPermits(holder, role)).toBeUndefined();
  }
  expect(sessions.getPermits("loop.visitor", "loop")).not.toBe(permits);
  const [mine, theirs] = duplexPair();
  serveMetering(theirs, permits);
  const gate = connect(mine);
  const { allow, ended, withdraw } = Metering.methods;
  expect(await gate.call(allow, { nonce: nonce(1), mostTokens: 9, redactions: [] })).toMatchObject({ ok: true });
  expect(await gate.call(allow, { nonce: nonce(1), mostTokens: 9, redactions: [] })).toMatchObject({ ok: false });
  expect(await gate.call(allow, { nonce: new Uint8Array(65), mostTokens: 9, redactions: [] })).toMatchObject({
    ok: false,
  });
  const waiting = gate.call(ended, { nonce: nonce(1) });
  permits.begin(nonce(1))?.prompt(3);
  await gate.call(withdraw, { nonce: nonce(1) });
  expect(await waiting).toEqual({
    ok: true,
    value: { usage: { promptTokens: 3, outputTokens: 0 }, messages: [], masked: [] },
  });
  expect(await gate.call(ended, { nonce: nonce(7) })).toMatchObject({ ok: false });
  expect(await gate.call(Metering.methods.asked, { nonce: nonce(7) })).toMatchObject({ ok: false });
  await gate.call(allow, { nonce: nonce(2), mostTokens: 9, redactions: [] });
  const running = permits.begin(nonce(2));
  const over = new Promise((resolve) => running?.signal.addEventListener("abort", resolve));
  gate.close();
  await over;
});

test("a grant's holder and interface identify a session's gate and loop; other holders are not served", async () => {
  let grant: (given: IncomingGrant) => void = () => {};
  const loops: Permits[] = [];
  const onGrant = (serveGrant: typeof grant): void => {
    grant = serveGrant;
  };
  serveSessions({ onGrant }, (stream, permits) => {
    loops.push(permits);
    return serve(stream, [LanguageModel.id], () => new Promise(() => {}));
  });
  const held = (holder: string, interfaceId: bigint) => {
    const [mine, stream] = duplexPair();
    grant({ stream, holder, interfaceId, badge: 1n, name: "model" });
    return { mine, isCutOff: stream.destroyed };
  };
  for (const [holder, interfaceId] of [
    ["loop.operator", Metering.id],
    ["gate.operator", LanguageModel.id],
    ["notes", LanguageModel.id],
    ["notes", Metering.id],
  ] as const) {
    expect([holder, held(holder, interfaceId).isCutOff]).toEqual([holder, true]);
  }
  expect(loops).toEqual([]);
  const gate = connect(held("gate.operator", Metering.id).mine);
  expect(await gate.call(Metering.methods.allow, { nonce: nonce(1), mostTokens: 9, redactions: [] })).toMatchObject({
    ok: true,
  });
  for (const holder of ["loop.visitor", "loop.operator"]) held(holder, LanguageModel.id);
  expect(loops.map((permits) => permits.begin(nonce(1)) !== undefined)).toEqual([false, true]);
});
