// Runs the checks of capc's GitHub Action: collects the findings of all pages, and compares the meaning of each page
// with that at an earlier commit, the base.

import { join } from "node:path";
import { ADVICE_ALONE, escapeMessage } from "../rules/index.ts";
import { comparePage, type PageDifference } from "./difference.ts";
import type { Inputs } from "./inputs.ts";
import { runCapc } from "./programs.ts";
import { commitOf, explainNoRepository, isLink, listDeletedPages, listPages } from "./repository.ts";
import { renderSummary } from "./summary.ts";

/** Result of a job, before any of it is written. */
interface JobDone {
  readonly status: number;
  /** Workflow commands of the job itself, which the runner executes. */
  readonly annotations: string;
  /** Text from pages, which the runner must show and not execute. */
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** A file to write, with the findings as its text; `undefined` if the job writes no such file. */
  readonly report: { readonly path: string; readonly text: string } | undefined;
}

export async function doJob(inputs: Inputs): Promise<JobDone> {
  const known = listPages(inputs.folder, inputs.patterns);
  const pages = known.filter((page) => !isLink(inputs.folder, page));
  const found = await collectFindings(inputs, pages);
  const compared = await compare(inputs, pages);
  // A job without pages is an error, because otherwise a pattern without a match would always pass.
  const isNone = known.length === 0 && compared.gone.length === 0;
  const reason = isNone ? (explainNoRepository(inputs.folder) ?? "git knows no page of these patterns here") : "";
  const none = isNone ? `::error title=capc::${escapeMessage(reason)}\n` : "";
  const links = known.length - pages.length;
  return {
    status: Math.max(isNone || links > 0 ? 1 : 0, found.status, compared.status),
    annotations: `${none}${links === 0 ? "" : LINKS}${found.annotations}${compared.annotations}`,
    log: `${found.log}${compared.log}`,
    summary: found.isAdviceAlone
      ? `${compared.summary}\n## Why the job fails\n\ncapc lint: ${ADVICE_ALONE}.\n`
      : compared.summary,
    outputs: { ...(found.report && { report: found.report.path }), widened: String(compared.isOpen) },
    report: found.report,
  };
}

const LINKS = "::error title=capc::a page that is a link is not looked at: put the page itself in its place\n";

const REPORTS = { sarif: "capc.sarif", junit: "capc-junit.xml" } as const;

async function collectFindings({ folder, command, format, runner }: Inputs, pages: readonly string[]) {
  if (command === "diff" || pages.length === 0)
    return { status: 0, isAdviceAlone: false, annotations: "", log: "", report: undefined };
  const { status, out, err } = await runCapc(folder, [command, "--format", format, "--", ...pages]);
  const isAdviceAlone = status === 1 && err.includes(ADVICE_ALONE);
  // capc lint says that it fails only because of advice. The job shows this as an annotation, so its log omits it.
  const rest = err.replace(`capc lint: ${ADVICE_ALONE}\n`, "");
  const failure = isAdviceAlone ? `::error title=capc lint::${escapeMessage(ADVICE_ALONE)}\n` : "";
  switch (format) {
    case "sarif":
    case "junit":
      return {
        status,
        isAdviceAlone,
        annotations: failure,
        log: rest,
        // capc prints nothing if it cannot begin, for example after a wrong option. The job then writes no report.
        report: out === "" ? undefined : { path: join(runner.temporary, REPORTS[format]), text: out },
      };
    case "github":
      return { status, isAdviceAlone, annotations: `${out}${failure}`, log: rest, report: undefined };
    case "text":
      return { status, isAdviceAlone, annotations: failure, log: `${out}${err}`, report: undefined };
  }
}

async function compare({ folder, patterns, base, denyWidening, because }: Inputs, pages: readonly string[]) {
  const commit = base === undefined ? undefined : commitOf(folder, base);
  const gone = commit === undefined ? [] : listDeletedPages(folder, commit, patterns);
  const each: PageDifference[] = [];
  if (commit !== undefined) for (const page of pages) each.push(await comparePage(folder, commit, page, because));
  const isLost = base !== undefined && commit === undefined;
  const open = each.filter(({ isOpen }) => isOpen).length;
  const refusals = denyWidening ? listRefusals(isLost ? "lost" : "found", open) : [];
  return {
    status: refusals.length === 0 ? 0 : 1,
    gone,
    isOpen: isLost || open > 0,
    annotations: refusals.map((words) => `::error title=capc::${words}\n`).join(""),
    log: each.map(({ log }) => log).join(""),
    summary: renderSummary({ base, commit, pages: each.map(({ markdown }) => markdown), gone }),
  };
}

function listRefusals(base: "lost" | "found", open: number): readonly string[] {
  if (base === "lost") return ["the base is no revision that git knows or can fetch"];
  return open === 0 ? [] : [`${open} ${open === 1 ? "page widens" : "pages widen"} without a reason: see the summary`];
}
