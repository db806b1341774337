import fc from "fast-check";
import { expect, test } from "vitest";
import { renderFactsPage } from "../../compiler/dev/fixtures/facts.ts";
import { programOf } from "./called.ts";

test("an echo returns the text, byte for byte", async () => {
  const call = await programOf(renderFactsPage({ services: "service mirror : Echo {}", permit: "auto readOnly" }));
  const texts = fc.string({ unit: "binary", maxLength: 200 }).filter((text) => text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect(await call("echo", { text })).toEqual({ said: text });
    }),
  );
  expect(await call("echo", {})).toMatch(/text is missing/);
});

test("the time comes from the machine's clock, and is marked as not trusted", async () => {
  const services = renderFactsPage({ services: "service watch : Clock {}", permit: "auto readOnly" });
  const call = await programOf(services, { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6) });
  expect(await call("now", {})).toEqual({
    utc: "2026-01-02T03:04:05.006Z",
    source: "the machine's own clock",
    trusted: false,
    said: "2026-01-02T03:04:05.006Z, by the machine's own clock, which nobody vouches for",
  });
});

test("if the clock is invalid, the call fails", async () => {
  const call = await programOf(renderFactsPage({ services: "service watch : Clock {}", permit: "auto readOnly" }), {
    now: () => Number.NaN,
  });
  expect(await call("now", {})).toMatch(/the program failed: Invalid time/);
});
