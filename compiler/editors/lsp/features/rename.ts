import type { Range, TextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import { type Result, refuse } from "../../../../engine/lib/result/result.ts";
import { isError } from "../../../../lang/diagnostics/index.ts";
import { scan } from "../../../../lang/grammar/index.ts";
import { createSourceText, getText } from "../../../../lang/text/index.ts";
import type { Naming } from "../../../phases/bind/index.ts";
import { isStandard } from "../../../phases/source/index.ts";
import type { NamedEntity } from "../namings.ts";
import { convertToRange, type Names } from "../places.ts";
import type { PositionContext } from "../position-context.ts";
import type { Snapshot } from "../snapshot.ts";

/** Returns the range of the name to change. Fails if the name at the position cannot be changed. */
export function findRenamable({ snapshot, tree, offset }: PositionContext): Result<Range> {
  const naming = snapshot.namings.at(tree.source.path, offset);
  if (naming === undefined) return refuse("nothing is named here");
  const declared = snapshot.namings.of(naming).filter(({ declares }) => declares);
  if (/^(method|argument) of /.test(naming.what) || (naming.what === "interface" && declared.length > 0)) {
    return refuse(
      `the ${naming.what} \`${naming.id}\` has its name from a schema: a program knows it by this name, so rename it in both first`,
    );
  }
  if (declared.some(({ span }) => isStandard(span.source.path)))
    return refuse(`the ${naming.what} \`${naming.id}\` is the standard library's: a page cannot rename it`);
  return declared.length === 0 ? refuse("it is declared on no page") : { ok: true, value: convertToRange(naming.span) };
}

/** Compiles a root page; the given texts replace the files with these paths. */
type Trial = (root: string, texts: ReadonlyMap<string, string>) => Promise<Snapshot>;

/**
 * Parts of a rename: the new name, the packages whose meaning must stay the same, and a function that compiles changed
 * copies of these packages.
 */
interface Renaming {
  readonly snapshots: readonly Snapshot[];
  readonly newName: string;
  readonly names: Names;
  readonly trial: Trial;
}

/**
 * Returns the edits that rename a thing at all places. The edits are applied to a copy first: each name of every
 * package that uses the page must mean the same after the rename as before. If the meaning changes, the rename fails
 * with the reason.
 */
export async function renameOf(
  asked: PositionContext,
  { snapshots, newName, names, trial }: Renaming,
): Promise<Result<WorkspaceEdit>> {
  const may = findRenamable(asked);
  if (!may.ok) return may;
  if (!isName(newName)) return refuse(`\`${newName}\` is no name, or is a word of the language`);
  const changes = new Map<string, TextEdit[]>();
  for (const snapshot of snapshots) {
    const source = snapshot.trees.get(asked.snapshot.fileOf(asked.tree.source))?.source;
    const naming = source && snapshot.namings.at(source.path, asked.offset);
    if (naming === undefined) continue;
    const places = snapshot.namings.of(naming);
    const wrong = findCollision(
      snapshot,
      await trial(snapshot.root, computeTextsAfter(snapshot, places, newName)),
      naming,
      newName,
    );
    if (wrong !== undefined) return refuse(wrong);
    for (const [path, namings] of Map.groupBy(places, ({ span }) => snapshot.fileOf(span.source)))
      changes.set(
        names.uriOf(path),
        namings.map((each) => ({ range: convertToRange(each.span), newText: renderName(each, newName) })),
      );
  }
  return { ok: true, value: { changes: Object.fromEntries(changes) } };
}

function isName(text: string): boolean {
  const { tokens, docs, comments, unknown } = scan(createSourceText("", text));
  const isWhole = tokens.count === 1 && tokens.end(0) - tokens.start(0) === text.length;
  return isWhole && docs.length + comments.length + unknown.length === 0 && tokens.getKind(0) === "Name";
}

/** Returns the text of the new name; the text is in quotes if the old name is in quotes. */
function renderName({ span }: Naming, newName: string): string {
  return getText(span).startsWith('"') ? JSON.stringify(newName) : newName;
}

function computeTextsAfter(
  { fileOf }: Snapshot,
  places: readonly Naming[],
  newName: string,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [source, namings] of Map.groupBy(places, ({ span }) => span.source)) {
    const text = namings.toReversed().reduce((all, naming) => {
      return all.slice(0, naming.span.start) + renderName(naming, newName) + all.slice(naming.span.end);
    }, source.text);
    texts.set(fileOf(source), text);
  }
  return texts;
}

/**
 * Returns why the rename would change what the pages mean: a new error, or a name that refers to something else. Returns `undefined` if the
 * meaning would stay the same.
 */
function findCollision(before: Snapshot, after: Snapshot, naming: Naming, newName: string): string | undefined {
  const count = ({ diagnostics }: Snapshot, wanted: string): number =>
    diagnostics.filter((one) => isError(one) && one.code === wanted).length;
  const fresh = after.diagnostics.find((one) => isError(one) && count(after, one.code) > count(before, one.code));
  if (fresh !== undefined) return `${fresh.message} (${fresh.code})`;
  const serializeThings = (snapshot: Snapshot, as: (thing: NamedEntity) => NamedEntity): string =>
    JSON.stringify(
      groupThingsByFile(snapshot).map(([file, things]) => [file, things.map(as).map(({ what, id }) => [what, id])]),
    );
  const same =
    serializeThings(before, (thing) => renameThing(thing, naming, newName)) ===
    serializeThings(after, (thing) => thing);
  return same ? undefined : `the ${naming.what} \`${newName}\` would be named where something else is meant`;
}

function groupThingsByFile({ trees, namings, fileOf }: Snapshot): (readonly [string, readonly Naming[]])[] {
  return [...trees.values()].map(({ source }) => [fileOf(source), namings.inFile(source.path)] as const);
}

/**
 * Returns a thing with the name that it has after the rename. Names that contain the renamed name change, too: if the session `operator` is
 * renamed, so are its task `operator.triage` and the phases of this task.
 */
function renameThing({ what, id }: NamedEntity, renamed: NamedEntity, newName: string): NamedEntity {
  const old = renamed.id;
  const fresh = `${old.slice(0, old.lastIndexOf(".") + 1)}${newName}`;
  if (what === renamed.what && id === old) return { what, id: fresh };
  const owned = renamed.what === "session" || renamed.what === "task";
  for (const part of ["phase", "parameter"]) {
    const prefix = `${part} of ${old}`;
    if (owned && (what === prefix || what.startsWith(`${prefix}.`)))
      return { what: `${part} of ${fresh}${what.slice(prefix.length)}`, id };
  }
  if (renamed.what === "session" && what === "task" && id.startsWith(`${old}.`))
    return { what, id: fresh + id.slice(old.length) };
  return { what, id };
}
