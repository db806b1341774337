import { escapeInvisible } from "../../../lang/diagnostics/index.ts";

/**
 * Returns the value with invisible characters in its texts spelled out: a name must not reorder, hide or end the text beside it. Every
 * text of a report passes through here once, before it is escaped.
 */
export function revealUnseen<T>(value: T): T;
export function revealUnseen(value: unknown): unknown {
  if (typeof value === "string") return escapeInvisible(value);
  if (Array.isArray(value)) return value.map((one) => revealUnseen(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revealUnseen(one)]));
}
