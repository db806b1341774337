// Makes a new tool for a page. Everything is compiled and tested in memory first: a page is changed only if the tool then works.

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { type Diagnostic, isError } from "../../../lang/diagnostics/index.ts";
import { formatFile } from "../../../lang/format/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import { type Compiled, compile } from "../../compile.ts";
import { isRefusal, makeFolders } from "../../host/files.ts";
import { placeText, replaceText } from "../../host/output.ts";
import type { World } from "../../host/world.ts";
import { updateLock } from "../../phases/reflect/index.ts";
import { createDiskHost, type Host } from "../../phases/source/index.ts";
import { runTests } from "../../queries/page-tests/index.ts";
import { listPagesBeside } from "../pin.ts";
import { formatPath } from "../render-findings.ts";
import { readTree } from "../tree.ts";
import { placeTool, renderForPasting } from "./place.ts";
import { METHOD, nameTool, renderProgram, renderReplies, renderSchema, type ToolNames } from "./starter.ts";

/** A tool that was made, or the reason why no tool was made. `paste` has the lines for a person who changes the page by hand. */
type MadeTool =
  | { readonly ok: true; readonly files: readonly string[]; readonly changed: readonly string[]; readonly line: string }
  | {
      readonly ok: false;
      readonly status: 1 | 2 | 3;
      readonly reason: string;
      readonly findings?: readonly Diagnostic[];
      readonly paste?: string;
    };

interface Wish {
  readonly name: string;
  /** The page, as the user typed it. */
  readonly file: string;
  /** Session that gets the tool; if absent, the session in which the machine starts. */
  readonly session: string | undefined;
}

/** Makes the files of the tool, and changes the page, its cap.lock and the replies of its stub model. */
export async function makeTool({ name, file, session: wished }: Wish, world: World): Promise<MadeTool> {
  const read = await readTree(file, world);
  if (read.kind === "unreadable") return { ok: false, status: 3, reason: read.reason };
  const path = realpathSync(resolve(world.folder, file));
  if (read.kind === "refused") return refuseBrokenPage(file, read.diagnostics);
  const names = nameTool(name);
  const folder = dirname(path);
  const taken = [names.schema, names.program].filter((each) => existsSync(join(folder, each)));
  if (taken.length > 0)
    return {
      ok: false,
      status: 2,
      reason: `${taken.join(", ")} exists already; nothing was written: choose another name`,
    };
  const disk = createDiskHost();
  const before = await compilePage(disk, path);
  const errors = before.diagnostics.filter(isError);
  if (errors.length > 0 || before.model === undefined) return refuseBrokenPage(file, errors);
  const session = wished ?? before.model.image?.bootName?.text;
  if (session === undefined)
    return { ok: false, status: 2, reason: `${file} starts in no session: name one with --session` };
  if (!before.model.sessions.some(({ node }) => node.name.text === session))
    return { ok: false, status: 2, reason: `${file} has no session ${session}` };
  const paste = renderForPasting(names, session);
  const placed = placeTool(read.tree, names, session);
  if (!placed.ok)
    return { ok: false, status: 1, reason: `the tool cannot be placed on ${file}: ${placed.reason}`, paste };
  const page = await formatLike(read.tree.source.text, placed.page);
  const replies = placed.replies === undefined ? undefined : await addReplies(disk, folder, placed.replies, names);
  const made = new Map([
    [join(folder, names.schema), renderSchema(names, before.model.system?.name.text ?? "")],
    [join(folder, names.program), renderProgram(names)],
  ]);
  const changed = new Map([[path, page], ...(replies === undefined ? [] : [replies])]);
  const locked = await updateLock(overlay(disk, new Map([...made, ...changed])), path, listPagesBeside(path));
  if (locked.text !== undefined) changed.set(locked.path, locked.text);
  const after = await compilePage(overlay(disk, new Map([...made, ...changed])), path);
  const findings = findNew(before, after);
  const reason = explainUnfit(after, names, session);
  if (findings.length > 0 || reason !== undefined)
    return {
      ok: false,
      status: 1,
      reason: `the tool cannot be placed on ${file}${reason ?? ""}; nothing was written`,
      findings,
      paste,
    };
  const written = writeAll(made, changed);
  if (!written.ok) return { ok: false, status: 3, reason: written.reason };
  const show = (paths: Iterable<string>) => [...paths].map((each) => formatPath(each, { folder: realFolder(world) }));
  const line = replies === undefined ? `/tool ${name}.${METHOD} {"text":"tea"}` : names.line;
  return { ok: true, files: show(made.keys()), changed: show(changed.keys()), line };
}

