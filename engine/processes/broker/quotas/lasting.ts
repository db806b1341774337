import type { Counts } from "../disk/counts.ts";
import type { Tally } from "./tally.ts";

/** The storage of counts that outlast a run of the machine. */
export interface LastingCountsOptions {
  /** Name of the session, or of a backend that has its own counts. */
  readonly name: string;
  /** Principals whose use is counted now: the one who is logged in, or all principals of a session without a login. */
  readonly people: readonly string[];
  /** Whether counts per login start again with each login, and not only with the machine. */
  readonly hasLogin?: boolean;
  readonly counts?: Pick<Counts, "getTotalTally" | "getDayTally" | "save">;
  /** Reason why there are no counts on the disk. */
  readonly missing?: string;
}

/** Returns a tally that adds units to each of these tallies; its `spent` is the highest `spent` of them. */
export function combineTallies(tallies: readonly Tally[]): Tally {
  return {
    get spent() {
      const [most = 0n] = tallies.map(({ spent }) => spent).sort((a, b) => (a > b ? -1 : 1));
      return most;
    },
    add: (units) => {
      for (const tally of tallies) tally.add(units);
    },
    giveBack: (units) => {
      for (const tally of tallies) tally.giveBack(units);
    },
    resets: tallies[0]?.resets ?? "",
  };
}
