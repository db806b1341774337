import { type Diagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { compareCodeUnits, placeOf } from "../../../lang/text/index.ts";
import type { SilencedFinding } from "../silence.ts";
import type { UnreadablePage } from "./findings.ts";

/** Checked files and the findings in them. */
interface LookedAt {
  /** Name of the checker: `capc lint`. */
  readonly name: string;
  /** Paths of all checked files in the form that findings use, including files without a finding. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: readonly SilencedFinding[];
  readonly unread?: readonly UnreadablePage[];
}

/**
 * Renders JUnit's XML, which CI services show as tests. There is a suite for each file, and a test for each finding: failed, or skipped if
 * it is silenced. An unreadable page is a test with an error, and a file without findings is a passed test. The report contains no times,
 * so the same findings give the same bytes. The output uses only attributes of Jenkins' schema, which is the strictest one. So only the
 * name of a test states its position, because the schema has no attribute for it.
 */
export function renderJunit({ name, files, diagnostics, silenced, unread = [] }: LookedAt): string {
  const named = [...diagnostics, ...silenced.map(({ diagnostic }) => diagnostic)].map(({ span }) => span.source.path);
  const suites = [...new Set([...files, ...named])]
    .sort(compareCodeUnits)
    .map((file) => renderSuite(file, diagnostics, silenced, unread));
  const failures = renderFailures(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}" ${failures}>`,
    ...suites.flatMap(({ file, cases }) => [
      `  <testsuite name="${escapeXml(file)}" file="${escapeXml(file)}" ${renderCounts(cases)}>`,
      ...cases.map(({ text }) => text),
      "  </testsuite>",
    ]),
    "</testsuites>\n",
  ].join("\n");
}

interface Case {
  readonly outcome: "passed" | "failed" | "skipped" | "unread";
  readonly text: string;
}

function renderSuite(
  file: string,
  diagnostics: readonly Diagnostic[],
  silenced: readonly SilencedFinding[],
  unread: readonly UnreadablePage[],
): { readonly file: string; readonly cases: readonly Case[] } {
  const isHere = ({ span }: Diagnostic) => span.source.path === file;
  const found = diagnostics.filter(isHere).map(renderFailedCase);
  const skipped = silenced.filter(({ diagnostic }) => isHere(diagnostic)).map(renderSkippedCase);
  const lost = unread.filter((each) => each.file === file).map(renderUnreadCase);
  const cases = [...lost, ...found, ...skipped];
  const none: Case = { outcome: "passed", text: `    <testcase classname="${escapeXml(file)}" name="no findings"/>` };
  return { file, cases: cases.length === 0 ? [none] : cases };
}

function renderFailedCase(diagnostic: Diagnostic): Case {
  const { severity, message, because, help } = diagnostic;
  const words = [
    `${placeOf(diagnostic.span)}: ${message}`,
    `because: ${because}`,
    ...(help === undefined ? [] : [`help: ${help}`]),
  ];
  const failure = `<failure type="${severity}" message="${escapeXml(message)}">${escapeXml(words.join("\n"))}</failure>`;
  return { outcome: "failed", text: `    <testcase ${renderPlace(diagnostic)}>${failure}</testcase>` };
}

function renderUnreadCase({ file, reason }: UnreadablePage): Case {
  const error = `<error type="unread" message="${escapeXml(reason)}"/>`;
  return {
    outcome: "unread",
    text: `    <testcase classname="${escapeXml(file)}" name="not read">${error}</testcase>`,
  };
}

function renderSkippedCase({ diagnostic, reason }: SilencedFinding): Case {
  const skipped = `<skipped message="${escapeXml(reason)}"/>`;
  return { outcome: "skipped", text: `    <testcase ${renderPlace(diagnostic)}>${skipped}</testcase>` };
}

function renderPlace({ code, span }: Diagnostic): string {
  const { line, column } = span.source.position(span.start);
  return `classname="${escapeXml(span.source.path)}" name="${code} at ${line}:${column}"`;
}

function renderCounts(cases: readonly Case[]): string {
  return `${renderFailures(cases)} skipped="${count(cases, "skipped")}"`;
}

function renderFailures(cases: readonly Case[]): string {
  return `tests="${cases.length}" failures="${count(cases, "failed")}" errors="${count(cases, "unread")}"`;
}

function count(cases: readonly Case[], outcome: Case["outcome"]): number {
  return cases.filter((each) => each.outcome === outcome).length;
}

/**
 * Escapes text for XML, which cannot contain most control characters and two noncharacters. These characters are escaped, except for line
 * ends.
 */
function escapeXml(text: string): string {
  const lines = text.split("\n").map((line) => escapeInvisible(line).replace(/[\uFFFE\uFFFF]/g, spellCharacter));
  return lines.map((line) => line.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)).join("&#10;");
}

function spellCharacter(character: string): string {
  return `‹U+${character.charCodeAt(0).toString(16).toUpperCase()}›`;
}
