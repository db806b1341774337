import type { Label } from "../../../../engine/lib/wire/generated/policy.ts";
import type { BoundWhen, Lattice, Session } from "../../../phases/bind/index.ts";
import { getStartLabel, startOfConversation } from "../../../phases/policy/index.ts";
import { collectLayers, defineLaw } from "../../support/index.ts";
import { floorAlways } from "./codes.ts";

/**
 * Reports `when` blocks whose condition holds at the start of every conversation. Labels only rise, so such a condition
 * always holds.
 */
export const rule = defineLaw({
  reports: [floorAlways],
  check: ({ model }, report) => {
    if (model.damaged) return;
    const builtUpon = new Set(model.sessions.map(({ base }) => base));
    for (const { name, said, session, damaged } of collectLayers(model)) {
      if (damaged || said.floors.length === 0) continue;
      const isShared = session.abstract || builtUpon.has(session);
      const start = isShared ? getLowestStart(model.lattice) : startOf(model.lattice, session);
      for (const when of new Set(said.floors.map((floor) => floor.when))) {
        // A block in which all floors have conditions on arguments is not reported, because `permit` has no equivalent
        // of such floors.
        if (said.floors.every((floor) => floor.when !== when || floor.checks.length > 0)) continue;
        const { node } = when;
        if (isMet(start, when)) report(floorAlways.at(node.met[0]?.span ?? node.span, { layer: name }));
      }
    }
  },
});

type Start = Pick<Label, "confidentiality" | "compartments" | "integrity">;

function startOf(lattice: Lattice, session: Session): Start {
  return startOfConversation(lattice, getStartLabel(session));
}

/**
 * Returns the lowest label at which a conversation of any session can begin, including sessions that are added later.
 */
function getLowestStart({ integrity }: Lattice): Start {
  return { confidentiality: 0, compartments: 0n, integrity: integrity.length - 1 };
}

function isMet(start: Start, when: BoundWhen): boolean {
  const { confidentialityAtLeast, integrityAtMost, compartments, unattended } = when;
  return (
    !unattended &&
    confidentialityAtLeast <= start.confidentiality &&
    start.integrity <= integrityAtMost &&
    (compartments & ~start.compartments) === 0n
  );
}
