// Renders a difference as SARIF: widenings and moves, at the lines of the newer page. Changes with a reason are suppressed, with that
// reason. Narrowings are omitted, because they need no review.

import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { readCapcVersion } from "../../host/version.ts";
import type { World } from "../../host/world.ts";
import { isStandard } from "../../phases/source/index.ts";
import { authorityMoved } from "../../queries/diff/rules/authority-moved/codes.ts";
import { authorityWidened } from "../../queries/diff/rules/authority-widened/codes.ts";
import { createSarifLog, type SilencedFinding } from "../../rules/index.ts";
import { readDiagnosticPages } from "../diagnostic-pages.ts";
import { createRepositoryView } from "../repository-view.ts";
import type { ChangeReport, DiffReport } from "./diff-report.ts";
import type { PageSide } from "./side.ts";
import { renderFlow, renderWhere } from "./text.ts";

/**
 * Returns the SARIF log that `capc diff --format sarif` prints. If widenings are denied, a widening without a reason is
 * an error.
 */
export async function diffSarif(
  { changes }: DiffReport,
  page: PageSide,
  widenings: "denied" | "allowed",
  world: World,
): Promise<object> {
  const diagnostics: Diagnostic[] = [];
  const silenced: SilencedFinding[] = [];
  for (const change of changes) {
    const diagnostic = createDiagnostic(change, page, widenings);
    const [reason] = change.because;
    if (diagnostic === undefined) continue;
    if (change.widens && reason !== undefined) silenced.push({ diagnostic, reason });
    else diagnostics.push(diagnostic);
  }
  const view = createRepositoryView(world);
  const found = {
    diagnostics: diagnostics.map(view.diagnostic),
    silenced: silenced.map((each) => ({ ...each, diagnostic: view.diagnostic(each.diagnostic) })),
  };
  return createSarifLog({ version: readCapcVersion(), ...found, pages: await readDiagnosticPages() });
}

function createDiagnostic(
  change: ChangeReport,
  page: PageSide,
  widenings: "denied" | "allowed",
): Diagnostic | undefined {
  const { direction, widens, at, what, before, after, ways, lines, owner } = change;
  if (direction === "narrowed") return undefined;
  const kind = direction === "widened" ? authorityWidened : authorityMoved;
  const { origins, view, model } = page;
  const owned =
    owner &&
    { session: origins.sessions, service: origins.services, backend: origins.backends, principal: origins.principals }[
      owner.kind
    ].get(owner.name);
  const line = lines.find(({ span }) => span !== undefined && !isStandard(span.source.path));
  const place = line?.span ?? (owned && view.span(owned)) ?? (model.system && view.span(model.system.name.span));
  if (place === undefined) return undefined;
  const story = ways.flatMap(renderFlow).join("\n");
  const found = kind.at(place, { what: renderWhere(at, what).join("; "), before, after, story });
  return widenings === "denied" && widens && change.because.length === 0 ? { ...found, severity: "error" } : found;
}
