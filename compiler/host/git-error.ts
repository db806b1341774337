import { quoteShellWord } from "./shell-word.ts";

/** Returns the first line of an error of git, without its severity. */
export function readGitReason(error: string): string {
  const [first = ""] = error.split("\n");
  return first.replace(/^(fatal|error): /, "");
}

/** Returns why git cannot read a folder, with what to do if another user owns it: a container often clones so in CI. */
export function explainGitError(error: string, folder: string): string {
  const way = error.includes("dubious ownership")
    ? `; if you trust it: git config --global --add safe.directory ${quoteShellWord(folder)}`
    : "";
  return `${readGitReason(error)}${way}`;
}
