/** Effect of a change on authority: more, less, or other authority. `moved` may be both more and less. */
export type Direction = "widened" | "narrowed" | "moved";

/** Returns the direction of the same change, read backwards. */
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

/** The directions in which a change goes; both are possible. */
export interface Movement {
  readonly widens: boolean;
  readonly narrows: boolean;
}

export function classifyDirection({ widens, narrows }: Movement): Direction {
  if (widens === narrows) return "moved";
  return widens ? "widened" : "narrowed";
}
