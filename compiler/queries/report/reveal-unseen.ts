import { escapeInvisible } from "../../../lang/diagnostics/index.ts";

/**
 * Replaces invisible characters in all texts of a value by visible ones, so that a name cannot reorder, hide or end the
 * text beside it. It is applied to every text of a report once, before the text is escaped.
 */
export function revealUnseen<T>(value: T): T;
export function revealUnseen(value: unknown): unknown {
  if (typeof value === "string") return escapeInvisible(value);
  if (Array.isArray(value)) return value.map((one) => revealUnseen(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revealUnseen(one)]));
}
