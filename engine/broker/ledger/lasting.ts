import type { Counts } from "../disk/counts.ts";
import type { Tally } from "./tally.ts";

/** Where counts outlast the machine's run. */
export interface Lasting {
  /** Of the session, or of a backend that counts for itself. */
  readonly name: string;
  /** Its principals. Nobody logs in yet: what is used in it is used by each of them. */
  readonly people: readonly string[];
  readonly counts?: Counts;
  /** Why there are none. */
  readonly missing?: string;
}

/** What several count; the one that has counted most says how much. */
export function together(tallies: readonly Tally[]): Tally {
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
