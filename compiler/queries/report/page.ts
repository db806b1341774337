// Renders the report as one self-contained HTML page. Its content policy allows only its own styles and scripts, by
// their digests, and no network address.

import { type Drawings, renderChoice } from "./graph/drawings.ts";
import { SCRIPTS, STYLE } from "./parts.ts";
import { revealUnseen } from "./reveal-unseen.ts";
import type { Subject } from "./subject.ts";
import { renderCsp, renderData, renderTemplate } from "./template.ts";
import { buildAuditView } from "./views/audit.ts";
import { buildChangesView } from "./views/changes.ts";
import { buildDecisionsView, buildRuleView } from "./views/decisions.ts";
import { buildFlowsView } from "./views/flows.ts";
import { buildLabelsView } from "./views/labels.ts";
import { buildMatrixView } from "./views/matrix.ts";
import { buildOverviewView } from "./views/overview.ts";
import {
  buildAuditKeepView,
  buildAuditLimitView,
  buildBackendViews,
  buildPersonViews,
  buildRedactionViews,
  placeViews,
} from "./views/places.ts";
import { buildProcessesView } from "./views/processes.ts";
import { buildProofsView } from "./views/proofs.ts";
import { buildReachedView } from "./views/reached.ts";
import { buildReasonsView } from "./views/reasons.ts";
import { collectSources } from "./views/sources.ts";
import { buildToolViews } from "./views/tools.ts";

/** Returns the report as HTML. The same subject gives the same text. */
export function reportPage(subject: Subject): string {
  const { tables, policy, model, file, madeBy, changes } = subject;
  const sources = collectSources(subject);
  const view = revealUnseen({
    title: `${tables.systemId} ${tables.version}`,
    system: tables.systemId,
    version: tables.version,
    doc: splitParagraphs(model.system?.doc ?? ""),
    file,
    madeBy,
    boot: policy.image.boot,
    overview: buildOverviewView(subject),
    changes: changes === undefined ? null : buildChangesView(changes, sources),
    audit: subject.audit === undefined ? null : buildAuditView(subject.audit),
    matrix: buildMatrixView(subject),
    decisions: buildDecisionsView(subject, sources),
    tools: buildToolViews(subject),
    flows: buildFlowsView(subject),
    reached: buildReachedView(subject),
    labels: buildLabelsView(subject),
    processes: buildProcessesView(subject, sources),
    places: placeViews(subject, sources),
    backends: buildBackendViews(subject, sources),
    redactions: buildRedactionViews(subject),
    auditLimit: buildAuditLimitView(subject),
    auditKeep: buildAuditKeepView(subject),
    people: buildPersonViews(subject, sources),
    proofs: buildProofsView(subject, sources),
    sources: sources.files,
  });
  const rules = tables.rules.map((rule) => buildRuleView(rule, sources));
  const data = renderData(revealUnseen({ file, rules, ...buildReasonsView(subject) }));
  const style = [STYLE, ...renderChoices({ flows: view.flows.drawing, processes: view.processes.drawing })].join("\n");
  return renderTemplate({ ...view, data, style, scripts: SCRIPTS, csp: renderCsp(style, SCRIPTS) });
}

function renderChoices(drawings: Readonly<Record<string, Drawings | null>>): readonly string[] {
  return Object.entries(drawings).flatMap(([id, drawing]) => (drawing === null ? [] : [renderChoice(id, drawing)]));
}

/** Splits text into paragraphs. A line end within a paragraph counts as a space. */
function splitParagraphs(doc: string): readonly string[] {
  return doc.split(/\n\s*\n/).map((text) => text.replace(/\s+/g, " ").trim());
}
