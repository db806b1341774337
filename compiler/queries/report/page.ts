// One page of HTML that needs nothing beside itself. What it may do stands in its content policy: its own styles and
// scripts by their digests, and nothing else, no address at all.

import { SCRIPTS, STYLE } from "./parts.ts";
import { shown } from "./shown.ts";
import type { Subject } from "./subject.ts";
import { cspOf, dataText, rendered } from "./template.ts";
import { changesView } from "./views/changes.ts";
import { decisionsView, ruleView } from "./views/decisions.ts";
import { flowsView } from "./views/flows.ts";
import { labelsView } from "./views/labels.ts";
import { matrixView } from "./views/matrix.ts";
import { overviewView } from "./views/overview.ts";
import { backendViews, personViews, placeViews } from "./views/places.ts";
import { processesView } from "./views/processes.ts";
import { proofsView } from "./views/proofs.ts";
import { reachedView } from "./views/reached.ts";
import { reasonsView } from "./views/reasons.ts";
import { sourcesOf } from "./views/sources.ts";
import { toolViews } from "./views/tools.ts";

/** The same subject gives the same text. */
export function reportPage(subject: Subject): string {
  const { tables, policy, model, file, madeBy, changes } = subject;
  const sources = sourcesOf(subject);
  const view = shown({
    title: `${tables.systemId} ${tables.version}`,
    system: tables.systemId,
    version: tables.version,
    doc: paragraphs(model.system?.doc ?? ""),
    file,
    madeBy,
    boot: policy.image.boot,
    overview: overviewView(subject),
    changes: changes === undefined ? null : changesView(changes, sources),
    matrix: matrixView(subject),
    decisions: decisionsView(subject, sources),
    tools: toolViews(subject),
    flows: flowsView(subject),
    reached: reachedView(subject),
    labels: labelsView(subject),
    processes: processesView(subject, sources),
    places: placeViews(subject, sources),
    backends: backendViews(subject, sources),
    people: personViews(subject, sources),
    proofs: proofsView(subject, sources),
    sources: sources.files,
  });
  const rules = tables.rules.map((rule) => ruleView(rule, sources));
  const data = dataText(shown({ file, rules, ...reasonsView(subject) }));
  return rendered({ ...view, data, style: STYLE, scripts: SCRIPTS, csp: cspOf(STYLE, SCRIPTS) });
}

/** A line's end within a paragraph is no more than a space. */
function paragraphs(doc: string): readonly string[] {
  return doc.split(/\n\s*\n/).map((text) => text.replace(/\s+/g, " ").trim());
}
