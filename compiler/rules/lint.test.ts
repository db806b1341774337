import { expect, test } from "vitest";
import { compilePage, renderFactsPage } from "../dev/fixtures/facts.ts";

// What is said of comments that silence nothing.

const BLOCK = "session operator {\n kind operator  models { auto canned }  permit { auto readOnly";

async function readSaid(text: string) {
  const { diagnostics, advice } = await compilePage(text);
  return [...diagnostics, ...advice]
    .filter(({ code }) => code.startsWith("silence-"))
    .map(({ message, help, fix }) => [
      message,
      help,
      fix && text.slice(fix.span.start, fix.span.end),
      fix?.replacement,
    ]);
}

const DELETE = ["delete the comment", undefined, undefined];
const REST = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';

test.each([
  [
    "before the end of a block",
    renderFactsPage({ sessions: `${BLOCK}\n// capc: allow rule-redundant because "it is clearer"\n } }` }),
    [["`allow rule-redundant` silences nothing: nothing stands behind it here", ...DELETE]],
  ],
  [
    "before what gets no such advice",
    renderFactsPage({ rest: `\n// capc: allow principal-unused because "nobody yet"\n${REST}` }),
    [["`allow principal-unused` silences nothing: what stands in line 9 gets no such advice", ...DELETE]],
  ],
  [
    "of what is no advice, with one that is nearly called so",
    renderFactsPage({ rest: `\n// capc: allow tools-not-coverd because "all of it"\n${REST}` }),
    [
      [
        "`allow tools-not-coverd` silences nothing: it is no advice, and what is not advice cannot be silenced",
        "did you mean `tools-not-covered`?",
        "tools-not-coverd",
        "tools-not-covered",
      ],
    ],
  ],
  [
    "of what is no advice, and nothing is called nearly so",
    renderFactsPage({ rest: `\n// capc: allow everything because "it is late"\n${REST}` }),
    [["`allow everything` silences nothing: it is no advice, and what is not advice cannot be silenced", ...DELETE]],
  ],
  [
    "that does not say what it allows",
    renderFactsPage({ rest: `\n// capc: allow\n${REST}` }),
    [
      [
        "this silences nothing: it does not say what it allows, and why",
        'write `// capc: allow CODE because "reason"`',
        undefined,
        undefined,
      ],
    ],
  ],
  [
    "whose reason is none",
    renderFactsPage({ rest: `\n// capc: allow tools-not-covered because "…"\n${REST}` }),
    [
      [
        "this silences nothing: its reason says nothing",
        'write `// capc: allow CODE because "reason"`',
        undefined,
        undefined,
      ],
    ],
  ],
])("a comment %s", async (_, text, said) => {
  expect(await readSaid(text)).toEqual(said);
});

const DEAD =
  '\n// capc: allow dead-authority because "it comes alive"\n// capc: allow rule-redundant because "it is clearer"\n';
const told = async (text: string) => (await readSaid(text)).map(([message]) => message?.split(" silences")[0]);

test("of advice that proofs give, a comment is left over only where something was proved", async () => {
  const lawful = renderFactsPage({ rest: `${DEAD}${REST}` });
  expect(await told(lawful)).toEqual(["`allow dead-authority`", "`allow rule-redundant`"]);
  const broken = renderFactsPage({ rest: `${DEAD}${REST}`, permit: "auto readOnly  consent readOnly" });
  expect(await told(broken)).toEqual(["`allow rule-redundant`"]);
});
