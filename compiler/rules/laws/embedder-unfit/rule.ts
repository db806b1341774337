import type { Backend, Redaction, Session } from "../../../phases/bind/index.ts";
import { findFirstUnasked, getClearance, selectRowSessions } from "../../../phases/policy/index.ts";
import { isBelow } from "../../support/labels.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { embedderUnfit } from "./codes.ts";

/**
 * Checks embedders. An embedder receives all texts of a session, so its backend must be allowed to receive all of them at any time. Proofs
 * about flows to that backend then apply to its embedder too.
 */
export const rule = defineLaw({
  reports: [embedderUnfit],
  check: ({ model }, report) => {
    // If a syntax error occurred, a clearance or a choice of models may be missing, so embedders are not checked.
    if (model.damaged || model.sessions.some(({ damaged }) => damaged)) return;
    const sessions = selectRowSessions(model);
    for (const backend of model.backends) {
      if (backend.embedder === undefined) continue;
      const embedded = sessions.filter((session) => findFirstUnasked(session)?.backend === backend);
      for (const session of embedded) checkClearance(backend, session, report);
      if (embedded.length > 0) checkRedactions(backend, model.redactions, report);
      if (embedded.length > 0 || sessions.length === 0) continue;
      const why = "in no session this backend is the first with `auto`";
      const instead = "name the embedder in the backend that a session's `models` has as its first `auto`";
      report(embedderUnfit.at(placeIn(backend), { backend: backend.name, why, instead }));
    }
  },
});

function checkClearance(backend: Backend, session: Session, report: Report): void {
  const { clearance, name } = backend;
  const demands = clearance?.integrity !== undefined && clearance.integrity > 0;
  if (isBelow(getClearance(session), clearance) && !demands) return;
  const why = demands
    ? `this backend is cleared only for trusted data, and \`${session.id}\` may contain other data`
    : `\`${session.id}\` may contain data for which this backend is not cleared`;
  const instead = "let `clearance` of the backend cover that of the session, or leave the embedder out";
  report(embedderUnfit.at(placeIn(backend), { backend: name, why, instead }));
}

/** Reports a redaction that would apply to the embedder's backend, because text for an embedder is never masked. */
function checkRedactions(backend: Backend, redactions: readonly Redaction[], report: Report): void {
  const kept = redactions.find(({ label }) => !isBelow(label, backend.clearance));
  if (kept === undefined) return;
  const why = `this backend is not cleared for text that \`${kept.name}\` masks, and an embedder reads all text unmasked`;
  const instead = "let `clearance` of the backend cover the redaction's label, or leave the embedder out";
  report(embedderUnfit.at(placeIn(backend), { backend: backend.name, why, instead }));
}

function placeIn({ node, span }: Backend): Backend["span"] {
  return node.attributes.find(({ kind }) => kind === "embedder")?.span ?? span;
}
