import {
  canonicalizeArguments,
  getText,
  type Json,
  type JsonRecord,
  listIn,
  recordIn,
  renderCanonicalJson,
} from "../../../lib/policy/index.ts";
import { type Result, refuse } from "../../../lib/result/result.ts";
import { type ExpectedEdit, FileEdits } from "../../../lib/wire/generated/service.ts";
import { Files } from "../../../lib/wire/generated/tools.ts";
import type { Directory } from "./directory.ts";
import { describeDiskRefusal } from "./disk.ts";
import { applyEdits, checkEdits } from "./edits.ts";
import { deleteFile, listDirectory, readFile, writeFile } from "./files.ts";
import { type Folders, refuseOutside } from "./folder-scope.ts";

/** A directory, and the folders in it that the caller may reach; without `folders` all of it. */
export interface Reach {
  readonly directory: Directory;
  readonly folders?: Folders | undefined;
}

type Answering = Promise<Result<JsonRecord>>;

/** Returns the result of one call as JSON text, or why it failed; `undefined` if Files has no such method. */
export function answerCall(
  { directory, folders }: Reach,
  method: number,
  json: string,
  signal: AbortSignal,
): Promise<Result<string> | undefined> {
  return runCall(json, (args) => {
    const refused = refuseOutside(folders, getText(args["path"]));
    return refused === undefined ? run(directory, method, args, signal) : Promise.resolve(refused);
  });
}

/**
 * Answers a call of FileEdits, as `answerCall` does for Files. No edit of a set may change a file outside of the
 * folders that the caller may reach.
 */
export function answerEdits(
  { directory, folders }: Reach,
  method: number,
  json: string,
  signal: AbortSignal,
): Promise<Result<string> | undefined> {
  return runCall(json, (args) => {
    const edits = parseEdits(args["edits"]);
    for (const { edit } of edits) {
      const refused = refuseOutside(folders, edit.path);
      if (refused !== undefined) return Promise.resolve(refused);
    }
    if (method === FileEdits.methods.check.ordinal) return checkEdits(directory, edits);
    if (method !== FileEdits.methods.apply.ordinal) return undefined;
    return directory.change(() => runUnlessAborted(signal, () => applyEdits(directory, edits, signal)));
  });
}

async function runCall(
  json: string,
  run: (args: JsonRecord) => Answering | undefined,
): Promise<Result<string> | undefined> {
  const args = canonicalizeArguments(json);
  if (!args.ok) return args;
  const running = run(args.value.value);
  if (running === undefined) return undefined;
  try {
    const result = await running;
    return result.ok ? { ok: true, value: renderCanonicalJson(result.value) } : result;
  } catch (error) {
    return refuse(describeDiskRefusal(error));
  }
}

/**
 * Runs one method; returns `undefined` if there is no such method. The gate has checked the arguments; they are checked
 * again, because a service trusts no holder. A value that is not a text counts as an empty text. An empty path means the
 * directory itself, which no method changes.
 */
function run(directory: Directory, method: number, args: JsonRecord, signal: AbortSignal): Answering | undefined {
  const path = getText(args["path"]);
  switch (method) {
    case Files.methods.read.ordinal:
      return readFile(directory, path, { from: numberOf(args, "from", 1), to: numberOf(args, "to", Infinity) });
    case Files.methods.list.ordinal:
      return listDirectory(directory, path);
    case Files.methods.write.ordinal:
      return directory.change(() =>
        runUnlessAborted(signal, () => writeFile(directory, path, getText(args["content"]), signal)),
      );
    case Files.methods.delete.ordinal:
      return directory.change(() => runUnlessAborted(signal, () => deleteFile(directory, path)));
    default:
      return undefined;
  }
}

/** Runs a change, unless its call was cancelled while the call waited for other changes. */
async function runUnlessAborted(signal: AbortSignal, change: () => Answering) {
  return signal.aborted ? refuse("the call was given up, and nothing was changed") : change();
}

/**
 * Returns the edits in a value. A value that is not a list has no edits; an element that is not a record counts as an
 * edit of the directory itself, which fails.
 */
function parseEdits(value: Json | undefined): readonly ExpectedEdit[] {
  return listIn(value).map((one) => {
    const { edit, digest } = recordIn(one);
    const { path, before, after } = recordIn(edit);
    return { edit: { path: getText(path), before: getText(before), after: getText(after) }, digest: getText(digest) };
  });
}

function numberOf(args: JsonRecord, name: string, absent: number): number {
  const value = args[name];
  return typeof value === "number" ? value : absent;
}