function realFolder({ folder }: World): string {
  return realpathSync(folder);
}

function refuseBrokenPage(file: string, findings: readonly Diagnostic[]): MadeTool {
  return { ok: false, status: 1, reason: `${file} has errors: mend them first`, findings };
}

function compilePage(host: Host, path: string): Promise<Compiled> {
  return compile(host, path, { purpose: "check" });
}

/** Formats the changed page if it was formatted before the change; otherwise returns it unchanged. */
async function formatLike(before: string, page: string): Promise<string> {
  const [old, formed] = await Promise.all(
    [before, page].map((text) => formatFile(createSourceText("system.cap", text))),
  );
  return old?.ok === true && old.value === before && formed?.ok === true ? formed.value : page;
}

/** Returns a host in which these files, by absolute path, replace those of the disk. */
function overlay(disk: Host, files: ReadonlyMap<string, string>): Host {
  const bytesOf = (path: string): Uint8Array | undefined => {
    const text = files.get(path);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  };
  return {
    ...disk,
    realPath: async (path) => (files.has(path) ? path : disk.realPath(path)),
    readFile: async (path, limit) => {
      const bytes = bytesOf(path);
      if (bytes === undefined) return disk.readFile(path, limit);
      return bytes.length > limit
        ? { ok: false, reason: `it has ${bytes.length} bytes, at most ${limit} are read` }
        : { ok: true, value: bytes };
    },
    readHead: async (path, most) => {
      const bytes = bytesOf(path);
      return bytes === undefined
        ? disk.readHead(path, most)
        : { ok: true, head: bytes.subarray(0, most), bytes: bytes.length };
    },
  };
}

const LARGEST_REPLIES = 1024 * 1024;

/**
 * Returns the file of replies with the replies for the tool inserted at its beginning; `undefined` if the file is not a list in the
 * package.
 */
async function addReplies(
  disk: Host,
  folder: string,
  path: string,
  names: ToolNames,
): Promise<readonly [string, string] | undefined> {
  const real = await disk.realPath(join(folder, path));
  if (real === undefined || relative(folder, real).startsWith("..")) return undefined;
  const read = await disk.readFile(real, LARGEST_REPLIES);
  if (!read.ok) return undefined;
  const text = Buffer.from(read.value).toString("utf8");
  const at = text.indexOf("[") + 1;
  if (at === 0 || text.slice(0, at - 1).trim() !== "") return undefined;
  const isEmpty = text.slice(at).trim() === "]";
  return [real, `${text.slice(0, at)}${renderReplies(names)}${isEmpty ? "\n" : ","}${text.slice(at)}`];
}

/** Returns the findings that a page has only after the change. */
function findNew(before: Compiled, after: Compiled): readonly Diagnostic[] {
  const nameOf = ({ code, message }: Diagnostic): string => `${code} ${message}`;
  const known = new Set([...before.diagnostics, ...before.advice].map(nameOf));
  return [...after.diagnostics, ...after.advice].filter((found) => !known.has(nameOf(found)));
}

/**
 * Returns the end of a sentence that says why the tool cannot run without an approval, or `undefined` if it can.
 * Returns an empty text if the page has errors.
 */
function explainUnfit(
  { policy, origins, model }: Compiled,
  { service }: ToolNames,
  session: string,
): string | undefined {
  if (policy === undefined || origins === undefined || model === undefined) return "";
  const title = `${service} runs by itself`;
  const own = runTests(policy, origins, model).results.find(({ test }) => test.title === title);
  const [failure] = own?.failures ?? [];
  return failure === undefined
    ? undefined
    : `: the session ${session} does not let it run by itself (${failure.message})`;
}

/** Writes new files first, then changed files, and the page last, so that the page stays unchanged if an earlier write fails. */
function writeAll(made: ReadonlyMap<string, string>, changed: ReadonlyMap<string, string>): Result<undefined> {
  for (const [path, text] of made) {
    try {
      makeFolders(dirname(path));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return refuse(`${dirname(path)} cannot be made: ${error.message}`);
    }
    const written = placeText(path, text);
    if (!written.ok) return written;
  }
  const last = [...changed].toSorted(([left], [right]) => Number(isPage(left)) - Number(isPage(right)));
  for (const [path, text] of last) {
    const written = existsSync(path) ? replaceText(path, text) : placeText(path, text);
    if (!written.ok) return written;
  }
  return accept(undefined);
}

function isPage(path: string): boolean {
  return basename(path).endsWith(".cap");
}
