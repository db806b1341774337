import { expect, test } from "vitest";
import { isError } from "../../../../lang/diagnostics/index.ts";
import { compilePage, expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const STUB = 'backend canned { stub «"replies.json"» }';
const MARKED = renderFactsPage({ backends: STUB });
const UNMARKED = renderFactsPage({ backends: STUB.replaceAll(/[«»]/g, "") });
const calling = (...names: readonly string[]) => ({ when: { user: "Go." }, call: names.map((name) => ({ name })) });
const after = (tool: string, outcome: string) => ({ when: { tool, outcome }, say: "{error}" });
const beside = (...replies: readonly unknown[]) => ({ "/replies.json": JSON.stringify(replies) });

expectAdvised("reply-without-tool", { "a tool of no service": MARKED }, beside(calling("note.read")));
expectAdvised("reply-without-tool", { "a tool of a later call": MARKED }, beside(calling("notes.read", "notes.burn")));
expectAdvised(
  "reply-without-tool",
  { "a reply for another outcome": MARKED },
  beside(calling("notes.burn"), after("notes.burn", "executionError")),
);
expectAdvised(
  "reply-without-tool",
  { "tools of the page": UNMARKED, "no file": renderFactsPage({}) },
  beside(calling("notes.read", "notes.write")),
);
expectAdvised(
  "reply-without-tool",
  { "a reply for the outcome of an unknown tool": UNMARKED },
  beside(calling("notes.burn"), after("notes.burn", "unknownTool")),
);
expectAdvised("reply-without-tool", { "an action of a kernel": UNMARKED }, beside(calling("list_files")));
const saying = (say: string, tool = "notes.read", outcome = "ok") => ({ when: { tool, outcome }, say });
expectAdvised("reply-without-field", { "a field of no result": MARKED }, beside(saying("{body}")));
expectAdvised("reply-without-field", { "a field in a text": MARKED }, beside(saying("{content.length}")));
expectAdvised("reply-without-field", { "a placeholder of replies to people": MARKED }, beside(saying("{tools}")));
expectAdvised(
  "reply-without-field",
  { "fields of the result": UNMARKED },
  beside(saying("{content} {error}"), saying("{entries}", "notes.list"), saying('{} {"a":1} {a b}')),
);
expectAdvised(
  "reply-without-field",
  { "a reply to a failure, or to a tool of no page": UNMARKED },
  beside(
    saying("{body}", "notes.read", "executionError"),
    saying("{body}", "a.b", "unknownTool"),
    saying("{body}", "b", "ok"),
  ),
);

test("the help of reply-without-field gives the whole path of an inner field", async () => {
  const page = renderFactsPage({
    backends: STUB.replaceAll(/[«»]/g, ""),
    services: 'service web : Fetch { label public/untrusted  grant Fetch scope "https://*", "GET" }',
    permit: "consent web.get  forbidden web.post",
    rest: "network { address dhcp }  image { target linux  machine vm  boot operator }",
  });
  const files = beside(saying("{body} {response.body} {response.none}", "web.get"));
  const { advice, diagnostics } = await compilePage(page, files);
  expect(diagnostics.filter(isError).map(({ message }) => message)).toEqual([]);
  const [found] = advice.filter(({ code }) => code === "reply-without-field");
  expect(found?.message).toBe(
    "`replies.json` writes `{body}` and 1 more that no result of its tool has; this one is for `web.get`",
  );
  expect(found?.help).toBe("write `{response.body}`");
});

expectAdvised("replies-malformed", { "a reply without an occasion": MARKED }, beside({ say: "Hello." }));
expectAdvised("replies-malformed", { "no list": MARKED }, { "/replies.json": "{}" });
expectAdvised("replies-malformed", { "no replies": UNMARKED }, beside());

test("the advice names the first unknown tool with the most similar tool of the page, and counts the others", async () => {
  const { advice } = await compilePage(UNMARKED, beside(calling("notes.raed", "a.b", "c.d", "a.b")));
  const [found] = advice.filter(({ code }) => code === "reply-without-tool");
  expect(found?.message).toBe("`replies.json` calls `notes.raed` and 2 more that are not tools of the page");
  expect(found?.help).toContain("write `notes.read`, or ");
});

test("the message shows only the beginning of a long name", async () => {
  for (const files of [beside(calling(`a.${"b".repeat(8000)}`)), beside({ ["c".repeat(8000)]: 1 })]) {
    const { advice } = await compilePage(UNMARKED, files);
    const messages = advice.flatMap(({ message }) => (message.startsWith("`replies.json`") ? [message.length] : []));
    expect(messages).toHaveLength(1);
    expect(Math.max(...messages)).toBeLessThan(300);
  }
});
