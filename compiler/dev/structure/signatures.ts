// Finds the signatures of the checkout that are hard to call. They have more than four positional parameters, or flags, which are unclear
// in a call such as `f(x, true)`. Or they return either a value or a text, not a `Result`. It reads the text of the sources:
// declarations, methods, constructors, arrow functions and function types.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Maximum number of positional parameters of a function. */
export const MOST_POSITIONAL = 4;

interface Signature {
  /** Name of the function, or `constructor`; empty if the function has no name. */
  readonly name: string;
  readonly parameters: readonly string[];
  /** Type of the result as in the source; empty if the source does not state it. */
  readonly returned: string;
}

interface Located extends Signature {
  readonly path: string;
}

interface SignatureCount {
  readonly signatures: number;
  /** Signatures with more than `MOST_POSITIONAL` parameters. */
  readonly long: readonly Located[];
  /** Parameters that are flags, each with the signature of its function. */
  readonly flags: readonly (Located & { readonly flag: string })[];
  /** Signatures of functions that return either a value or a text that describes a failure. */
  readonly texts: readonly Located[];
}

export interface SignatureExemption {
  readonly files: RegExp;
  readonly names: RegExp;
  readonly reason: string;
}

/** Signatures that may have more than `MOST_POSITIONAL` parameters. */
export const LONG_EXEMPTIONS: readonly SignatureExemption[] = [
  {
    files: /^engine\/lib\/wire\/(?:encode-\w+|quick)\.ts$/,
    names: /^(?:put\w*|widen|)$/,
    reason: "inner loops of the encoder: an object for each field would be memory for each field of each message",
  },
];

