import { defineLaw } from "../../support/index.ts";
import { waiverUnused } from "./codes.ts";

/** Reports unneeded waivers. If such a waiver is deleted, the prover still refutes no inherited assertion. */
export const rule = defineLaw({
  reports: [waiverUnused],
  check: ({ proven, trees }, report) => {
    const own = new Set(trees.map(({ source }) => source));
    for (const { assertion, session, node } of proven?.idleWaivers ?? []) {
      if (!own.has(node.span.source)) continue;
      const whom = session === undefined ? "of all sessions" : `of \`${session.id}\``;
      report(waiverUnused.at(node.span, { assertion, whom }));
    }
  },
});
