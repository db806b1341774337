import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CONTEXTUAL, RESERVED, scan } from "../../../../lang/grammar/index.ts";
import { KEYWORD_MEANINGS, SETTING_MEANINGS, VALUE_MEANINGS } from "../../../../lang/spec/words.ts";
import { createSourceText } from "../../../../lang/text/index.ts";
import { SETTING_WORDS, WORDS } from "../../../phases/bind/index.ts";
import { compiledInMemory } from "../testing/snapshots.ts";
import { findDescribedWord } from "./described-word.ts";

const PAGE = readFileSync(new URL("../../../../lang/spec/whole-page.cap", import.meta.url), "utf8");
// The page with every construct contains every word of the language, but not each meaning of a word.
const WHOLE = `${PAGE}interface Files { method read : readOnly  arg path is path }\n`;
const { model } = await compiledInMemory();

async function hoverAt(text: string, offset: number): Promise<string | undefined> {
  return (await findDescribedWord(createSourceText("a.cap", text), offset, model))?.blocks.join("\n");
}

test("for each meaning of each keyword, a place in whole-page.cap has a hover text with this meaning", async () => {
  const { tokens } = scan(createSourceText("whole-page.cap", WHOLE));
  const shown = new Map<string, Set<string>>();
  for (let index = 0; index < tokens.count; index += 1) {
    const kind = tokens.getKind(index);
    const hover = Object.hasOwn(KEYWORD_MEANINGS, kind) ? await hoverAt(WHOLE, tokens.start(index)) : undefined;
    if (hover !== undefined) shown.set(kind, (shown.get(kind) ?? new Set()).add(hover));
  }
  const missing = [...RESERVED, ...CONTEXTUAL].flatMap((word) =>
    KEYWORD_MEANINGS[word].filter(({ text }) => ![...(shown.get(word) ?? [])].some((hover) => hover.includes(text))),
  );
  expect(missing).toEqual([]);
});

test("the words with a meaning are exactly the words that the binder knows", () => {
  const listWords = (sets: Readonly<Record<string, readonly string[] | Readonly<Record<string, string>>>>) =>
    Object.entries(sets).map(([set, words]) => [set, [...(Array.isArray(words) ? words : Object.keys(words))].sort()]);
  expect(Object.fromEntries(listWords(VALUE_MEANINGS))).toEqual(Object.fromEntries(listWords(WORDS)));
  expect(Object.fromEntries(listWords(SETTING_MEANINGS))).toEqual(Object.fromEntries(listWords(SETTING_WORDS)));
});

test.each([
  ["the kind of a session", "session a { kind op|erator }", "who runs the machine"],
  ["a setting", "image { fir|mware bios }", "firmware that can start the image"],
  ["the value of a setting", "image { machine v|m }", "virtual machine"],
  ["a setting that is a keyword elsewhere", "image { mem|ory 1 GiB }", "memory of the machine"],
  ["a scope", "session a { quota { 3 calls per tu|rn } }", "one message of a person"],
  ["a unit", "service a : Files { state 3 Mi|B }", "1024 KiB"],
  ["a function", "session a { permit { auto notes.write where si|ze(path) == 3", "bytes of UTF-8"],
  ["a source", "session a { permit { auto notes.write where path from per|son", "typed at the console"],
  [
    "an argument of a condition",
    "session a { permit { auto notes.write where cont|ent == 3",
    "argument `content` : `text`",
  ],
  ["an argument of a call in a test", 'test "a" { call notes.write { pa|th: "x"', "argument `path` : `text`"],
  ["an outcome", 'test "a" { call notes.write {} expect refusedBy|Policy', "refuses the call"],
  ["a word at its end", "system| a {", "Contains all declarations"],
])("the hover of %s is its meaning", async (_, marked, text) => {
  const at = marked.indexOf("|");
  expect(await hoverAt(marked.replace("|", ""), at)).toContain(text);
});

test.each([
  ["a text", 'principal a { ssh "al|ice.pub" }'],
  ["a comment", "// sys|tem"],
  ["a declared name that is a keyword", "service mod|el : Files {}"],
  ["a number", "session a { quota { 3|00 calls per turn } }"],
  ["blank space", "system a {\n |\n}"],
])("%s has no hover", async (_, marked) => {
  const at = marked.indexOf("|");
  expect(await hoverAt(marked.replace("|", ""), at)).toBeUndefined();
});
