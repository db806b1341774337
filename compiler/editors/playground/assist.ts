// Answers requests for completion and hover with the functions of the language server. Positions of the language server are lines and
// columns; positions of the playground are offsets.

import type { Range as LineRange } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { MAX_FILE_BYTES, scan } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import { computeCompletion } from "../lsp/features/completion/completion.ts";
import { createMemoryLister, type ListFolder } from "../lsp/features/completion/paths.ts";
import { createHover } from "../lsp/features/hover.ts";
import type { Snapshot } from "../lsp/snapshot.ts";
import type { Completion, Hover } from "./protocol.ts";

/** A file by its absolute path and its path in the project, with its newest text. */
export interface OpenFile {
  readonly path: string;
  readonly file: string;
  readonly text: string;
}

/** Result of the last compilation of the edited project, which may be older than the text in the editor. */
export interface LastDraft {
  readonly snapshot: Snapshot;
  readonly listFolder: ListFolder;
}

/** Maximum number of items in the completion list; if there are more, the editor asks again after each typed letter. */
const MOST_ITEMS = 200;

const NO_FILES = createMemoryLister([]);

/** Returns the completions at an offset. */
export async function completeText(
  { path, text }: Omit<OpenFile, "file">,
  offset: number,
  latest: LastDraft | undefined,
): Promise<Completion> {
  if (text.length > MAX_FILE_BYTES)
    return { kind: "completed", from: offset, to: offset, items: [], isIncomplete: true };
  const document = TextDocument.create("", "cap", 0, text);
  const source = createSourceText(path, text);
  const offsetAt = document.offsetAt.bind(document);
  const page = { source, scanned: scan(source), offsetAt };
  const listFolder = latest?.listFolder ?? NO_FILES;
  const { items, isIncomplete } = await computeCompletion(page, offset, latest?.snapshot, listFolder);
  const [replaced] = items.flatMap(({ textEdit }) =>
    textEdit !== undefined && "range" in textEdit ? [textEdit.range] : [],
  );
  return {
    kind: "completed",
    from: replaced === undefined ? offset : document.offsetAt(replaced.start),
    to: replaced === undefined ? offset : document.offsetAt(replaced.end),
    items: items.slice(0, MOST_ITEMS).map(({ label, kind, detail, documentation, textEdit }) => ({
      label,
      text: textEdit?.newText ?? label,
      type: TYPES[kind ?? 0] ?? "variable",
      detail,
      documentation: typeof documentation === "object" ? documentation.value : documentation,
    })),
    isIncomplete: isIncomplete || items.length > MOST_ITEMS,
  };
}

/** CodeMirror's names for the protocol's kinds of completions, by the number of the kind. */
const TYPES: Readonly<Record<number, string>> = {
  2: "method",
  7: "class",
  8: "interface",
  9: "namespace",
  13: "enum",
  14: "keyword",
  17: "text",
  19: "namespace",
  20: "keyword",
  21: "constant",
};

/**
 * Returns the documentation of the name at an offset with the decisions about the tools that it names, or the
 * documentation of the keyword; `undefined` if there is neither.
 */
export async function hoverOver(
  { path, file, text }: OpenFile,
  offset: number,
  snapshot: Snapshot,
): Promise<Hover | undefined> {
  const tree = snapshot.trees.get(path);
  const found = tree && (await createHover({ snapshot, tree, offset }));
  if (found === undefined || typeof found.contents !== "object" || !("value" in found.contents)) return undefined;
  const document = TextDocument.create("", "cap", 0, text);
  const convert = ({ start, end }: LineRange) => ({ file, from: document.offsetAt(start), to: document.offsetAt(end) });
  return { range: found.range && convert(found.range), text: found.contents.value };
}
