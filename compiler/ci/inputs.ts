// Reads the inputs of a workflow, as action.yml passes them, and the files to which GitHub lets a step write.

import { isAbsolute, join } from "node:path";

const COMMANDS = ["lint", "check", "diff"] as const;
const FORMATS = ["github", "sarif", "junit", "text"] as const;

export interface Inputs {
  /** Absolute path of the folder of the repository with the pages. */
  readonly folder: string;
  /** Patterns of files, in the form that `git ls-files` takes. */
  readonly patterns: readonly string[];
  readonly command: (typeof COMMANDS)[number];
  readonly format: (typeof FORMATS)[number];
  /** Git revision with which the pages are compared, or `undefined` if the inputs name none. */
  readonly base: string | undefined;
  readonly denyWidening: boolean;
  readonly because: string | undefined;
  readonly runner: RunnerFiles;
}

/** Files and folders that the runner of GitHub gives to one step, as absolute paths. */
interface RunnerFiles {
  /** File to which the step appends Markdown for its summary. */
  readonly summary: string;
  /** File to which the step appends its outputs, in lines of the form `NAME=VALUE`. */
  readonly outputs: string;
  /** Folder that is emptied when the job ends. */
  readonly temporary: string;
}

type InputsRead =
  | { readonly ok: true; readonly inputs: Inputs }
  | { readonly ok: false; readonly reasons: readonly string[] };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the inputs. If several inputs are invalid, the result names all of them, not only the first. */
export function readInputs(environment: Environment): InputsRead {
  const reasons: string[] = [];
  const refuse = (reason: string): undefined => {
    reasons.push(reason);
  };
  const readVariable = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const readChoice = <T extends string>(name: string, input: string, choices: readonly T[]): T | undefined =>
    choices.find((choice) => choice === readVariable(name)) ?? refuse(`${input} is ${choices.join(" or ")}`);
  const readPath = (name: string): string | undefined => {
    const path = readVariable(name);
    return path !== undefined && isAbsolute(path) ? path : refuse(`${name} is not set: this runs as a GitHub action`);
  };
  const command = readChoice("CAPC_COMMAND", "command", COMMANDS);
  const format = readChoice("CAPC_FORMAT", "format", FORMATS);
  const denied = readChoice("CAPC_DENY_WIDENING", "deny-widening", ["true", "false"]);
  const workspace = readPath("GITHUB_WORKSPACE");
  const summary = readPath("GITHUB_STEP_SUMMARY");
  const outputs = readPath("GITHUB_OUTPUT");
  const temporary = readPath("RUNNER_TEMP");
  const patterns = (readVariable("CAPC_PAGES") ?? "").split("\n").map((line) => line.trim());
  const base = parseBase(readVariable("CAPC_BASE"));
  if (patterns[0] === "") refuse("pages is empty");
  if (base?.startsWith("-")) refuse("base is no revision");
  if (denied === "true" && base === undefined) refuse("deny-widening needs a revision to compare with: give `base`");
  if (command === undefined || format === undefined || denied === undefined) return { ok: false, reasons };
  if (workspace === undefined || summary === undefined || outputs === undefined || temporary === undefined)
    return { ok: false, reasons };
  if (reasons.length > 0) return { ok: false, reasons };
  const inputs: Inputs = {
    folder: join(workspace, readVariable("CAPC_FOLDER") ?? "."),
    patterns: patterns.filter((pattern) => pattern !== ""),
    command,
    format,
    base,
    denyWidening: denied === "true",
    because: readVariable("CAPC_BECAUSE"),
    runner: { summary, outputs, temporary },
  };
  return { ok: true, inputs };
}

/**
 * Returns the revision that an input names, or `undefined` if it names none. Zeros name none: GitHub passes them as the
 * base of a new branch.
 */
function parseBase(said: string | undefined): string | undefined {
  return said === undefined || /^0+$/.test(said) ? undefined : said;
}
