import { listExceptions, PREMISES, renderReleasesUsed } from "../../../phases/prove/index.ts";
import { formatTools } from "../../../rules/index.ts";
import type { ProofFacts, Subject } from "../subject.ts";
import type { PlaceView, Sources } from "./sources.ts";

interface ProofsView {
  readonly assertions: readonly AssertionView[];
  readonly waived: ProofFacts["waived"];
  readonly dead: ProofFacts["dead"];
  /** Number of dead cells that are not listed. */
  readonly more: number;
  readonly loosened: readonly LoosenedView[];
  /** Number of loosened lines that are not listed. */
  readonly moreLoosened: number;
  /** Premises of the proofs about conversations, and the facts that these proofs do not cover. */
  readonly premises: string;
  /** Digest of the policy tables that were proved. */
  readonly policy: string;
}

interface LoosenedView {
  readonly place: string;
  readonly line: string;
  readonly by: string;
  readonly at: PlaceView;
  readonly tools: string;
  readonly shown: string;
  readonly because: string | null;
}

interface AssertionView {
  readonly assertion: string;
  readonly whose: string;
  readonly place: PlaceView | null;
  readonly verdict: string;
  readonly sentence: string;
  readonly size: string;
  readonly story: readonly string[];
}

const WHOSE = {
  page: "of this page",
  conversations: "of every page",
  image: "of every image",
} as const;

const MOST_DEAD = 200;

export function buildProofsView({ proofs, inherited }: Subject, sources: Sources): ProofsView {
  const { assertions, waived, dead, loosened, policy } = proofs;
  return {
    assertions: assertions.map(({ assertion, of, at, verdict, sentence, size, story, ...facts }) => ({
      assertion,
      whose: WHOSE[of],
      place: at === null ? null : sources.place(at),
      verdict,
      // The report shows the common premises of these proofs once, below the table.
      sentence: size === null ? sentence : (inherited.get(assertion) ?? ""),
      size:
        size === null
          ? ""
          : [
              `${size.states} states, ${size.labels} labels; ${renderReleasesUsed(facts)}`,
              ...listExceptions(facts),
            ].join(". "),
      story,
    })),
    waived,
    dead: dead.slice(0, MOST_DEAD),
    loosened: loosened.slice(0, MOST_DEAD).map(({ place, line, by, at, tools, shown, because }) => ({
      place,
      line,
      by: by.join("; "),
      at: sources.place(at),
      tools: formatTools(tools),
      shown,
      because,
    })),
    moreLoosened: Math.max(0, loosened.length - MOST_DEAD),
    more: Math.max(0, dead.length - MOST_DEAD),
    premises: PREMISES,
    policy,
  };
}
