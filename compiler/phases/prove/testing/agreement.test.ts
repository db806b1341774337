// Tests that the prover and the naive evaluator agree about every assertion of thousands of small random systems. The
// test replays every witness with the evaluator and with the functions of the image.
//
// `make agreement SYSTEMS=50000 SEED=7` tests more systems. `START=15860` skips the systems before the one with this
// number, so that one system of a long run can be repeated: `SYSTEMS=1 SEED=7 START=15860`.
import fc from "fast-check";
import { expect, test } from "vitest";
import { prove } from "../index.ts";
import { anyPage } from "./any-page.ts";
import { disagreements, type Tally } from "./compare.ts";
import { meaningOf } from "./compiled.ts";
import { pageText } from "./pages.ts";
import { anyTwists, twisted } from "./table-changes.ts";

const { SYSTEMS = "1200", SEED = "6", START = "0" } = process.env;
const HOURS = 10 * 3_600_000;
/** If the test runs fewer systems than this number, it does not check how often each verdict occurs. */
const FEW = 1000;

test(
  `the prover and the naive evaluator agree about ${SYSTEMS} systems`,
  async () => {
    const tally: Tally = { proved: 0, refuted: 0, undetermined: 0 };
    await fc.assert(
      fc.asyncProperty(anyPage, anyTwists, async (any, twists) => {
        const page = pageText(any);
        const { policy, model } = await meaningOf(page);
        const twistedPolicy = twisted(policy, twists);
        const found = disagreements(twistedPolicy, model, prove(twistedPolicy, model), tally);
        expect({ page, found }).toEqual({ page, found: [] });
      }),
      { numRuns: Number(SYSTEMS), seed: Number(SEED), path: START },
    );
    if (Number(SYSTEMS) < FEW) return;
    // A claim is undetermined if a quota blocks its counterexample, or if the counterexample has a worker that no page can express.
    const claims = tally.proved + tally.refuted + tally.undetermined;
    expect(tally.refuted).toBeGreaterThan(claims / 10);
    expect(tally.proved).toBeGreaterThan(claims / 2);
    expect(tally.undetermined).toBeLessThan(claims / 100);
  },
  HOURS,
);
