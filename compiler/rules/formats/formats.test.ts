import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { type Diagnostic, defineDiagnostic } from "../../../lang/diagnostics/index.ts";
import { createSourceText, makeSpan } from "../../../lang/text/index.ts";
import { renderGithub } from "./github.ts";
import { renderJunit } from "./junit.ts";
import { createSarifLog } from "./sarif.ts";

const SCHEMA = new URL("testing/sarif-2.1.0-rtm.5.schema", import.meta.url);
/** Schema of Jenkins' xunit plugin, unchanged and with its licence. */
const JUNIT = new URL("testing/junit-10.xsd", import.meta.url);

const oddName = defineDiagnostic<{ name: string }>({
  code: "odd-name",
  severity: "warning",
  say: ({ name }) => `'${name}' is an odd name`,
  because: "100% of readers stumble:\nthey do.",
  help: () => "choose another",
});
const lost = defineDiagnostic<object>({ code: "lost", severity: "error", say: () => "lost", because: "It is." });

const page = createSourceText("my pages/a,b:c.cap", "one two\nthree 'ä😀' four\n");
const at = (start: number, end: number) => makeSpan(page, start, end);

const FOUND: readonly Diagnostic[] = [
  oddName.at(
    at(8, 13),
    { name: "thr%ee\r\n::error::x" },
    { fix: { span: at(8, 13), replacement: "3" }, related: [{ span: at(0, 3), message: "the first" }] },
  ),
  lost.at(at(4, 20), {}),
];
const PAGES = [oddName, lost].map(({ code, severity, because }) => ({ code, severity, because: [because] }));
const SILENCED = [{ diagnostic: oddName.at(at(0, 3), { name: "one" }), reason: "it is the first" }];
const LOG = createSarifLog({ version: "1.2.3", diagnostics: FOUND, silenced: SILENCED, pages: PAGES });

/**
 * Returns a validator for SARIF. Ajv supports only later drafts, so the schema's two keywords of draft-04, `$schema` and `id`, are removed.
 */
function sarifValidator() {
  const bytes = readFileSync(SCHEMA);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(
    "2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8",
  );
  const { $schema, id, ...schema } = JSON.parse(bytes.toString());
  expect([$schema, id].every((word) => typeof word === "string")).toBe(true);
  return new Ajv({ strict: false, validateFormats: false, allErrors: true, unicodeRegExp: false }).compile(schema);
}

test("a log with or without findings is valid in the published schema of SARIF 2.1.0", () => {
  const validate = sarifValidator();
  for (const log of [LOG, createSarifLog({ version: "1.2.3", diagnostics: [], silenced: [], pages: [] })]) {
    validate(log);
    expect(validate.errors ?? []).toEqual([]);
  }
});

test("the schema refuses an object that is not a SARIF log", () => {
  const validate = sarifValidator();
  expect(validate({ ...LOG, version: "2.0.0" })).toBe(false);
  expect(validate({ version: "2.1.0", runs: [{ tool: { driver: {} } }] })).toBe(false);
});

test("a log contains positions, rules, fixes and related locations", () => {
  const uri = "my%20pages/a%2Cb%3Ac.cap";
  expect(LOG).toMatchObject({
    runs: [
      {
        tool: { driver: { rules: [{ id: "lost" }, { id: "odd-name" }] } },
        columnKind: "utf16CodeUnits",
        results: [
          {
            ruleId: "odd-name",
            ruleIndex: 1,
            level: "warning",
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri },
                  region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 6 },
                },
              },
            ],
            relatedLocations: [{ message: { text: "the first" } }],
            fixes: [{ artifactChanges: [{ replacements: [{ insertedContent: { text: "3" } }] }] }],
          },
          { ruleId: "lost", ruleIndex: 0, level: "error" },
          { ruleId: "odd-name", suppressions: [{ kind: "inSource", justification: "it is the first" }] },
        ],
      },
    ],
  });
});

test("an annotation is one line, and text of the page cannot end or extend it", () => {
  const lines = renderGithub(FOUND).trimEnd().split("\n");
  expect(lines).toEqual([
    "::warning file=my pages/a%2Cb%3Ac.cap,line=2,endLine=2,col=1,endColumn=6,title=odd-name" +
      "::'thr%25ee%0D%0A::error::x' is an odd name%0Abecause: 100%25 of readers stumble:%0Athey do.%0Ahelp: choose another",
    "::error file=my pages/a%2Cb%3Ac.cap,line=1,endLine=2,title=lost::lost%0Abecause: It is.",
  ]);
});

