import { duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Files } from "./generated/tools.ts";
import { Renewable } from "./renewable.ts";
import { serve } from "./serve.ts";

/** Returns a provider that answers with its own name, and counts its calls. */
function provider(name: string, runs: Map<string, number>) {
  const [mine, theirs] = duplexPair();
  const serving = serve(theirs, [Files.id], async ({ payload }) => {
    const call = payload.which === "json" ? payload.json : "";
    runs.set(call, (runs.get(call) ?? 0) + 1);
    return { ok: true, payload: { which: "json", json: name } };
  });
  return { mine, die: () => theirs.destroy(), serving };
}

test("calls go to the current provider, and fail while none exists", async () => {
  const runs = new Map<string, number>();
  const first = provider("first", runs);
  const renewable = new Renewable(first.mine);
  const { connection } = renewable;
  const call = () => connection.callTool(Files.id, 0, "{}");
  expect(await call()).toEqual({ ok: true, value: "first" });
  first.die();
  await connection.closed;
  expect(await call()).toMatchObject({ ok: false, code: "closed" });
  renewable.renew(provider("second", runs).mine);
  expect(await call()).toEqual({ ok: true, value: "second" });
});

test("when a provider is replaced, unanswered calls on the old stream fail, even if this stream has not ended", async () => {
  const [mine] = duplexPair();
  const renewable = new Renewable(mine);
  const call = renewable.connection.callTool(Files.id, 0, "{}");
  renewable.renew(provider("second", new Map()).mine);
  expect(await call).toMatchObject({ ok: false, code: "closed" });
});

test("no call runs twice and each call ends once, whenever providers die and are replaced", async () => {
  const step = fc.oneof(fc.constant("call" as const), fc.constant("die" as const), fc.constant("renew" as const));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const runs = new Map<string, number>();
      let current = provider("0", runs);
      const renewable = new Renewable(current.mine);
      const calls = steps.map((one, index) => {
        if (one === "die") current.die();
        if (one === "renew") {
          current = provider(String(index), runs);
          renewable.renew(current.mine);
        }
        return one === "call" ? renewable.connection.callTool(Files.id, 0, `${index}`) : undefined;
      });
      for (const [index, call] of calls.entries()) {
        const reply = await call;
        if (reply?.ok === true) expect(runs.get(`${index}`)).toBe(1);
        else if (reply !== undefined) expect(reply.code).toBe("closed");
      }
      for (const times of runs.values()) expect(times).toBe(1);
    }),
  );
});
