// Selects commits, and checks with patterns that the subject of each is an imperative of at most 72 characters.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const VERBS: ReadonlySet<string> = new Set(
  readFileSync(new URL("../structure/verbs.txt", import.meta.url), "utf8").split(/\s+/),
);
const MOST_CHARACTERS = 72;
/** Number of commits that are checked if the branch has no commits of its own. */
const LATEST = 20;
/** First words that begin a statement or a noun phrase, not an imperative. */
const NOT_VERBS =
  /^(?:An?|The|This|That|These|Those|It|They|We|Of|What|Which|Who|Whoever|Where|When|Nothing|Nobody|No|Not|All|Every|Each|Some|In|On|At|For|From|With|By|To)$/;
/** Endings of participles and of the third person. Some verbs in the imperative have these endings too: `embed`, `bring`, `pass`. */
const FINITE = /(?:ed|ing|[^s]s)$/;

/** The commits to check: those of the branch, or the latest commits. */
interface PushedCommits {
  readonly subjects: readonly string[];
  /** Describes the commits, for the output. */
  readonly range: string;
}

/**
 * Returns the subjects of the commits since the merge base with `origin/main`. Without such commits, or without
 * `origin/main`, it returns the latest 20 subjects. In a shallow clone it returns the subjects that the clone contains.
 * Without git or a repository it returns no subjects, and `range` states this.
 */
export function readPushedCommits(checkout: string): PushedCommits {
  const git = (...words: string[]): string | undefined => {
    const { status, stdout } = spawnSync("git", ["-C", checkout, ...words], { encoding: "utf8" });
    return status === 0 ? stdout.trim() : undefined;
  };
  const readSubjects = (...range: string[]): readonly string[] =>
    (git("log", "--no-merges", "--format=%s", ...range) ?? "").split("\n").filter((subject) => subject !== "");
  const isShallow = git("rev-parse", "--is-shallow-repository");
  if (isShallow === undefined) return { subjects: [], range: "no commits: there is no git, or no repository" };
  const clone = isShallow === "true" ? " of a shallow clone, which may have fewer" : "";
  const base = git("merge-base", "HEAD", "origin/main");
  const own = base === undefined ? [] : readSubjects(`${base}..HEAD`);
  if (own.length > 0) return { subjects: own, range: `${own.length} commits since origin/main${clone}` };
  const latest = readSubjects(`--max-count=${LATEST}`);
  return { subjects: latest, range: `the latest ${latest.length} commits${clone}` };
}

/** Returns the fault of each subject that has one: `SUBJECT: FAULT`. */
export function findSubjectFaults(subjects: readonly string[]): readonly string[] {
  return subjects.flatMap((subject) => {
    const fault = describeFault(subject);
    return fault === undefined ? [] : [`${subject}: ${fault}`];
  });
}

function describeFault(subject: string): string | undefined {
  if (subject.length > MOST_CHARACTERS) return `has ${subject.length} characters, and ${MOST_CHARACTERS} are the most`;
  if (subject.endsWith(".")) return "ends with a full stop";
  const [first = ""] = subject.split(" ");
  if (!/^[A-Z][a-z]*(?:-[a-z]+)*$/.test(first)) return "does not begin with a word in lower case behind a capital";
  const isVerb = VERBS.has(first.toLowerCase());
  return NOT_VERBS.test(first) || (FINITE.test(first) && !isVerb) ? "does not begin with an imperative" : undefined;
}
