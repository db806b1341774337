// Renders text of loops and services that is drawn beside the gate's own words.
import { renderCanonicalJson } from "../../lib/policy/index.ts";
import { excerpt } from "./result.ts";

/** The form of names of existing tools. */
const PLAIN_NAME = /^[\w.-]+$/;

/**
 * Renders the name of a tool that may not exist. A name that is not plain is put in quotes, so that it cannot imitate a call and its
 * end.
 */
export function renderToolName(name: string): string {
  return PLAIN_NAME.test(name) ? excerpt(name) : escapeArrows(excerpt(renderCanonicalJson(name)));
}

/**
 * Escapes arrows in foreign text. On a line about a call, only the gate may write an arrow; the outcome of the call
 * follows it.
 */
export function escapeArrows(text: string): string {
  return text.replaceAll("→", "‹U+2192›");
}
