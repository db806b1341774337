import { Counts } from "../../../engine/processes/broker/disk/counts.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Clock } from "./clock.ts";

/** Counts that survive a start of the machine, as long as a log continues. */
export interface LastingCounts {
  readonly counts: Pick<Counts, "getTotalTally" | "getDayTally" | "save">;
  /** Whether no record is missing before the first one. */
  readonly isWhole: boolean;
  /** Why a call that may be counted here could not be decided. */
  doubt: string | undefined;
}

/** Returns the broker's own counts over a disk that stays empty: a replay need not survive a power cut. */
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
