// Restarts a trial when the files of its page change. This module is loaded only for --watch, because it needs all modules
// of `capc diff`.

import { isError } from "../../../lang/diagnostics/index.ts";
import { placeOf } from "../../../lang/text/index.ts";
import { encodeTables } from "../../../targets/tables/tables.ts";
import type { CompileCache } from "../../compile.ts";
import type { World } from "../../host/world.ts";
import { computeDifference } from "../../queries/diff/index.ts";
import type { Trial } from "../../trial/trial.ts";
import { reportOf } from "../diff/report.ts";
import { createSide } from "../diff/side.ts";
import { diffLines } from "../diff/text.ts";
import { compilePage, hasErrors, type PageCompiled, requireLawful } from "../page.ts";
import { waitForChange } from "../watch.ts";
import { describeReach, openModels, openWork, PURPOSE, type Talk, type Work } from "./work.ts";

/** A page whose files are watched. */
export interface Watched {
  /** Path of the page as the user typed it. */
  readonly file: string;
  readonly kept: CompileCache;
  readonly page: PageCompiled;
  readonly scratch: string;
}

/**
 * Restarts a trial with each new version of its page. Returns `undefined` when the person has left, or the reason why
 * the trial cannot continue.
 */
export async function followPage(
  work: Work,
  talking: Talk,
  begun: { readonly trial: Trial; readonly watched: Watched },
  world: World,
): Promise<string | undefined> {
  const { file, kept, scratch } = begun.watched;
  const stop = new AbortController();
  let { trial } = begun;
  let before = begun.watched.page;
  let readings = before.readings;
  const left = talking.over.promise.then((broken) => ({ broken }));
  for (;;) {
    const changed = await Promise.race([left, waitForChange([readings], stop.signal)]);
    if (typeof changed === "object") {
      stop.abort();
      await trial.end();
      return changed.broken;
    }
    const page = await compilePage(file, world, { ...PURPOSE, kept });
    readings = page.readings;
    const fault = page.kind === "unreadable" ? page.reason : explainErrors(page);
    if (fault !== undefined || page.kind === "unreadable") {
      trial.console.tell(`the changed page is not taken up: ${fault}`);
      continue;
    }
    const { policy, origins } = requireLawful(page.compiled);
    const weights = await openModels(policy, scratch);
    if (!weights.ok) {
      trial.console.tell(`the changed page is not taken up: ${weights.reason}`);
      continue;
    }
    const changes = describeChanges(file, before, page);
    const reached = describeReach(policy, work.web);
    const isReachChanged = reached !== describeReach(requireLawful(before.compiled).policy, work.web);
    before = page;
    await trial.end();
    trial = await openWork(
      { ...work, page: { policy, origins, tables: encodeTables(policy), ...weights.value } },
      talking,
      world,
    );
    for (const line of changes) trial.console.tell(line);
    if (reached !== undefined && isReachChanged) trial.console.tell(reached);
    trial.console.tell("the page is taken up, in a new conversation; /resume continues the one before");
  }
}

/** Returns the first error of a page with the number of its other errors, or `undefined` if it has none. */
function explainErrors({ compiled }: PageCompiled): string | undefined {
  if (!hasErrors(compiled)) return undefined;
  const errors = compiled.diagnostics.filter(isError);
  const [first] = errors;
  if (first === undefined) return "it has no policy";
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : "";
  return `${placeOf(first.span)}: ${first.message}${more}`;
}

/** Returns the changes in meaning as lines for a person. */
function describeChanges(name: string, before: PageCompiled, after: PageCompiled): readonly string[] {
  const [old, next] = [before, after].map(({ compiled, view }) =>
    createSide(name, { ...requireLawful(compiled), view }),
  );
  if (old === undefined || next === undefined) return [];
  const [, ...lines] = diffLines(
    reportOf({ before: old, after: next, difference: computeDifference(old, next) }, undefined),
  );
  return lines.filter((line) => line !== "");
}