/** Returns the errors that libxml2 reports for a text under the schema of Jenkins. */
async function schemaErrors(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: "report.xml", contents: xml }],
    schema: [{ fileName: "junit-10.xsd", contents: readFileSync(JUNIT) }],
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

test("the JUnit report has a suite for each file, a failed test for each finding, and a skipped test for each silenced finding", async () => {
  const xml = renderJunit({
    name: "capc lint",
    files: ["good.cap", page.path],
    diagnostics: FOUND,
    silenced: SILENCED,
  });
  const at = 'classname="my pages/a,b:c.cap" name="';
  expect(xml.split("\n")).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="capc lint" tests="4" failures="2" errors="0">',
    '  <testsuite name="good.cap" file="good.cap" tests="1" failures="0" errors="0" skipped="0">',
    '    <testcase classname="good.cap" name="no findings"/>',
    "  </testsuite>",
    '  <testsuite name="my pages/a,b:c.cap" file="my pages/a,b:c.cap" tests="3" failures="2" errors="0" skipped="1">',
    `    <testcase ${at}odd-name at 2:1"><failure type="warning" message="'thr%ee‹U+000D›&#10;::error::x' is an odd name">` +
      "my pages/a,b:c.cap:2:1: 'thr%ee‹U+000D›&#10;::error::x' is an odd name&#10;" +
      "because: 100% of readers stumble:&#10;they do.&#10;help: choose another</failure></testcase>",
    `    <testcase ${at}lost at 1:5"><failure type="error" message="lost">` +
      "my pages/a,b:c.cap:1:5: lost&#10;because: It is.</failure></testcase>",
    `    <testcase ${at}odd-name at 1:1"><skipped message="it is the first"/></testcase>`,
    "  </testsuite>",
    "</testsuites>",
    "",
  ]);
  expect(await schemaErrors(xml)).toEqual([]);
});

test("an unreadable page is one line in each format, and is not a finding", async () => {
  const unread = [{ file: "no\npage.cap", reason: "no\npage.cap%0A::error::x does not exist" }];
  const all = { diagnostics: [], silenced: [], unread };
  const xml = renderJunit({ name: "capc check", files: ["good.cap", "no\npage.cap"], ...all });
  expect(await schemaErrors(xml)).toEqual([]);
  expect(xml).toContain('tests="2" failures="0" errors="1"');
  expect(xml).toContain('name="not read"><error type="unread" message="no&#10;page.cap%0A::error::x does not exist"/>');
  expect(renderGithub([], unread)).toBe("::error title=capc::no%0Apage.cap%250A::error::x does not exist\n");
  const log = createSarifLog({ version: "1.2.3", pages: [], ...all });
  const validate = sarifValidator();
  expect(validate(log)).toBe(true);
  expect(log).toMatchObject({
    runs: [
      { results: [], invocations: [{ executionSuccessful: false, toolExecutionNotifications: [{ level: "error" }] }] },
    ],
  });
});

test("the JUnit schema refuses unknown attributes and malformed XML", async () => {
  const xml = renderJunit({ name: "capc lint", files: ["good.cap"], diagnostics: [], silenced: [] });
  expect(await schemaErrors(xml)).toEqual([]);
  expect(await schemaErrors(xml.replace("<testcase ", '<testcase line="1" '))).not.toEqual([]);
  expect(await schemaErrors(xml.replace("</testsuites>", ""))).not.toEqual([]);
});

const NASTY = `</testcase>]]>&#10;&amp;"'\u0000\u001b[2J\ud800\u2028\ufffe\uffff`;

test("the JUnit report stays well-formed, whatever text the page contains", async () => {
  const found = oddName.at(makeSpan(createSourceText(`${NASTY}.cap`, "x"), 0, 1), { name: NASTY });
  const xml = renderJunit({
    name: NASTY,
    files: [],
    diagnostics: [found],
    silenced: [{ diagnostic: found, reason: NASTY }],
  });
  expect(await schemaErrors(xml)).toEqual([]);
  expect(xml).toContain("&#38;#10;&#38;amp;");
  expect(xml).toContain("‹U+FFFE›‹U+FFFF›");
});

test("an annotation begins with its command and stays one line of plain text, whatever text the page contains", () => {
  // The annotation has a line break only at its end and no control characters, and its `file` contains neither `:` nor `,`.
  const annotation = /^::warning file=[^,:]*,line=1,endLine=1,col=1,endColumn=2,title=odd-name::[^\p{Cc}]*\n$/u;
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (path, name) =>
      annotation.test(renderGithub([oddName.at(makeSpan(createSourceText(path, "x"), 0, 1), { name })])),
    ),
  );
  expect(renderGithub([oddName.at(at(0, 3), { name: NASTY })])).toContain("‹U+001B›[2J");
});
