// Computes the difference of a page since a commit, as `capc diff` reports it.

import { runCapc } from "./programs.ts";
import { findInCommit } from "./repository.ts";

/**
 * Change of the meaning of one page, as a job reports it. `isOpen`: whether it contains a widening without a reason,
 * whether a widening cannot be ruled out, or whether the page could not be compared.
 */
export interface PageDifference {
  readonly markdown: string;
  readonly isOpen: boolean;
  /** Error output of capc. */
  readonly log: string;
}

/** Compares a page with its state at a commit. `page` is a path relative to `folder`. */
export async function comparePage(
  folder: string,
  commit: string,
  page: string,
  because: string | undefined,
): Promise<PageDifference> {
  const known = findInCommit(folder, commit, page);
  if (!known.ok) return { markdown: renderUnread(page), isOpen: true, log: `${known.reason}\n` };
  if (!known.value) return describeNewPage(page, because);
  const reason = because === undefined ? [] : [`--because=${because}`];
  const words = ["diff", "--from", commit, "--format", "markdown", "--deny-widening", ...reason];
  const { status, out, err } = await runCapc(folder, [...words, "--", page]);
  const isTold = (status === 0 || status === 1) && out !== "";
  if (isTold) return { markdown: out, isOpen: status === 1, log: "" };
  const markdown = `### ${renderCode(page)}\n\nNot compared: it, or what it was, has errors. The log has them.\n`;
  return { markdown, isOpen: true, log: err };
}

function renderUnread(page: string): string {
  return `### ${renderCode(page)}\n\nNot compared: git cannot read what it was. The log has the reason.\n`;
}

/** Returns the difference of a page that did not exist at the commit. A page that was only moved counts as new. */
function describeNewPage(page: string, because: string | undefined): PageDifference {
  const reason = because === undefined ? "" : ` Because: ${renderCode(because)}.`;
  return {
    markdown: `### ${renderCode(page)}\n\nThis page is new: all of it widens.${reason}\n`,
    isOpen: !because,
    log: "",
  };
}

/**
 * Renders a name of a file as code. The name may contain anything, so it becomes one line of plain text in a fence that it
 * cannot close.
 */
export function renderCode(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "�");
  const fence = "`".repeat(1 + Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length)));
  return `${fence} ${plain} ${fence}`;
}
