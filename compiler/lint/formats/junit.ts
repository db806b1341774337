import { type Diagnostic, visible } from "../../../lang/diagnostics/index.ts";
import { byCodeUnits } from "../../../lang/text/index.ts";
import type { Silenced } from "../lint.ts";

/** What was looked at, and what was found there. */
export interface LookedAt {
  /** As findings name them; those without a finding too. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: readonly Silenced[];
}

/**
 * JUnit's XML, which CI services draw as tests: a suite for each file, a failed test for each finding, a skipped one for what is
 * silenced, and one that passed where nothing was found. No times: the same findings give the same bytes.
 */
export function junitText({ files, diagnostics, silenced }: LookedAt): string {
  const named = [...diagnostics, ...silenced.map(({ diagnostic }) => diagnostic)].map(({ span }) => span.source.path);
  const suites = [...new Set([...files, ...named])]
    .sort(byCodeUnits)
    .map((file) => suiteOf(file, diagnostics, silenced));
  const all = counts(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="capc lint" ${all}>`,
    ...suites.flatMap(({ file, cases }) => [
      `  <testsuite name="${escaped(file)}" ${counts(cases)}>`,
      ...cases.map(({ text }) => text),
      "  </testsuite>",
    ]),
    "</testsuites>\n",
  ].join("\n");
}

interface Case {
  readonly outcome: "passed" | "failed" | "skipped";
  readonly text: string;
}

function suiteOf(
  file: string,
  diagnostics: readonly Diagnostic[],
  silenced: readonly Silenced[],
): { readonly file: string; readonly cases: readonly Case[] } {
  const isHere = ({ span }: Diagnostic) => span.source.path === file;
  const found = diagnostics.filter(isHere).map(failedCase);
  const skipped = silenced.filter(({ diagnostic }) => isHere(diagnostic)).map(skippedCase);
  const cases = [...found, ...skipped];
  const none: Case = { outcome: "passed", text: `    <testcase classname="${escaped(file)}" name="no findings"/>` };
  return { file, cases: cases.length === 0 ? [none] : cases };
}

function failedCase(diagnostic: Diagnostic): Case {
  const { severity, message, because, help } = diagnostic;
  const words = [message, `because: ${because}`, ...(help === undefined ? [] : [`help: ${help}`])];
  const failure = `<failure type="${severity}" message="${escaped(message)}">${escaped(words.join("\n"))}</failure>`;
  return { outcome: "failed", text: `    <testcase ${placed(diagnostic)}>${failure}</testcase>` };
}

function skippedCase({ diagnostic, reason }: Silenced): Case {
  const skipped = `<skipped message="${escaped(reason)}"/>`;
  return { outcome: "skipped", text: `    <testcase ${placed(diagnostic)}>${skipped}</testcase>` };
}

/** `line`: beyond what the format began with, and read by most services. */
function placed({ code, span }: Diagnostic): string {
  const file = escaped(span.source.path);
  const { line, column } = span.source.position(span.start);
  return `classname="${file}" name="${code} at ${line}:${column}" file="${file}" line="${line}"`;
}

function counts(cases: readonly Case[]): string {
  const count = (outcome: Case["outcome"]) => cases.filter((each) => each.outcome === outcome).length;
  return `tests="${cases.length}" failures="${count("failed")}" errors="0" skipped="${count("skipped")}"`;
}

/** XML has no way to say most control characters: they are spelt out, line ends apart. */
function escaped(text: string): string {
  const lines = text.split("\n").map(visible);
  return lines.map((line) => line.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)).join("&#10;");
}
