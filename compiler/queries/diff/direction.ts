/**
 * Effect of a change on authority: more (`widened`), less (`narrowed`), or other authority (`moved`). A `moved` change
 * may give more authority in one case and less in another.
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

/** Whether a change gives more authority, and whether it gives less; both are possible. */
export interface Movement {
  readonly widens: boolean;
  readonly narrows: boolean;
}

export function classifyDirection({ widens, narrows }: Movement): Direction {
  if (widens === narrows) return "moved";
  return widens ? "widened" : "narrowed";
}
