import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { renderFactsPage } from "../../../compiler/dev/fixtures/facts.ts";
import { type Call, programOf } from "../../../stdlib/services/called.ts";
import { processInput, runCall } from "./agent-input.ts";
import { ContextWindow } from "./context-window.ts";
import { parseProposedCall, parseTypedCall, type Tool, ToolRegistry } from "./tool-registry.ts";

// The tools `calc`, `store`, `recall` and `echo` are services of the standard library; they run as in an image.

function worded(call: Call, method: string, argumentsOf: (words: string) => object): Tool {
  return async (words) => {
    const answer = await call(method, argumentsOf(words));
    const said = typeof answer === "object" && answer !== null && "said" in answer ? answer.said : undefined;
    return typeof said === "string" ? { ok: true, value: said } : { ok: false, reason: String(answer) };
  };
}

function firstWord(words: string): readonly [string, string] {
  const end = /\s/.exec(words)?.index ?? words.length;
  return [words.slice(0, end), words.slice(end).trim()];
}

let registry = new ToolRegistry(new Map());

beforeAll(async () => {
  const of = (services: string, permit = "auto readOnly") => programOf(renderFactsPage({ services, permit }));
  const [calculator, memory, mirror] = [
    await of("service c : Calculator {}"),
    await of("service m : Memory {}", "auto Memory.store  auto readOnly"),
    await of("service e : Echo {}"),
  ];
  const store = worded(memory, "store", (words) => {
    const [topic, content] = firstWord(words);
    return { topic, content };
  });
  registry = new ToolRegistry(
    new Map([
      ["calc", worded(calculator, "calc", (expression) => ({ expression }))],
      ["store", store],
      ["recall", worded(memory, "recall", (query) => ({ query }))],
      ["echo", worded(mirror, "echo", (text) => ({ text }))],
    ]),
  );
});

function openWindow(): ContextWindow {
  const opened = ContextWindow.open(4096, "You own this machine.");
  if (!opened.ok) throw new Error(opened.reason);
  return opened.value;
}

const MOST = 9223372036854775807n;

test.each([
  ["/tool calc 100 * 42", "100 * 42 = 4200"],
  ["/tool calc 10 + 20", "10 + 20 = 30"],
  ["/tool calc 7 - 9", "7 - 9 = -2"],
  ["/tool calc 7 / 2", "7 / 2 = 3"],
  [`/tool calc ${MOST - 1n} + 1`, `${MOST - 1n} + 1 = ${MOST}`],
  ["/tool store capital_france Paris", "Stored: capital_france = Paris"],
  ["/tool recall capital_france", "capital_france = Paris"],
  ["/tool echo Hello,   agent.", "Hello,   agent."],
])("the line %s returns %s, which the window stores as a tool's message", async (line, said) => {
  const window = openWindow();
  const { result } = await processInput(line, window, registry);
  expect(result).toEqual({ ok: true, value: said });
  expect(window.messages.slice(1)).toEqual([{ role: "tool", content: said, tokens: Math.ceil(said.length / 4) }]);
});

test.each([
  ["/tool", 'there is no tool ""'],
  ["/tool burn it", 'there is no tool "burn"'],
  ["/tool calc 1 / 0", "the program failed: nothing can be divided by zero"],
  [`/tool calc ${MOST} + 1`, "the program failed: the numbers go beyond 64 bits"],
  ["/tool toString", 'there is no tool "toString"'],
])("the window stores the error of the line %s as a tool's message", async (line, reason) => {
  const window = openWindow();
  const { result } = await processInput(line, window, registry);
  expect(result).toEqual({ ok: false, reason });
  expect(window.messages.at(-1)).toMatchObject({ role: "tool", content: reason });
});

test.each(["What is 42 times 17?", " /tool calc 1", "/tools", "/toolcalc 1"])(
  "passes text that is not a command to the model: %s",
  async (line) => {
    const window = openWindow();
    expect(await processInput(line, window, registry)).toEqual({ evicted: [] });
    expect(window.messages.at(-1)).toMatchObject({ role: "user", content: line });
  },
);

test("parses a call from the model's answer and runs it like a typed one", async () => {
  const window = openWindow();
  const call = parseProposedCall('{"tool": "calc", "args": "42 * 17"}');
  if (!call.ok) throw new Error(call.reason);
  expect((await runCall(call.value, window, registry)).result).toEqual({ ok: true, value: "42 * 17 = 714" });
  expect(window.messages.at(-1)).toMatchObject({ role: "tool", content: "42 * 17 = 714" });
});

test.each([
  ["calc 42", /a value is expected/],
  ["[]", /no JSON object/],
  ['{"tool": "calc"}', /have to be texts/],
  ['{"tool": "calc", "args": ["42"]}', /have to be texts/],
  ['{"tool": "calc", "args": "1", "shell": "sh"}', /"shell" is not known here/],
  ['{"tool": "calc", "tool": "echo", "args": "1"}', /the same name stands twice/],
])("refuses an answer that is not a call: %s", (answer, reason) => {
  const read = parseProposedCall(answer);
  expect(read.ok ? "" : read.reason).toMatch(reason);
});

test("lists the names of all tools in order", () => {
  expect(registry.names).toEqual(["calc", "echo", "recall", "store"]);
});

test("property: splits a typed command at its first blanks, and only there", () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  const args = fc.string({ maxLength: 40 }).map((text) => text.trim());
  fc.assert(
    fc.property(name, args, (tool, words) => {
      expect(parseTypedCall(`/tool ${tool} ${words}`)).toEqual({ name: tool, args: words });
    }),
  );
});

test("property: never throws on an answer of a model", () => {
  fc.assert(fc.property(fc.string(), (answer) => void parseProposedCall(answer)));
});
