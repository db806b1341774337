/**
 * Effect of a change on authority: more authority, less authority, or different authority. `moved` means that a change
 * may give more authority in one respect and less in another.
 */
export type Direction = "widened" | "narrowed" | "moved";

/** Returns the direction of the reverse change. */
export function reverseDirection(direction: Direction): Direction {
  switch (direction) {
    case "widened":
      return "narrowed";
    case "narrowed":
      return "widened";
    case "moved":
      return "moved";
  }
}

/** The directions of a change; it may go in both. */
export interface Movement {
  readonly widens: boolean;
  readonly narrows: boolean;
}

export function classifyDirection({ widens, narrows }: Movement): Direction {
  if (widens === narrows) return "moved";
  return widens ? "widened" : "narrowed";
}
