import { expect, test } from "vitest";
import { compilePage, renderFactsPage } from "../dev/fixtures/facts.ts";

const COVERED = "permit { auto readOnly  consent mutatingLocal } suppress destructive";
/**
 * Returns a page that gets the advice `tools-not-covered` at the name of its session, with comments before the session
 * and at the start of its block.
 */
const withComment = (before: string, behind = "") =>
  renderFactsPage({
    sessions: `${before}\nsession operator { ${behind}\n kind operator  models { auto canned } permit { auto readOnly } }`,
  });

const REASON = "whoever reads here changes nothing";
const ALLOW = `// capc: allow tools-not-covered because "${REASON}"`;

async function told(text: string) {
  const { diagnostics, advice, silenced, policy } = await compilePage(text);
  return {
    made: policy !== undefined,
    codes: [...diagnostics, ...advice]
      .map(({ code }) => code)
      .filter((code) => /^(tools-not|silence|rule-conflict)/.test(code)),
    silenced: silenced.map(({ diagnostic, reason }) => `${diagnostic.code}: ${reason}`),
  };
}

const SILENT = { made: true, codes: [], silenced: [`tools-not-covered: ${REASON}`] };

test.each([
  ["on the line before", withComment(ALLOW)],
  ["on the same line", withComment("", ALLOW)],
  ["before other comments and doc lines", withComment(`${ALLOW}\n// More about it.\n\n/// Who reads.`)],
  ["without optional blanks", withComment(`//capc:allow tools-not-covered because "${REASON}"`)],
  [
    "after a session on one line, which has a text with slashes and a quote in it",
    renderFactsPage({
      sessions: `session operator { kind operator models { auto canned } permit { auto readOnly because "a//\\"b" } } ${ALLOW}\n`,
    }),
  ],
  [
    "before a line break inside of the session's head",
    withComment("", "").replace("operator {", `operator ${ALLOW}\n{`),
  ],
])("a comment silences advice %s, with its reason", async (_, text) => {
  expect(await told(text)).toEqual(SILENT);
});

test.each([
  [
    "on the next line",
    renderFactsPage({
      sessions: `session operator { kind operator models { auto canned } permit { auto readOnly } }\n${ALLOW}`,
    }),
  ],
  ["after a line of the session", withComment("", `principals alice ${ALLOW}`)],
  [
    "before the end of a block",
    renderFactsPage({
      sessions: `session operator { kind operator models { auto canned } permit { auto readOnly\n${ALLOW}\n } }`,
    }),
  ],
  ["in a text", withComment("", "").replace('"capos-data"', '"// capc: allow tools-not-covered because x"')],
  ["in a doc comment", withComment(`/${ALLOW}`)],
  ["after another comment", withComment(`// see ${ALLOW}`)],
])("a comment does not silence advice %s", async (_, text) => {
  const { codes, silenced } = await told(text);
  expect(codes).toContain("tools-not-covered");
  expect(silenced).toEqual([]);
});

test("a comment silences one code at one position, and not the same advice below it", async () => {
  const reader = (name: string) => `session ${name} {\n kind guest  models { auto canned } permit { auto readOnly } }`;
  const { codes, silenced } = await told(
    renderFactsPage({
      sessions: `${ALLOW}\n${reader("first")}\n${reader("second")}`,
      rest: 'storage { disk "capos-data" }  image { target linux  machine vm  boot first }',
    }),
  );
  expect(codes).toEqual(["tools-not-covered"]);
  expect(silenced).toHaveLength(1);
});

test("a law cannot be silenced", async () => {
  const text = renderFactsPage({
    sessions: `session operator { kind operator models { auto canned }
      // capc: allow rule-conflict because "it is quicker"
      permit { auto readOnly  consent readOnly } }`,
  });
  const { made, codes, silenced } = await told(text);
  expect(made).toBe(false);
  expect(codes).toEqual(expect.arrayContaining(["rule-conflict", "silence-unused"]));
  expect(silenced).toEqual([]);
});

test("a used comment is not reported as unused, and an unused comment with a misspelt code gets a fix", async () => {
  expect((await told(withComment(ALLOW))).codes).toEqual([]);
  const { advice } = await compilePage(withComment(ALLOW.replace("covered", "coverd")));
  const found = advice.find(({ code }) => code === "silence-unused");
  expect(found).toMatchObject({ fix: { replacement: "tools-not-covered" }, help: "did you mean `tools-not-covered`?" });
  expect(found?.fix?.span).toEqual(found?.span);
});

test("a page whose tools are all covered gets no advice", async () => {
  const text = renderFactsPage({ sessions: `session operator { kind operator models { auto canned } ${COVERED} }` });
  expect((await told(text)).codes).toEqual([]);
});
