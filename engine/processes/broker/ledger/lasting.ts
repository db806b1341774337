import type { Counts } from "../disk/counts.ts";
import type { Tally } from "./tally.ts";

/** Where counts outlast the machine's run. */
export interface LastingCountsOptions {
  /** Of the session, or of a backend that counts for itself. */
  readonly name: string;
  /** Whose use it is now: who is logged in; where nobody has to be, what is used is used by each of its principals. */
  readonly people: readonly string[];
  /** What is counted per login begins anew with each one, and not only with the machine. */
  readonly hasLogin?: boolean;
  readonly counts?: Pick<Counts, "getTotalTally" | "getDayTally" | "save">;
  /** Why there are none. */
  readonly missing?: string;
}

/** What several count; the one that has counted most says how much. */
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
