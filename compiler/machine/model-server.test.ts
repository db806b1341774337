import { expect, test } from "vitest";
import { providerAnswer } from "./model-server.ts";

const RULES = JSON.stringify([
  { when: { user: "hello" }, say: "Good day to you, whoever you are." },
  { when: { user: "list" }, call: [{ name: "notes_read", arguments: { path: "a" } }] },
  { when: { tool: "notes_read", outcome: "ok" }, say: "It says {content}." },
  { when: { user: "wait" }, say: "for", pause: "untilCancelled" },
  { when: { user: "busy" }, status: 429, headers: { "retry-after": "9" } },
]);
const asked = (...messages: readonly object[]) => JSON.stringify({ messages });
const user = (content: string) => ({ role: "user", content });
const REPORT = JSON.stringify({ outcome: "ok", content: JSON.stringify({ content: "hi" }) });

test("canned replies are streamed in pieces, as events or lines, and a reply may lack its end", () => {
  const { headers, pieces } = providerAnswer("openai", RULES, asked(user("hello")));
  expect(headers).toEqual({ "content-type": "text/event-stream" });
  expect([pieces.length, pieces.at(-1)]).toEqual([5, "data: [DONE]\n\n"]);
  expect(providerAnswer("openai", RULES, asked(user("list"))).pieces.join("")).toContain('"name":"notes_read"');
  const lines = providerAnswer("ollama", RULES, asked(user("list"))).pieces;
  expect(lines[0]).toContain('"arguments":{"path":"a"}');
  expect(lines.at(-1)).toContain('"done":true');
  const endless = providerAnswer("ollama", RULES, asked(user("wait")));
  expect([endless.neverEnds, endless.pieces.length]).toEqual([true, 1]);
});

test("a result is matched to its call by the call's id, or by the tool's name", () => {
  const call = { id: "x", function: { name: "notes_read", arguments: "{}" } };
  const said = { role: "assistant", content: "", tool_calls: [call] };
  const byId = asked(said, { role: "tool", tool_call_id: "x", content: REPORT });
  expect(providerAnswer("openai", RULES, byId).pieces.join("")).toContain("It says hi.");
  const { id: _, ...nameless } = call;
  const byName = asked({ ...said, tool_calls: [nameless] }, { role: "tool", tool_name: "notes_read", content: REPORT });
  expect(providerAnswer("ollama", RULES, byName).pieces.join("")).toContain("It says hi.");
});

test("errors are returned as an HTTP status, also for unreadable requests", () => {
  expect(providerAnswer("openai", RULES, asked(user("busy")))).toMatchObject({
    status: 429,
    headers: { "retry-after": "9" },
  });
  expect(providerAnswer("openai", RULES, "{").status).toBe(400);
  expect(providerAnswer("openai", '[{"when":7}]', asked(user("a"))).status).toBe(500);
});
