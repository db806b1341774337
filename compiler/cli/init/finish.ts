// Finishes a project whose page a program made: completes the page, writes a test and a conversation for it, and pins its imports.

import { type Diagnostic, isError } from "../../../lang/diagnostics/index.ts";
import type { Artifact } from "../../../targets/contract/artifact.ts";
import type { Kind } from "./kinds.ts";
import { createProjectFiles, encodeFile } from "./project.ts";
import { decideSampleCalls, insertTests, renderChat, renderReplies, renderTest } from "./samples.ts";
import { type Remedies, settleFindings } from "./settle.ts";

/** A project, or why there is none: a reason with an exit status, or findings. */
export type MadeProject =
  | {
      readonly ok: true;
      readonly files: readonly Artifact[];
      /** Findings about the source of the project, and warnings about its page. */
      readonly findings: readonly Diagnostic[];
      /** Sentences that `capc init` prints for the person. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly status: 2 | 3; readonly reason: string }
  | { readonly ok: false; readonly status: 1; readonly findings: readonly Diagnostic[] };

interface Draft {
  readonly kind: Kind;
  /** Page without tests. */
  readonly page: string;
  /** Other files that the page names, by path, except for the replies of its stub model. */
  readonly files: Readonly<Record<string, string>>;
  /** Replacements of words in the templates. */
  readonly words: Readonly<Record<string, string>>;
  /** Session in which the tests and the conversation of the project run. */
  readonly session: string;
  readonly remedies: Remedies;
  readonly findings: readonly Diagnostic[];
  readonly notes?: readonly string[];
}

const TITLE = "each tool is decided as it was when this project was made";

/**
 * Returns a project whose page uses a stub model, with the remaining warnings about the page. If the page has errors, returns these instead
 * of a project.
 */
export async function finishProject(draft: Draft): Promise<MadeProject> {
  const { kind, words, session, remedies, findings, notes = [] } = draft;
  const files = { ...draft.files, "replies.json": "[]\n" };
  const untested = await settleFindings(draft.page, files, remedies);
  if (untested.left.some(isError)) return { ok: false, status: 1, findings: untested.left };
  const pinned = { ...files, ...(untested.lock === undefined ? {} : { "cap.lock": untested.lock }) };
  const decided = await decideSampleCalls({ ...pinned, "system.cap": untested.page }, session);
  const calls = decided.ok ? decided.value : [];
  const page = decided.ok ? insertTests(untested.page, [renderTest(TITLE, session, calls)]) : untested.page;
  const settled = await settleFindings(page, files, remedies);
  if (settled.left.some(isError)) return { ok: false, status: 1, findings: settled.left };
  const own = {
    "system.cap": settled.page,
    ...pinned,
    "replies.json": renderReplies(calls),
    "talk.chat": renderChat(calls),
  };
  const encoded = Object.entries(own).map(([path, text]) => encodeFile(path, text));
  return {
    ok: true,
    files: [...encoded, ...createProjectFiles(kind, words)],
    findings: [...findings, ...settled.left],
    notes: decided.ok ? notes : [...notes, `the page has no tests and talk.chat no calls: ${decided.reason}`],
  };
}
