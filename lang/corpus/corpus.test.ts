import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatFile } from "../format/index.ts";
import { decodeSource, parse } from "../grammar/index.ts";

const FOLDER = new URL(".", import.meta.url);

/** Codes of the findings of each file, in order; a file that is not in this list has no findings. */
const FINDINGS: Readonly<Record<string, readonly string[]>> = {
  "backslash-at-the-end.cap": ["unclosed-text"],
  "braces-missing.cap": ["syntax", "syntax"],
  "braces-too-many.cap": ["syntax", "syntax", "syntax"],
  "byte-order-mark-inside.cap": ["hidden-character"],
  "chinese-name.cap": ["unknown-character"],
  "cyrillic-name.cap": ["unknown-character"],
  "dash-and-letter.cap": ["unknown-character"],
  "dashes.cap": ["unknown-character", "unknown-character", "unknown-character", "syntax"],
  "deep-brackets.cap": ["nested-too-deep"],
  "direction-isolate.cap": ["hidden-character"],
  "direction-override.cap": ["hidden-character"],
  "dots.cap": ["syntax"],
  "else-missing.cap": ["syntax"],
  "emoji-name.cap": ["unknown-character"],
  "endless-number.cap": ["number-too-long"],
  "escapes.cap": ["unknown-escape", "unknown-escape", "unknown-escape"],
  "filler.cap": ["hidden-character"],
  "form-feed.cap": ["hidden-character"],
  "greek-name.cap": ["unknown-character"],
  "half-a-character.cap": ["not-utf8"],
  "line-ends.cap": ["line-ends"],
  "line-separator.cap": ["hidden-character"],
  "lone-carriage-return.cap": ["line-ends"],
  "mixed-line-ends.cap": ["line-ends"],
  "next-line.cap": ["hidden-character"],
  "not-utf8.cap": ["not-utf8"],
  "nul.cap": ["hidden-character"],
  "soft-hyphen.cap": ["hidden-character"],
  "unclosed-text.cap": ["unclosed-text"],
  "variation-selector.cap": ["hidden-character"],
  "zero-width-name.cap": ["hidden-character"],
};

const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".cap"));

async function findingsOf(name: string) {
  const bounded = decodeSource(name, readFileSync(new URL(name, FOLDER)));
  return bounded.ok ? (await parse(bounded.source)).diagnostics : [bounded.diagnostic];
}

test.each(FILES)("%s gives exactly its expected findings", async (name) => {
  const findings = await findingsOf(name);
  expect(findings.map(({ code }) => code)).toEqual(FINDINGS[name] ?? []);
  for (const { span } of findings) expect(span.end).toBeLessThanOrEqual(span.source.text.length);
});

test("every file with expected findings exists", () => {
  expect(Object.keys(FINDINGS).filter((name) => !FILES.includes(name))).toEqual([]);
});

test.each(FILES.filter((name) => FINDINGS[name] === undefined))(
  "formatting %s a second time changes nothing",
  async (name) => {
    const bounded = decodeSource(name, readFileSync(new URL(name, FOLDER)));
    const once = bounded.ok && (await formatFile(bounded.source));
    if (once === false || !once.ok) throw new Error("it was not formatted");
    const again = decodeSource(name, new TextEncoder().encode(once.value));
    expect(again.ok && (await formatFile(again.source))).toMatchObject({ value: once.value });
  },
);