/** Boolean parameters that are not flags, because the boolean is the value that the function handles. */
export const FLAG_EXEMPTIONS: readonly SignatureExemption[] = [
  {
    files: /^(?:compiler\/artefacts\/disk\/gpt|compiler\/rules\/support\/misfit|engine\/outside\/osd\/fields)\.ts$/,
    names: /^(?:demand|explainUnlessFit|#expectRule)$/,
    reason: "an assertion takes the condition that has to hold",
  },
  {
    files: /^engine\/processes\/conversations\/(?:recalls|store)\.ts$/,
    names: /^(?:set|setRecall)$/,
    reason: "a setter of a boolean, which comes from a message",
  },
  {
    files: /^engine\/lib\/policy\/condition\.ts$/,
    names: /^negateTruth$/,
    reason: "a function of logic takes a truth",
  },
  {
    files: /^engine\/processes\/model\/embedding\/convert\.ts$/,
    names: /^makeBool$/,
    reason: "makes a boolean of a file's format",
  },
  {
    files: /^engine\/processes\/model\/local\/addon\.ts$/,
    names: /^(?:de)?tokenize$/,
    reason: "the interface of the engine's addon, which is others'",
  },
];

/** Functions that may return either a text or another value, because the text is not a failure. */
export const TEXT_EXEMPTIONS: readonly SignatureExemption[] = [
  {
    files: /^compiler\/phases\/reflect\/request\.ts$/,
    names: /^readAnnotationValue$/,
    reason: "an annotation of a schema is a text, a number or a truth",
  },
];

/** Words before a parenthesis that begin a statement. */
const STATEMENTS: ReadonlySet<string> = new Set([
  ...[
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "with",
    "return",
    "await",
    "typeof",
    "import",
    "super",
    "of",
    "in",
    "new",
  ],
]);
const MODIFIERS =
  /^(?:(?:private|public|protected|static|override|readonly|async|abstract|declare|get|set|export|default)\s+|\*)*$/;

/** Returns the signatures that a source text declares, in the order in which their lists of parameters begin. */
export function findSignatures(text: string): readonly Signature[] {
  const code = blankLiterals(text);
  const found: Signature[] = [];
  for (let at = code.indexOf("("); at !== -1; at = code.indexOf("(", at + 1)) {
    const end = findClosing(code, at);
    if (end === undefined) continue;
    const name = nameSignature(code, at, end);
    if (name === undefined) continue;
    const parameters = splitAt(",", code.slice(at + 1, end), text.slice(at + 1, end)).filter(
      (each) => !/^this\s*:/.test(each),
    );
    found.push({ name, parameters, returned: readReturned(code.slice(end + 1, end + 600)) });
  }
  return found;
}

/** Returns whether a parameter is a flag: its type is `boolean`, or its default is a boolean. */
export function isFlag(parameter: string): boolean {
  const [declared = "", preset] = parameter.split(/\s*=(?!>)\s*/, 2);
  const [, type] = /^[\w\s#]+\??\s*:\s*([\s\S]+)$/.exec(declared) ?? [];
  const members = type?.split("|").map((each) => each.trim()) ?? [];
  const isBoolean = members.includes("boolean") && members.every((each) => ["boolean", "undefined"].includes(each));
  return isBoolean || preset?.trim() === "true" || preset?.trim() === "false";
}

/**
 * Returns whether the type of a result is a union of a text and another value. The text then probably describes a
 * failure.
 */
export function isTextBesideValue(returned: string): boolean {
  const [, awaited = returned] = /^Promise<(.*)>$/s.exec(returned) ?? [];
  const members = splitAt("|", awaited);
  return members.includes("string") && members.some((each) => !["string", "undefined", "null"].includes(each));
}

/** Counts the signatures of files, and lists those that need an exemption, even if an exemption covers them. */
export function countSignatures(checkout: string, paths: readonly string[]): SignatureCount {
  const all = paths.flatMap((path) =>
    findSignatures(readFileSync(join(checkout, path), "utf8")).map((each) => ({ path, ...each })),
  );
  const long = all.filter(({ parameters }) => parameters.length > MOST_POSITIONAL);
  const flags = all.flatMap((each) => each.parameters.filter(isFlag).map((flag) => ({ ...each, flag })));
  const texts = all.filter(({ returned }) => isTextBesideValue(returned));
  return { signatures: all.length, long, flags, texts };
}

/** Returns whether one of the exemptions covers a signature. */
export function isExempt({ path, name }: Located, exemptions: readonly SignatureExemption[]): boolean {
  return exemptions.some(({ files, names }) => files.test(path) && names.test(name));
}

/**
 * Returns the name of the function whose parameters are between two parentheses; empty if the function has no name.
 * Returns `undefined` if the parentheses contain something else, such as the arguments of a call.
 */
function nameSignature(code: string, at: number, end: number): string | undefined {
  const before = code.slice(Math.max(0, at - 300), at).replace(/<[^()<>]*(?:<[^<>]*>[^<>]*)*>$/, "");
  const [, declared] = /\bfunction\b\s*\*?\s*([\w$]*)\s*$/.exec(before) ?? [];
  if (declared !== undefined) return declared;
  const behind = code.slice(end + 1, end + 600);
  if (/(?:^|[^\w$.#)\]])(?:async\s*)?$/.test(before) && isArrow(behind)) {
    const [, name = ""] = /([\w$#]+)\??(?:\s*:[^=;{}]*?)?\s*[=:]\s*(?:async\s*)?$/.exec(before) ?? [];
    return name;
  }
  const [, name = ""] = /([\w$#]+)\??$/.exec(before) ?? [];
  const line = before.slice(
    before.lastIndexOf("\n") + 1,
    before.length - (/[\w$#]+\??$/.exec(before)?.[0].length ?? 0),
  );
  if (name === "" || STATEMENTS.has(name) || !MODIFIERS.test(line.trimStart())) return undefined;
  return /^\s*\{/.test(behind) || /^\s*:\s*[^=?]*?[\w>\]})]\s*[{;]/.test(behind) ? name : undefined;
}

/** Returns whether the text begins with `=>`, or with the type of a result and `=>`. */
function isArrow(behind: string): boolean {
  if (/^\s*=>/.test(behind)) return true;
  if (!/^\s*:/.test(behind)) return false;
  let depth = 0;
  for (const [index, letter] of [...behind].entries()) {
    if (depth === 0 && behind.startsWith("=>", index)) return true;
    if ("([{<".includes(letter)) depth += 1;
    if (")]}".includes(letter) || (letter === ">" && behind[index - 1] !== "=")) depth -= 1;
    if (depth < 0 || (depth === 0 && ";?".includes(letter))) return false;
  }
  return false;
}

/**
 * Returns the type of a result from the text after the parameters. The type ends at the body, the arrow or the end of
 * the declaration.
 */
function readReturned(behind: string): string {
  const [colon = ""] = /^\s*:\s*/.exec(behind) ?? [];
  if (colon === "") return "";
  const type = behind.slice(colon.length);
  let depth = 0;
  for (const [index, letter] of [...type].entries()) {
    const before = type.slice(0, index).trimEnd();
    if (depth === 0 && (type.startsWith("=>", index) || ";,=)".includes(letter))) return before;
    if (depth === 0 && letter === "{" && /[\w$>\]})]$/.test(before)) return before;
    if ("([{<".includes(letter)) depth += 1;
    if (")]}".includes(letter) || (letter === ">" && type[index - 1] !== "=")) depth -= 1;
  }
  return "";
}

/** Returns the position of the parenthesis that closes the parenthesis at `at`, or `undefined` if none does. */
function findClosing(code: string, at: number): number | undefined {
  let depth = 0;
  for (let index = at; index < code.length; index += 1) {
    const letter = code[index] ?? "";
    if ("([{".includes(letter)) depth += 1;
    if (")]}".includes(letter)) depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
}

/**
 * Splits a text at the separators that are outside of brackets. `code` is the text with blanks in place of its
 * literals.
 */
function splitAt(separator: "," | "|", code: string, text = code): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let index = 0; index <= code.length; index += 1) {
    const letter = code[index];
    if (letter !== undefined && "([{<".includes(letter)) depth += 1;
    if (letter !== undefined && (")]}".includes(letter) || (letter === ">" && code[index - 1] !== "="))) depth -= 1;
    if (letter !== undefined && (letter !== separator || depth !== 0)) continue;
    parts.push(code.slice(begin, index).trim() === "" ? "" : text.slice(begin, index).trim());
    begin = index + 1;
  }
  return parts.filter((part) => part !== "");
}

const LITERAL =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[(,=:[!&|?{};]\s*|\breturn\s)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*|`/g;

/** Returns a text of the same length in which comments, texts, templates and patterns are blank. */
function blankLiterals(text: string): string {
  let blanked = "";
  let at = 0;
  const form = new RegExp(LITERAL);
  for (let match = form.exec(text); match !== null; match = form.exec(text)) {
    const end = match[0] === "`" ? findTemplateEnd(text, match.index + 1) : match.index + match[0].length;
    blanked += text.slice(at, match.index) + text.slice(match.index, end).replace(/[^\n]/g, " ");
    at = end;
    form.lastIndex = end;
  }
  return blanked + text.slice(at);
}

/** Returns the position after a template that begins before `from`. The template may contain other templates. */
function findTemplateEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`") return at + 1;
    else if (text.startsWith("${", at)) at = findInsertEnd(text, at + 2);
  }
  return text.length;
}

/** Returns the position of the brace that ends an expression in a template. The expression begins at `from`. */
function findInsertEnd(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (letter === "`") at = findTemplateEnd(text, at + 1) - 1;
    else if (letter === '"' || letter === "'") at = findQuoteEnd(text, at);
    else if (letter === "{") depth += 1;
    else if (letter === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function findQuoteEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[from]) return at;
  }
  return text.length;
}
