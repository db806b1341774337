import { placeOf } from "../../support/refuted.ts";
import { defineVerdict } from "../../support/verdict.ts";
import { proofUndetermined } from "./codes.ts";

export const rule = defineVerdict({
  reports: [proofUndetermined],
  judge: (proven, report) => {
    for (const proof of proven.proofs.results) {
      const { verdict, words } = proof;
      if (verdict.kind !== "undetermined") continue;
      report(proofUndetermined.at(placeOf(proven, proof), { words, reason: verdict.reason }));
    }
  },
});
