// Places a tool on a page: inserts lines, and leaves all other text as it is.

import { getText, type SourceText } from "../../../lang/text/index.ts";
import type { BackendNode, FileTree, Item, SessionNode, SystemNode } from "../../../lang/tree/index.ts";
import { METHOD, type ToolNames } from "./starter.ts";

interface Insert {
  readonly at: number;
  readonly text: string;
}

/** Result of placing a tool: the text of the page, or why it cannot be placed. */
type Placing =
  | { readonly ok: true; readonly page: string; readonly replies: string | undefined }
  | { readonly ok: false; readonly reason: string };

/** Lines to add to a page, each at its own place. */
interface PageLines {
  readonly use: string;
  readonly service: readonly string[];
  readonly permit: string;
  readonly test: readonly string[];
}

/** Returns the lines of a tool in a session. */
function renderPageLines({ service, face, schema, program }: ToolNames, session: string): PageLines {
  return {
    use: `use capnp "./${schema}" as ${service}_tool`,
    service: [`/// The tool ${service}.`, `service ${service} : ${service}_tool.${face} { exec "${program}" }`],
    permit: `auto ${service}.${METHOD}`,
    test: [
      `test "${service} runs by itself" {`,
      `  as ${session}`,
      `  call ${service}.${METHOD} { text: "tea" } expect auto`,
      `  call ${service}.${METHOD} {} expect invalidArguments`,
      "}",
    ],
  };
}

/** Returns the lines for a person to paste, each with the place where it belongs. */
export function renderForPasting(names: ToolNames, session: string): string {
  const { use, service, permit, test } = renderPageLines(names, session);
  const block = (place: string, lines: readonly string[]) => [`${place}:`, ...lines.map((line) => `  ${line}`)];
  return [
    ...block("in the system", [use, ...service]),
    ...block(`in \`permit\` of the session ${session}`, [permit]),
    ...block("as a test", test),
    "",
  ].join("\n");
}

/** Returns the page with the tool in a session, and the file of replies of the session's stub model, if it has one. */
export function placeTool(tree: FileTree, names: ToolNames, session: string): Placing {
  const { source } = tree;
  const system = tree.items.find((item): item is SystemNode => item.kind === "system");
  if (system === undefined) return { ok: false, reason: "the file has no `system`" };
  const { items } = system;
  const holder = items.find((item): item is SessionNode => item.kind === "session" && item.name.text === session);
  if (holder === undefined) return { ok: false, reason: `the file does not declare the session ${session}` };
  const lines = renderPageLines(names, session);
  const end = source.text.includes("\r\n") ? "\r\n" : "\n";
  const inserts = [
    insertUse(source, system, lines.use),
    insertService(source, system, holder, lines.service),
    insertPermit(source, holder, lines.permit),
    insertTest(source, system, lines.test),
  ];
  const ordered = inserts.toSorted((left, right) => right.at - left.at);
  const page = ordered.reduce(
    (text, { at, text: added }) => `${text.slice(0, at)}${added.replaceAll("\n", end)}${text.slice(at)}`,
    source.text,
  );
  return { ok: true, page, replies: findReplies(items, holder) };
}

/** Returns the offset of the end of a line, so that text is inserted after a comment at the line's end. */
function findLineEnd({ text }: SourceText, at: number): number {
  const end = text.slice(at).search(/\r?\n/);
  return end < 0 ? text.length : at + end;
}

/** Returns the blanks before the first word of the line that contains the offset. */
function findIndent({ text }: SourceText, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";
}

function insertUse(source: SourceText, system: SystemNode, line: string): Insert {
  const last = system.items.filter((item) => item.kind === "use").at(-1);
  if (last !== undefined)
    return { at: findLineEnd(source, last.span.end), text: `\n${findIndent(source, last.span.start)}${line}` };
  const open = source.text.indexOf("{", (system.version ?? system.name).span.end) + 1;
  return { at: open, text: `\n${findInner(source, system)}${line}\n` };
}

/** Returns the indentation of the declarations inside a system. */
function findInner(source: SourceText, system: SystemNode): string {
  const [first] = system.items;
  return first === undefined ? "  " : findIndent(source, first.span.start);
}

function insertService(source: SourceText, system: SystemNode, holder: SessionNode, lines: readonly string[]): Insert {
  const last = system.items.filter((item) => item.kind === "service").at(-1);
  const indent = findInner(source, system);
  const block = lines.map((line) => `${indent}${line}`).join("\n");
  if (last !== undefined) return { at: findLineEnd(source, last.span.end), text: `\n\n${block}` };
  return { at: findBlockStart(source, holder.span.start), text: `${block}\n\n` };
}

/** Returns the start of the line that contains the offset, or of the comments directly above that line. */
function findBlockStart(source: SourceText, at: number): number {
  let start = source.text.lastIndexOf("\n", at - 1) + 1;
  for (;;) {
    const before = source.text.lastIndexOf("\n", start - 2) + 1;
    if (start === 0 || !/^[ \t]*\/\//.test(source.text.slice(before, start))) return start;
    start = before;
  }
}

function insertPermit(source: SourceText, holder: SessionNode, line: string): Insert {
  const permit = holder.attributes.find((each) => each.kind === "permit");
  const target = permit ?? holder;
  const close = target.span.end - 1;
  const body = permit === undefined ? `permit { ${line} }` : line;
  const isOneLine = !getText(target.span).includes("\n");
  if (isOneLine) return { at: skipBlanksBack(source.text, close), text: `  ${body} ` };
  const lineStart = source.text.lastIndexOf("\n", close) + 1;
  const isAlone = source.text.slice(lineStart, close).trim() === "";
  const indent = `${findIndent(source, close)}  `;
  return isAlone ? { at: lineStart, text: `${indent}${body}\n` } : { at: close, text: `\n${indent}${body}\n` };
}

function skipBlanksBack(text: string, at: number): number {
  return at - (text.slice(0, at).length - text.slice(0, at).trimEnd().length);
}

function insertTest(source: SourceText, system: SystemNode, lines: readonly string[]): Insert {
  const indent = findInner(source, system);
  const block = lines.map((line) => `${indent}${line}`).join("\n");
  const last = system.items.filter((item) => item.kind === "test").at(-1) ?? system.items.at(-1);
  const at = last === undefined ? system.span.end - 1 : findLineEnd(source, last.span.end);
  return { at, text: `\n\n${block}` };
}

/** Returns the file of replies of a session's first model, or `undefined` if this model is not a stub with such a file. */
function findReplies(items: readonly Item[], holder: SessionNode): string | undefined {
  const models = holder.attributes.find((each) => each.kind === "models");
  const first = models?.choices[0]?.backend.text;
  const backend = items.find((item): item is BackendNode => item.kind === "backend" && item.name.text === first);
  return backend?.engine?.kind === "stub" ? backend.engine.replies?.value : undefined;
}
