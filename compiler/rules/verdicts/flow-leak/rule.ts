import { findRefuted } from "../../support/refuted.ts";
import { defineVerdict } from "../../support/verdict.ts";
import { flowLeak } from "./codes.ts";

export const rule = defineVerdict({
  reports: [flowLeak],
  judge: (proven, report) => {
    const flows = findRefuted(proven, (claim) =>
      claim.kind === "inherited" ? claim.assertion === "remote-clearance" : claim.kind === "never-flow",
    );
    for (const { span, facts } of flows) report(flowLeak.at(span, facts));
  },
});
