import { formatLabel } from "../../../../engine/lib/policy/index.ts";
import type { Span } from "../../../../lang/text/index.ts";
import { defineVerdict } from "../../support/verdict.ts";
import { renderWitness } from "../../support/witness.ts";
import { conversationUnanswered } from "./codes.ts";

export const rule = defineVerdict({
  reports: [conversationUnanswered],
  judge: ({ policy: { tables }, origins, proofs }, report) => {
    const said = new Set<Span>();
    for (const { row, label, witness } of proofs.reach.unanswered) {
      const { session = "", task = "" } = tables.rows[row] ?? {};
      const span = origins.sessions.get(session);
      // One finding for each session suffices: its tasks and phases would repeat it.
      if (span === undefined || said.has(span)) continue;
      said.add(span);
      const place = task === "" ? `\`${session}\`` : `the task \`${session}.${task}\``;
      const story = renderWitness(tables, witness).join("\n");
      report(conversationUnanswered.at(span, { place, label: formatLabel(tables.lattice, label), story }));
    }
  },
});
