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

export function classifyDirection(widens: boolean, narrows: boolean): Direction {
  if (widens === narrows) return "moved";
  return widens ? "widened" : "narrowed";
}
