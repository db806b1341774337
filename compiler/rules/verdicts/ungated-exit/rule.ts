import type { ProvenClaim } from "../../../phases/prove/index.ts";
import { findRefuted } from "../../support/refuted.ts";
import { defineVerdict } from "../../support/verdict.ts";
import { ungatedExit } from "./codes.ts";

export const rule = defineVerdict({
  reports: [ungatedExit],
  judge: (proven, report) => {
    for (const { span, facts } of findRefuted(proven, isAboutExits)) report(ungatedExit.at(span, facts));
  },
});

/** Returns whether the claim requires approval before a call has effects or sends data out. */
function isAboutExits(claim: ProvenClaim): boolean {
  switch (claim.kind) {
    case "never-trifecta":
      return true;
    case "never-call":
      return claim.ungated;
    case "inherited":
      return claim.assertion === "trifecta" || claim.assertion === "anonymous-asks";
    case "never-flow":
    case "always":
    case "limit":
      return false;
  }
}
