/** What a change does to authority: more of it, less, or something else. What moves may do both. */
export type Direction = "widened" | "narrowed" | "moved";

/** The same, seen from the other side. */
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
