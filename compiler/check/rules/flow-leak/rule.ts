import { secrecyText } from "../../../../engine/policy/index.ts";
import type { Span } from "../../../../lang/text/index.ts";
import {
  clearanceLabel,
  clearanceOf,
  modelsOf,
  rowSessions,
  startOfConversation,
  startsOf,
} from "../../../policy/index.ts";
import { isBelow } from "../../labels.ts";
import { defineLaw } from "../../law.ts";
import { flowLeak } from "./codes.ts";

// Ruling 11, the part about backends, decided without looking at conversations: what a session may see at most, the
// backend that answers it must be cleared for. That is the first at `auto`: the image has one for each session, and refuses
// those behind a gate. A proof over conversations may one day allow more.

export const rule = defineLaw({
  reports: [flowLeak],
  check: ({ model }, report) => {
    const { lattice } = model;
    const said = new Set<Span>();
    for (const session of rowSessions(model).filter(({ damaged }) => !damaged)) {
      const seen = [clearanceLabel(clearanceOf(session)), startOfConversation(lattice, startsOf(session))];
      const choice = modelsOf(session).find(({ mode }) => mode === "auto");
      if (choice === undefined) continue;
      const { backend, span } = choice;
      const cleared = clearanceLabel(backend.clearance);
      const leak = seen.find((label) => !isBelow(label, cleared));
      // Sessions that inherit the choice would say the same of the same line.
      if (leak === undefined || said.has(span)) continue;
      said.add(span);
      const facts = { session: session.id, backend: backend.name, cleared: secrecyText(lattice, cleared) };
      report(flowLeak.at(span, { ...facts, level: secrecyText(lattice, leak) }));
    }
  },
});
