import { type Diagnostic, visible } from "../../../lang/diagnostics/index.ts";
import { byCodeUnits, placeOf } from "../../../lang/text/index.ts";
import type { Silenced } from "../silence.ts";
import type { Unread } from "./findings.ts";

/** What was looked at, and what was found there. */
interface LookedAt {
  /** What has looked: `capc lint`. */
  readonly name: string;
  /** As findings name them; those without a finding too. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: readonly Silenced[];
  readonly unread?: readonly Unread[];
}

/**
 * JUnit's XML, which CI services draw as tests: a suite for each file, a failed test for each finding, a skipped one for what is
 * silenced, one that is in error where a page could not be read, and one that passed where nothing was found. No times: the same findings give the same bytes. Only attributes that
 * the schema of Jenkins knows, which is the strictest reader: of a place a test has its name alone.
 */
export function junitText({ name, files, diagnostics, silenced, unread = [] }: LookedAt): string {
  const named = [...diagnostics, ...silenced.map(({ diagnostic }) => diagnostic)].map(({ span }) => span.source.path);
  const suites = [...new Set([...files, ...named])]
    .sort(byCodeUnits)
    .map((file) => suiteOf(file, diagnostics, silenced, unread));
  const failures = failed(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(name)}" ${failures}>`,
    ...suites.flatMap(({ file, cases }) => [
      `  <testsuite name="${escaped(file)}" file="${escaped(file)}" ${counts(cases)}>`,
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

function suiteOf(
  file: string,
  diagnostics: readonly Diagnostic[],
  silenced: readonly Silenced[],
  unread: readonly Unread[],
): { readonly file: string; readonly cases: readonly Case[] } {
  const isHere = ({ span }: Diagnostic) => span.source.path === file;
  const found = diagnostics.filter(isHere).map(failedCase);
  const skipped = silenced.filter(({ diagnostic }) => isHere(diagnostic)).map(skippedCase);
  const lost = unread.filter((each) => each.file === file).map(unreadCase);
  const cases = [...lost, ...found, ...skipped];
  const none: Case = { outcome: "passed", text: `    <testcase classname="${escaped(file)}" name="no findings"/>` };
  return { file, cases: cases.length === 0 ? [none] : cases };
}

function failedCase(diagnostic: Diagnostic): Case {
  const { severity, message, because, help } = diagnostic;
  const words = [
    `${placeOf(diagnostic.span)}: ${message}`,
    `because: ${because}`,
    ...(help === undefined ? [] : [`help: ${help}`]),
  ];
  const failure = `<failure type="${severity}" message="${escaped(message)}">${escaped(words.join("\n"))}</failure>`;
  return { outcome: "failed", text: `    <testcase ${placed(diagnostic)}>${failure}</testcase>` };
}

function unreadCase({ file, reason }: Unread): Case {
  const error = `<error type="unread" message="${escaped(reason)}"/>`;
  return { outcome: "unread", text: `    <testcase classname="${escaped(file)}" name="not read">${error}</testcase>` };
}

function skippedCase({ diagnostic, reason }: Silenced): Case {
  const skipped = `<skipped message="${escaped(reason)}"/>`;
  return { outcome: "skipped", text: `    <testcase ${placed(diagnostic)}>${skipped}</testcase>` };
}

function placed({ code, span }: Diagnostic): string {
  const { line, column } = span.source.position(span.start);
  return `classname="${escaped(span.source.path)}" name="${code} at ${line}:${column}"`;
}

function counts(cases: readonly Case[]): string {
  return `${failed(cases)} skipped="${count(cases, "skipped")}"`;
}

function failed(cases: readonly Case[]): string {
  return `tests="${cases.length}" failures="${count(cases, "failed")}" errors="${count(cases, "unread")}"`;
}

function count(cases: readonly Case[], outcome: Case["outcome"]): number {
  return cases.filter((each) => each.outcome === outcome).length;
}

/** XML has no way to say most control characters, nor two that are none: they are spelt out, line ends apart. */
function escaped(text: string): string {
  const lines = text.split("\n").map((line) => visible(line).replace(/[\uFFFE\uFFFF]/g, spelt));
  return lines.map((line) => line.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)).join("&#10;");
}

function spelt(character: string): string {
  return `‹U+${character.charCodeAt(0).toString(16).toUpperCase()}›`;
}
