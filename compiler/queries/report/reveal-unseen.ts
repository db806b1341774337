import { escapeInvisible } from "../../../lang/diagnostics/index.ts";

/**
 * Returns the value with escape codes for invisible characters in its texts. Otherwise a name could reorder, hide or
 * end the text beside it. Every text of a report passes through this function once, before it is escaped.
 */
export function revealUnseen<T>(value: T): T;
export function revealUnseen(value: unknown): unknown {
  if (typeof value === "string") return escapeInvisible(value);
  if (Array.isArray(value)) return value.map((one) => revealUnseen(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revealUnseen(one)]));
}
