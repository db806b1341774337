// Renders the reasons of decisions, for the model as well as for the person.
import type { Row } from "../wire/generated/policy.ts";
import type { Releasing } from "./flow.ts";
import type { PermissionMode, RuledMode } from "./mode.ts";
import { listTasks } from "./row-transitions.ts";
import type { IndexedTables } from "./tables.ts";

/** The reason that a rule ends with, as a string of the page. */
const BECAUSE = /\s+because ("(?:[^"\\]|\\.)*")$/s;

/** Quotes a rule, and its reason after it: `"forbidden destructive" because "nothing is deleted"`. */
export function quoteRule({ rules }: IndexedTables, rule: number): string {
  const words = rules[rule]?.words ?? "";
  const because = BECAUSE.exec(words);
  return because === null ? `"${words}"` : `"${words.slice(0, because.index)}" because ${because[1]}`;
}

const LINE = /^(?:widen )?(auto|consent|stepUp|forbidden) /;

const ELSE = / else (auto|consent|stepUp|forbidden)(?: because ".*")?$/s;

/** Returns whether a rule decided by its `else`, whose mode differs from the mode with which the rule begins. */
export function isByElse(words: string, mode: PermissionMode): boolean {
  const begins = LINE.exec(words)?.[1];
  return begins !== undefined && begins !== mode && (ELSE.exec(words)?.[1] ?? mode) === mode;
}

/**
 * Returns whether a line with `auto` decided `consent`, because a call with values from weak sources never runs without
 * a question.
 */
function isWeakened(words: string, mode: PermissionMode): boolean {
  return mode === "consent" && LINE.exec(words)?.[1] === "auto" && !isByElse(words, mode);
}

/**
 * Cites a rule. If its `else` decided, the citation says so: otherwise a line such as `forbidden … else consent` would
 * be cited as the reason for a question.
 */
export function citeRule(tables: IndexedTables, { mode, rule }: RuledMode): string {
  const words = tables.rules[rule]?.words ?? "";
  if (isByElse(words, mode)) return `the else of ${quoteRule(tables, rule)}`;
  const quoted = quoteRule(tables, rule);
  return isWeakened(words, mode) ? `${quoted}, with words that an outsider may have chosen` : quoted;
}

/**
 * Returns why nothing runs outside of tasks in a session that requires a task. The reason names the tasks, so that a
 * person can begin one.
 */
export function explainTasklessness(tables: IndexedTables, { session }: Pick<Row, "session">): string {
  const names = listTasks(tables, session).join(", ");
  return `session ${session} requires a task, and none has begun; a person begins one with /task NAME: ${names}`;
}

export function renderReason(tables: IndexedTables, ruled: RuledMode): string {
  return `${ruled.mode} by ${citeRule(tables, ruled)}`;
}

export function renderReleaseReason(tables: IndexedTables, ruled: RuledMode, { release }: Releasing): string {
  // If the release itself sets the gate, cite its rule once.
  const by = release.rule === ruled.rule ? "" : ` by ${citeRule(tables, ruled)}`;
  return `${ruled.mode}${by}, released by ${quoteRule(tables, release.rule)}`;
}
