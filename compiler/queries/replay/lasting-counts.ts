import { Counts } from "../../../engine/processes/broker/disk/counts.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Clock } from "./clock.ts";

/** Counts that continue after a restart of the machine, as long as the log has no gap. */
export interface LastingCounts {
  readonly counts: Pick<Counts, "getTotalTally" | "getDayTally" | "save">;
  /** Whether the log begins with the machine's very first record. */
  readonly isWhole: boolean;
  /** Reason why an earlier call could not be decided, so that these counts may lack the call; otherwise `undefined`. */
  doubt: string | undefined;
}

/**
 * Returns counts that the broker's code (`Counts`) computes. They are kept only in memory, because a replay need not
 * survive a power cut.
 */
export function createLasting({ wall }: Clock, log: "whole" | "partial"): LastingCounts {
  const disk = { read: () => undefined, replace: () => {}, remove: () => {} };
  const opened = Counts.open({ now: wall, wall, random: (bytes) => new Uint8Array(bytes) }, disk);
  const counts = opened.ok ? opened.value : bug(opened.reason);
  return {
    counts: {
      getTotalTally: (key) => counts.getTotalTally(key),
      getDayTally: (key) => counts.getDayTally(key),
      save: () => undefined,
    },
    isWhole: log === "whole",
    doubt: undefined,
  };
}
