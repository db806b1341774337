// Renders text from other processes, which is shown next to the gate's own text.
import { renderCanonicalJson } from "../../lib/policy/index.ts";
import { excerpt } from "./result.ts";

/** The form of names of existing tools. */
const PLAIN_NAME = /^[\w.-]+$/;

/**
 * Renders the name of a tool that may not exist. A name that is not plain is quoted, so that it cannot imitate a call and its outcome.
 */
export function renderToolName(name: string): string {
  return PLAIN_NAME.test(name) ? excerpt(name) : escapeArrows(excerpt(renderCanonicalJson(name)));
}

/** Escapes arrows in text from other processes: on these lines only the gate writes an arrow, before the outcome of a call. */
export function escapeArrows(text: string): string {
  return text.replaceAll("→", "‹U+2192›");
}
