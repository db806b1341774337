import type { ProvenClaim } from "../../../phases/prove/index.ts";
import { findRefuted } from "../../support/refuted.ts";
import { defineVerdict } from "../../support/verdict.ts";
import { assertionRefuted } from "./codes.ts";

export const rule = defineVerdict({
  reports: [assertionRefuted],
  judge: (proven, report) => {
    for (const { span, facts } of findRefuted(proven, hasNoOtherCode)) report(assertionRefuted.at(span, facts));
  },
});

/**
 * Returns whether the claim is reported with the general code `assertion-refuted`; claims about flows and outward calls
 * have their own codes.
 */
function hasNoOtherCode(claim: ProvenClaim): boolean {
  switch (claim.kind) {
    case "always":
    case "limit":
      return true;
    case "never-call":
      return !claim.ungated;
    case "inherited":
      return !["anonymous-asks", "remote-clearance", "trifecta"].includes(claim.assertion);
    case "never-flow":
    case "never-trifecta":
      return false;
  }
}
