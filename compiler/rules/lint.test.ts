import { expect, test } from "vitest";
import { compilePage, renderFactsPage } from "../dev/fixtures/facts.ts";

// Tests findings about comments that silence nothing.

const BLOCK = "session operator {\n kind operator  models { auto canned }  permit { auto readOnly";

async function readSaid(text: string) {
  const { diagnostics, advice } = await compilePage(text);
  return [...diagnostics, ...advice]
    .filter(({ code }) => code.startsWith("silence-"))
    .map(({ message, help, span, fix }) => [message, help, text.slice(span.start, span.end), fix?.replacement]);
}

const DELETE = "delete the comment";
const WRITE = 'write `// capc: allow CODE because "reason"`';
const NO_ADVICE = "it is not the code of an advice, and only advice can be silenced";
const REST = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const beforeRest = (comment: string) => renderFactsPage({ rest: `\n// ${comment}\n${REST}` });

test.each<[string, string, (string | undefined)[]]>([
  [
    "before the end of a block is reported",
    renderFactsPage({ sessions: `${BLOCK}\n// capc: allow rule-redundant because "it is clearer"\n } }` }),
    [
      "`allow rule-redundant` silences no advice: there is no declaration or rule after it",
      DELETE,
      "rule-redundant",
      undefined,
    ],
  ],
  [
    "before a line without such advice is reported",
    beforeRest('capc: allow principal-unused because "nobody yet"'),
    [
      "`allow principal-unused` silences no advice: the element in line 9 gets no such advice",
      DELETE,
      "principal-unused",
      undefined,
    ],
  ],
  [
    "about a code that is not advice is reported with the similar advice",
    beforeRest('capc: allow tools-not-coverd because "all of it"'),
    [
      `\`allow tools-not-coverd\` silences no advice: ${NO_ADVICE}`,
      "did you mean `tools-not-covered`?",
      "tools-not-coverd",
      "tools-not-covered",
    ],
  ],
  [
    "about a code that is not advice, and without a similar one, is reported",
    beforeRest('capc: allow everything because "it is late"'),
    [`\`allow everything\` silences no advice: ${NO_ADVICE}`, DELETE, "everything", undefined],
  ],
  [
    "without a code is reported",
    beforeRest("capc: allow"),
    [
      "this comment silences no advice: it needs the code of an advice, and a reason",
      WRITE,
      "// capc: allow",
      undefined,
    ],
  ],
  [
    "with an empty reason is reported",
    beforeRest('capc: allow tools-not-covered because "…"'),
    [
      "this comment silences no advice: its reason is empty",
      WRITE,
      '// capc: allow tools-not-covered because "…"',
      undefined,
    ],
  ],
])("a comment `capc: allow` %s", async (_, text, said) => {
  expect(await readSaid(text)).toEqual([said]);
});

const DEAD =
  '\n// capc: allow dead-authority because "it comes alive"\n// capc: allow rule-redundant because "it is clearer"\n';
const told = async (text: string) => (await readSaid(text)).map(([message]) => message?.split(" silences")[0]);

test("an unused comment about advice that needs a proof is reported only if the proof ran", async () => {
  const lawful = renderFactsPage({ rest: `${DEAD}${REST}` });
  expect(await told(lawful)).toEqual(["`allow dead-authority`", "`allow rule-redundant`"]);
  const broken = renderFactsPage({ rest: `${DEAD}${REST}`, permit: "auto readOnly  consent readOnly" });
  expect(await told(broken)).toEqual(["`allow rule-redundant`"]);
});

const wide = (session: string, block: string) =>
  renderFactsPage({
    sessions: `${session}\nsession operator { kind operator  models { auto canned }
      ${block}\n permit {\n auto readOnly\n consent * } }`,
  });
const ALLOW = '// capc: allow wildcard-wide because "everything is asked about"';

test.each([
  ["before the block of lines", wide("", ALLOW), ["silenced"]],
  ["before the session around the lines", wide(ALLOW, ""), ["given", "left over"]],
  ["before both", wide(ALLOW, ALLOW), ["silenced", "left over"]],
])(
  "a comment silences advice about a rule only if it is before the block of the rule: %s",
  async (_, text, outcome) => {
    const { advice, silenced } = await compilePage(text);
    const codes = advice.map(({ code }) => code);
    expect([
      ...silenced.map(() => "silenced"),
      ...codes.flatMap((code) => (code === "wildcard-wide" ? ["given"] : [])),
      ...codes.flatMap((code) => (code === "silence-unused" ? ["left over"] : [])),
    ]).toEqual(outcome);
  },
);
