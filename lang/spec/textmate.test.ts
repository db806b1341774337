import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { type Kind, scan } from "../grammar/index.ts";
import { createSourceText } from "../text/index.ts";
import { renderTextMateFile } from "./textmate.ts";

const WRITTEN = new URL("cap.tmLanguage.json", import.meta.url);
const WHOLE = readFileSync(new URL("whole-page.cap", import.meta.url), "utf8");

test("the grammar for editors is generated from the words of the scanner: `npm run generate` writes it", () => {
  expect(readFileSync(WRITTEN, "utf8")).toBe(renderTextMateFile());
});

/** Returns a function that gives the innermost scope at an offset of a text, as an editor finds it. */
async function scopesOf(text: string): Promise<(offset: number) => string> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (line) => new oniguruma.OnigString(line),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(WRITTEN, "utf8"), "cap.tmLanguage.json"),
  });
  const grammar = await registry.loadGrammar("source.cap");
  const scopes = new Map<number, string>();
  let stack = textmate.INITIAL;
  let start = 0;
  for (const line of text.split("\n")) {
    const result = grammar?.tokenizeLine(line, stack);
    stack = result?.ruleStack ?? stack;
    for (const { startIndex, endIndex, scopes: found } of result?.tokens ?? []) {
      for (let at = startIndex; at < endIndex; at++) scopes.set(start + at, found.at(-1) ?? "");
    }
    start += line.length + 1;
  }
  return (offset) => scopes.get(offset) ?? "";
}

/** Returns the expected scope of a token. A word that may also be a name can have the scope of a keyword or of a name. */
function expected(kind: Kind): RegExp {
  if (kind === "String") return /^string\.quoted/;
  if (kind === "Number") return /^constant\.numeric/;
  if (kind === "Name") return /^(variable\.other|entity\.name)/;
  if (["auto", "consent", "stepUp", "forbidden"].includes(kind)) return /^keyword\.control\.mode/;
  if (["true", "false", "null"].includes(kind)) return /^constant\.language/;
  if (/^(in|under|and|else|per|where|because)$/.test(kind)) return /^keyword\.operator\.word/;
  return /^[a-z]/.test(kind) ? /^(keyword\.other|storage\.type|variable\.other|entity\.name)/ : /^punctuation/;
}

test("an editor colours every token and comment of `whole-page.cap` according to its kind in the scanner", async () => {
  const scopeAt = await scopesOf(WHOLE);
  const { tokens, docs, comments } = scan(createSourceText("whole-page.cap", WHOLE));
  const wrong: string[] = [];
  for (let index = 0; index < tokens.count; index++) {
    const start = tokens.start(index);
    const scope = scopeAt(start);
    if (!expected(tokens.getKind(index)).test(scope)) wrong.push(`${WHOLE.slice(start, tokens.end(index))}: ${scope}`);
  }
  expect(wrong).toEqual([]);
  expect(docs.filter(({ start }) => scopeAt(start) !== "comment.line.documentation.cap")).toEqual([]);
  expect(comments.filter(({ start }) => scopeAt(start) !== "comment.line.double-slash.cap")).toEqual([]);
  expect(tokens.count).toBeGreaterThan(500);
});

test("names of declarations and escapes have colours of their own, and the colour of an unclosed text ends at the end of the line", async () => {
  const page = 'session night-shift from a {}\nprincipal a { ssh "k\\n\\q" }\nprincipal b { ssh "k }\nauto notes.read';
  const scopeAt = await scopesOf(page);
  const at = (text: string): string => scopeAt(page.indexOf(text));
  expect(at("session")).toBe("storage.type.cap");
  expect(at("night-shift")).toBe("entity.name.cap");
  expect(at("\\n")).toBe("constant.character.escape.cap");
  expect(at("\\q")).toBe("invalid.illegal.escape.cap");
  expect(at('"k }')).toBe("invalid.illegal.unclosed.cap");
  expect(at("auto")).toBe("keyword.control.mode.cap");
  expect(at("read")).toBe("variable.other.cap");
});
