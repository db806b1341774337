// Renders SARIF 2.1.0, a format that editors and the code scanning of forges read. Every code becomes a rule with its
// documentation, and every finding becomes a result. The fix of a finding becomes the fix of its result. The log
// contains no times and no run ids, so the same findings give the same bytes.

import type { Diagnostic, Fix } from "../../../lang/diagnostics/index.ts";
import { compareCodeUnits, type Span } from "../../../lang/text/index.ts";
import type { CodePage, Findings, UnreadablePage } from "./findings.ts";

/**
 * Returns a value for `JSON.stringify`. The value contains silenced findings as suppressed results, with their reasons.
 */
export function createSarifLog({ version, diagnostics, silenced, pages, unread = [] }: Findings): object {
  const codes = new Set([...diagnostics, ...silenced.map(({ diagnostic }) => diagnostic)].map(({ code }) => code));
  const rules = pages
    .filter(({ code }) => codes.has(code))
    .sort((left, right) => compareCodeUnits(left.code, right.code));
  const createResult = (diagnostic: Diagnostic): object => ({
    ruleIndex: rules.findIndex(({ code }) => code === diagnostic.code),
    ...convertResult(diagnostic),
  });
  const suppressed = silenced.map(({ diagnostic, reason }) => ({
    ...createResult(diagnostic),
    suppressions: [{ kind: "inSource", justification: reason }],
  }));
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "capc", semanticVersion: version, rules: rules.map(convertRule) } },
        ...(unread.length === 0 ? {} : { invocations: [createFailedInvocation(unread)] }),
        columnKind: "utf16CodeUnits",
        results: [...diagnostics.map(createResult), ...suppressed],
      },
    ],
  };
}

/**
 * Returns the part of the log (`invocation`) that states that lint could not read some pages. Without it, a log without
 * results would mean that these pages have no mistakes.
 */
function createFailedInvocation(unread: readonly UnreadablePage[]): object {
  const notes = unread.map(({ reason }) => ({ level: "error", message: { text: reason } }));
  return { executionSuccessful: false, toolExecutionNotifications: notes };
}

function convertRule({ code, severity, because, readme }: CodePage): object {
  const reason = because.join(" ");
  return {
    id: code,
    shortDescription: { text: code.replaceAll("-", " ") },
    fullDescription: { text: reason },
    help: { text: reason, markdown: readme ?? reason },
    defaultConfiguration: { level: severity },
  };
}

function convertResult(diagnostic: Diagnostic): object {
  const { code, severity, message, help, span, fix, related } = diagnostic;
  return {
    ruleId: code,
    level: severity,
    message: { text: help === undefined ? message : `${message}; ${help}` },
    locations: [createLocation(span)],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((each, index) => ({
            id: index + 1,
            ...createLocation(each.span),
            message: { text: each.message },
          })),
        }),
    ...(fix === undefined ? {} : { fixes: [fixAsSarif(fix, help ?? message)] }),
  };
}

function createLocation(span: Span): object {
  return { physicalLocation: { artifactLocation: createArtifact(span), region: createRegion(span) } };
}

function fixAsSarif({ span, replacement }: Fix, words: string): object {
  const replaced = { deletedRegion: createRegion(span), insertedContent: { text: replacement } };
  return {
    description: { text: words },
    artifactChanges: [{ artifactLocation: createArtifact(span), replacements: [replaced] }],
  };
}

/** Returns a relative reference by RFC 3986, because the name of a file may contain characters with a meaning in URIs. */
function createArtifact({ source }: Span): object {
  const path = source.path.split("/").map(encodeURIComponent).join("/");
  return { uri: source.path.startsWith("/") ? `file://${path}` : path };
}

function createRegion({ source, start, end }: Span): object {
  const from = source.position(start);
  const to = source.position(end);
  return { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column };
}
