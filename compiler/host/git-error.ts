import { quoteShellWord } from "./shell-word.ts";

/** Returns the first line of an error of git, without its severity. */
export function readGitReason(error: string): string {
  const [first = ""] = error.split("\n");
  return first.replace(/^(fatal|error): /, "");
}

/**
 * Returns why git cannot read a folder. If another user owns the folder, which is common for clones in CI containers,
 * the text says what to do.
 */
export function explainGitError(error: string, folder: string): string {
  const way = error.includes("dubious ownership")
    ? `; if you trust it: git config --global --add safe.directory ${quoteShellWord(folder)}`
    : "";
  return `${readGitReason(error)}${way}`;
}
