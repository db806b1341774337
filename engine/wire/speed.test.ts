// Tables have half a million cells, and a build may not wait for them. Processor time of the thread, so that what else runs does not count.

import { expect, test } from "vitest";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { type Entry, Everything } from "./fixture/generated/everything.ts";
import { decode } from "./index.ts";

function millisecondsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function everything(fields: Partial<Everything>): Everything {
  const decoded = decode(Everything, new Uint8Array(8));
  if (!decoded.ok) throw new Error(decoded.reason);
  return { ...decoded.value, ...fields } as Everything;
}

test.each([
  [
    "100,000 structs of five fields",
    everything({
      entries: Array.from(
        { length: 100_000 },
        (_, at): Entry => ({
          name: `subject-${at}`,
          path: `/var/lib/${at % 97}/${at}`,
          kind: at % 3,
          weight: BigInt(at),
          tags: [at, at + 1],
        }),
      ),
    }),
  ],
  ["500,000 numbers", everything({ words: Array.from({ length: 500_000 }, (_, at) => at * 7) })],
])("%s are written and read in under a second each", (_what, value) => {
  let message = new Uint8Array(0);
  expect(millisecondsOf(() => (message = new Uint8Array(encodeMessage(Everything, value))))).toBeLessThan(1000);
  let decoded: ReturnType<typeof decodeMessage> | undefined;
  expect(millisecondsOf(() => (decoded = decodeMessage(Everything, message)))).toBeLessThan(1000);
  expect(decoded).toEqual({ ok: true, value });
});
