import fc from "fast-check";
import { expect, test } from "vitest";
import { ContextWindow } from "./context-window.ts";
import { estimateTokens } from "./tokens.ts";

function windowOf(maxTokens: number, systemPrompt = ""): ContextWindow {
  const opened = ContextWindow.open(maxTokens, systemPrompt);
  if (!opened.ok) throw new Error(opened.reason);
  return opened.value;
}

const contents = (window: ContextWindow): readonly string[] => window.messages.map(({ content }) => content);

test.each([
  ["", 0],
  ["a", 1],
  ["abcd", 1],
  ["abcde", 2],
  ["x".repeat(4096 * 4), 4096],
])("counts four characters as one token: %#", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test("a message has a role, a content and a number of tokens", () => {
  const window = windowOf(100, "You are careful.");
  window.push("user", "Hello");
  window.push("assistant", "Good morning.");
  window.push("tool", "4200");
  expect(window.messages).toEqual([
    { role: "system", content: "You are careful.", tokens: 4 },
    { role: "user", content: "Hello", tokens: 2 },
    { role: "assistant", content: "Good morning.", tokens: 4 },
    { role: "tool", content: "4200", tokens: 1 },
  ]);
  expect(window.tokens).toBe(11);
});

test("a full window evicts the oldest messages and keeps the system prompt", () => {
  const window = windowOf(4, "sys.");
  expect(window.push("user", "one.")).toEqual([]);
  expect(window.push("assistant", "two.")).toEqual([]);
  expect(window.push("tool", "thr.")).toEqual([]);
  expect(window.push("user", "four")).toEqual([{ role: "user", content: "one.", tokens: 1 }]);
  expect(window.push("user", "12345678").map(({ content }) => content)).toEqual(["two.", "thr."]);
  expect(contents(window)).toEqual(["sys.", "four", "12345678"]);
});

test("a message that fills the window exactly fits", () => {
  const window = windowOf(4096);
  expect(window.push("user", "x".repeat(4096 * 4))).toEqual([]);
  expect(window.push("user", "y").map(({ tokens }) => tokens)).toEqual([4096]);
});

test("evicts a message that does not fit even alone, after all others", () => {
  const window = windowOf(2, "sys.");
  window.push("user", "one.");
  expect(window.push("user", "12345").map(({ content }) => content)).toEqual(["one.", "12345"]);
  expect(contents(window)).toEqual(["sys."]);
});

test("refuses a system prompt that does not fit", () => {
  expect(ContextWindow.open(1, "12345")).toEqual({
    ok: false,
    reason: "the system prompt has 2 tokens, and the window 1",
  });
});

const pushes = fc.array(fc.tuple(fc.constantFrom("user", "assistant", "tool"), fc.string({ maxLength: 60 })));

test("property: never exceeds its size, keeps the prompt first, and evicts the oldest messages in order", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40 }), pushes, (maxTokens, said) => {
      const window = windowOf(maxTokens, "system");
      const evicted = said.flatMap(([role, content]) => {
        const gone = window.push(role, content);
        expect(window.tokens).toBeLessThanOrEqual(maxTokens);
        return gone;
      });
      expect(contents(window)[0]).toBe("system");
      const all = [...evicted, ...window.messages.slice(1)];
      expect(all.map(({ role, content }) => [role, content])).toEqual(said);
    }),
  );
});

test("property: evicts no message that still fits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40 }), pushes, (maxTokens, said) => {
      const window = windowOf(maxTokens, "system");
      for (const [role, content] of said) {
        const newest = window.push(role, content).at(-1);
        if (newest !== undefined) expect(window.tokens + newest.tokens).toBeGreaterThan(maxTokens);
      }
    }),
  );
});
