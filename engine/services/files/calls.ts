import { type Checked, refuse } from "../../policy/checked.ts";
import { canonicalArguments, canonicalText, type JsonRecord } from "../../policy/index.ts";
import { Files } from "../../wire/generated/tools.ts";
import type { Directory } from "./directory.ts";
import { deleteFile, listDirectory, readFile, writeFile } from "./files.ts";

/** Result of one call as JSON text, or why it did not succeed; nothing where Files has no such method. */
export async function answerCall(
  directory: Directory,
  method: number,
  json: string,
  signal: AbortSignal,
): Promise<Checked<string> | undefined> {
  const args = canonicalArguments(json);
  if (!args.ok) return args;
  const running = run(directory, method, args.value.value, signal);
  if (running === undefined) return undefined;
  try {
    const result = await running;
    return result.ok ? { ok: true, value: canonicalText(result.value) } : result;
  } catch (error) {
    return { ok: false, reason: `the disk refused: ${diskErrorCode(error)}` };
  }
}

/** The gate has checked the arguments. They are looked at again, for a service trusts no holder. */
function run(
  directory: Directory,
  method: number,
  args: JsonRecord,
  signal: AbortSignal,
): Promise<Checked<JsonRecord>> | undefined {
  const path = textOf(args, "path");
  switch (method) {
    case Files.methods.read.ordinal:
      return readFile(directory, path, { from: numberOf(args, "from", 1), to: numberOf(args, "to", Infinity) });
    case Files.methods.list.ordinal:
      return listDirectory(directory, path);
    case Files.methods.write.ordinal:
      return directory.change(() =>
        unlessGivenUp(signal, () => writeFile(directory, path, textOf(args, "content"), signal)),
      );
    case Files.methods.delete.ordinal:
      return directory.change(() => unlessGivenUp(signal, () => deleteFile(directory, path)));
    default:
      return undefined;
  }
}

/** A call that was given up while it waited for others changes nothing any more. */
async function unlessGivenUp(signal: AbortSignal, change: () => Promise<Checked<JsonRecord>>) {
  return signal.aborted ? refuse("the call was given up, and nothing was changed") : change();
}

/** What is absent is empty, as everywhere in Cap'n Proto; an empty path is the directory itself, which no effect touches. */
function textOf(args: JsonRecord, name: string): string {
  const value = args[name];
  return typeof value === "string" ? value : "";
}

function numberOf(args: JsonRecord, name: string, absent: number): number {
  const value = args[name];
  return typeof value === "number" ? value : absent;
}

/** Names of the system's errors may be told; paths of this machine, which the message holds, may not. */
function diskErrorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
