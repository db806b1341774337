// Completes paths of files in quotes. A page names a file by its path from the folder of this page. The file must be in the folder of the
// root page, or below it.

import { posix } from "node:path";
import { quoteText } from "../../../../../lang/format/index.ts";
import { UNSEEN } from "../../../../../lang/text/index.ts";
import { isInPackage } from "../../../../phases/source/index.ts";

/** A file or a folder, by its name in the folder that contains it. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder";
}

/** Entries of a folder; `isWhole` is false if it has more entries than were read. */
export interface FolderListing {
  readonly entries: readonly FolderEntry[];
  readonly isWhole: boolean;
}

/** Returns the entries of a folder that are in the folder `root` or below, links resolved; none if the folder cannot be read. */
export type ListFolder = (folder: string, root: string) => Promise<FolderListing>;

/** Endings of the file names that fit at a place; `any` for any file, `folder` for a folder. */
type Wanted = readonly string[] | "any" | "folder";

/**
 * File endings that fit a text in quotes, by the two innermost rules that parse the text, and by the word before it.
 */
const FILES: Readonly<Record<string, Readonly<Record<string, Wanted>>>> = {
  "use > words": { use: [".cap"] },
  "useSchema > words": { capnp: [".capnp"], mcp: [".json"] },
  "proof > words": { ssh: [".pub"] },
  "modelAttribute > words": { weights: [".gguf"] },
  "engine > words": { stub: [".json"] },
  "serviceAttribute > words": { exec: "any" },
  "settingValue > words": { kernel: "any", limine: "folder" },
};

/** Positions of the grammar at which a text may name a file. */
export const FILE_POSITIONS: readonly string[] = Object.keys(FILES);

/**
 * Returns the files that the text at a position may name, or `undefined` if it cannot name a file. `rules` come from the grammar, outermost
 * first.
 */
export function findWantedFiles(rules: readonly string[], wordBefore: string): Wanted | undefined {
  const position = rules.slice(-2).join(" > ").replace(/ \d+/g, "");
  const known = Object.hasOwn(FILES, position) ? FILES[position] : undefined;
  return known !== undefined && Object.hasOwn(known, wordBefore) ? known[wordBefore] : undefined;
}

/** The page that names a file, the folder of its root page, and the wanted files; both paths are absolute. */
interface Naming {
  readonly page: string;
  readonly rootFolder: string;
  readonly wanted: Wanted;
}

/** A file or folder that completes a path. */
interface PathCandidate {
  /** Text to insert in place of the last part of the path; for a folder it ends with a slash. */
  readonly text: string;
  readonly kind: FolderEntry["kind"];
}

/** Characters that no path of a page has. U+FFFD stands for the bytes of a name that is not UTF-8, which no page can write. */
const WRONG = new RegExp(String.raw`[\\\ufffd]|${UNSEEN}`, "u");

/**
 * Returns what may follow the last slash of a path that is being typed: first the files, then the folders, each sorted by name. Names that
 * begin with a dot are returned only if the name in `typed` begins with a dot.
 */
export async function completePath(
  typed: string,
  { page, rootFolder, wanted }: Naming,
  listFolder: ListFolder,
): Promise<{ readonly candidates: readonly PathCandidate[]; readonly isWhole: boolean }> {
  const nothing = { candidates: [], isWhole: true };
  if (typed.startsWith("/") || WRONG.test(typed)) return nothing;
  const slash = typed.lastIndexOf("/");
  const folder = posix.join(posix.dirname(page), typed.slice(0, slash + 1)).replace(/(.)\/$/, "$1");
  if (!isWithin(rootFolder, folder)) return nothing;
  const beginning = typed.slice(slash + 1).toLowerCase();
  const { entries, isWhole } = await listFolder(folder, rootFolder);
  const fitting = entries.filter(({ name, kind }) => {
    const path = posix.join(folder, name);
    const isShown = isWithin(rootFolder, path) && (!name.startsWith(".") || beginning.startsWith("."));
    const isBegun = name.toLowerCase().startsWith(beginning);
    return isShown && isBegun && path !== page && !WRONG.test(name) && fits(wanted, name, kind);
  });
  const sorted = fitting.toSorted((left, right) => compareEntries(left, right));
  return { candidates: sorted.map(({ name, kind }) => ({ text: renderEntry(name, kind), kind })), isWhole };
}

function fits(wanted: Wanted, name: string, kind: FolderEntry["kind"]): boolean {
  if (kind === "folder" || wanted === "any") return true;
  return wanted !== "folder" && wanted.some((ending) => name.endsWith(ending));
}

function compareEntries(left: FolderEntry, right: FolderEntry): number {
  if (left.kind !== right.kind) return left.kind === "file" ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}

function renderEntry(name: string, kind: FolderEntry["kind"]): string {
  const text = quoteText(name).slice(1, -1);
  return kind === "folder" ? `${text}/` : text;
}

/** Returns whether an absolute path is the folder of the root page, or a path below it that a page may name. */
export function isWithin(rootFolder: string, path: string): boolean {
  return path === rootFolder || isInPackage(rootFolder, path);
}

/** Returns a function that lists folders of the files with these absolute paths, for editors without a disk. */
export function createMemoryLister(paths: readonly string[]): ListFolder {
  return async (folder) => {
    const prefix = folder === "/" ? "/" : `${folder}/`;
    const kinds = new Map<string, FolderEntry["kind"]>();
    for (const path of paths) {
      const [name = "", ...below] = path.startsWith(prefix) ? path.slice(prefix.length).split("/") : [];
      if (name !== "") kinds.set(name, below.length > 0 ? "folder" : "file");
    }
    return { entries: [...kinds].map(([name, kind]) => ({ name, kind })), isWhole: true };
  };
}
