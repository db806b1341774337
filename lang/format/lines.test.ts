import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "../grammar/index.ts";
import { anyWords } from "../testing/index.ts";
import { createSourceText } from "../text/index.ts";
import type { SessionNode } from "../tree/index.ts";
import { quoteText, renderFloor, renderLabel, renderLine, renderQuota } from "./index.ts";

async function sessionOf(inside: string): Promise<SessionNode> {
  const { tree, diagnostics } = await parse(createSourceText("a.cap", `session s { ${inside} }`));
  expect(diagnostics).toEqual([]);
  const [session] = tree.items;
  if (session?.kind !== "session") throw new Error("no session was read");
  return session;
}

test.each([
  "auto *",
  "consent readOnly in Files, notes.*",
  'auto Files.write where path under "/a b" and size(content) <= 64 KiB else consent',
  'stepUp shop.buy where price < 3.5 EUR and from in ["a", "b"] and gift == true and size.width != -2 else forbidden',
  'forbidden destructive because "a \\"quoted\\" word, a \\\\ and a\\nline"',
])("the canonical text of the line `%s` is the line itself", async (line) => {
  const [permit] = (await sessionOf(`permit { ${line} }`)).attributes;
  expect(permit?.kind === "permit" && permit.lines.map(renderLine)).toEqual([line]);
});

test("superfluous spaces and trailing zeros are removed", async () => {
  const [permit] = (await sessionOf("permit { auto   a . b ,\n c where size( x )<=1.50   KiB else\tconsent }"))
    .attributes;
  expect(permit?.kind === "permit" && permit.lines.map(renderLine)).toEqual([
    "auto a.b, c where size(x) <= 1.5 KiB else consent",
  ]);
});

test("floors, quotas and labels have a canonical text", async () => {
  const session =
    await sessionOf(`when integrity <= untrusted and compartment hr and confidentiality >= secret and unattended
    { atLeast stepUp admin, a.* } quota { 2k destructive calls per login } clearance secret:{hr, it}/reviewed`);
  const [when, quota, clearance] = session.attributes;
  expect(when?.kind === "when" && when.floors.map((floor) => renderFloor(when, floor))).toEqual([
    "when integrity <= untrusted and compartment hr and confidentiality >= secret and unattended: atLeast stepUp admin, a.*",
  ]);
  expect(quota?.kind === "quota" && quota.entries.map(renderQuota)).toEqual(["2000 destructive calls per login"]);
  expect(clearance?.kind === "clearance" && renderLabel(clearance.label)).toBe("secret:{hr, it}/reviewed");
});

test("a quoted text is parsed to the original text", async () => {
  for (const text of ["", 'a"b', "a\\b", "a\nb\r\tc", "ä😀"]) {
    const [permit] = (await sessionOf(`permit { auto a because ${quoteText(text)} }`)).attributes;
    expect(permit?.kind === "permit" && permit.lines[0]?.because?.value).toBe(text);
  }
});

test("the canonical text of any rule is parsed to the same rule", async () => {
  const linesOf = async (inside: string): Promise<string[]> => {
    const [permit] = (await sessionOf(`permit { ${inside} }`)).attributes;
    return permit?.kind === "permit" ? permit.lines.map(renderLine) : [];
  };
  await fc.assert(
    fc.asyncProperty(anyWords({ rule: "Rule" }), async (words) => {
      const lines = await linesOf(words.join(" "));
      expect(await linesOf(lines.join("\n"))).toEqual(lines);
    }),
    { numRuns: 300 },
  );
});
