// What is told of settings, and that the page lets nothing through that they do not.

import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedSource } from "../../lang/grammar/index.ts";
import { compile } from "../compile.ts";
import { memoryHost } from "../source/index.ts";
import { importClaude } from "./index.ts";

function imported(settings: unknown) {
  const bounded = boundedSource("settings.json", Buffer.from(JSON.stringify(settings, undefined, 2)));
  if (!bounded.ok) throw new Error("not text");
  return importClaude(bounded.source);
}

/** Codes with the words that they stand at. */
function told(settings: unknown): string[] {
  const result = imported(settings);
  const found = result.ok ? result.findings : result.diagnostics;
  return found.map(({ code, span: { source, start, end } }) => `${code} ${source.text.slice(start, end)}`);
}

const rules = (list: string, ...texts: string[]) => ({ permissions: { [list]: texts } });

test.each([
  ["deny", "Write(src/**)", "Edit(src/**)"],
  ["deny", "Glob(**/.env)", "Read(**/.env)"],
  ["allow", "mcp__github__get(owner:me)", "mcp__github__get"],
  ["allow", "mcp__*", "mcp__SERVER__*"],
  ["allow", "B*", "mcp__SERVER__*"],
  ["deny", "Bash(command:rm *)", "Bash(rm *)"],
  ["deny", "WebFetch(https://a.example)", "domain:HOST"],
  ["allow", "not a rule", "Tool"],
])("%s %s is inert, and what to write is told", (list, text, instead) => {
  const result = imported(rules(list, text));
  if (!result.ok) throw new Error("refused");
  const found = result.findings.filter(({ code }) => code === "settings-rule-inert");
  expect(found.map(({ help }) => help)).toEqual([expect.stringContaining(instead)]);
});

test.each([
  [{ deny: ["Bash(aws *)", "Bash"], allow: ["Bash(aws s3 ls)"] }, 'settings-rule-inert "Bash(aws s3 ls)"'],
  [{ ask: ["Edit"], allow: ["Edit(src/**)"] }, 'settings-rule-inert "Edit(src/**)"'],
  [{ allow: ["Read", "Read"] }, 'settings-rule-inert "Read"'],
  [{ deny: ["mcp__github"], allow: ["mcp__github__get"] }, 'settings-rule-inert "mcp__github__get"'],
])("%j: what another rule goes before is inert", (permissions, finding) => {
  expect(told({ permissions })).toContain(finding);
});

test.each([
  "Bash",
  "Bash(*)",
  "Bash(:*)",
  "Bash(python3 *)",
  "Bash(npx:*)",
  "Bash(git * main)",
  "Bash(ls*)",
  "Bash(npm run *)",
  "Bash(curl *)",
  "WebFetch",
  "WebFetch(domain:*)",
  "Edit",
  "Write",
  "Edit(//**)",
  "Read(~/**)",
  "mcp__github",
  "mcp__github__*",
])("allow %s is dangerous", (text) =>
  expect(told(rules("allow", text))).toContain(`settings-rule-dangerous ${JSON.stringify(text)}`),
);

test.each([
  "Bash(git log *)",
  "Bash(npm test)",
  "Bash(npm run test:*)",
  "Read",
  "Edit(src/**)",
  "WebFetch(domain:a.example)",
  "mcp__github__get_issue",
])("allow %s is neither inert nor dangerous", (text) =>
  expect(told(rules("allow", text)).filter((one) => !one.startsWith("settings-unsayable"))).toEqual([]),
);

test("a pattern of many wildcards is judged at once", () => {
  expect(told(rules("allow", `Read(//${"*".repeat(5000)}x)`))).not.toContainEqual(expect.stringMatching(/dangerous/));
});

test("what is easily got around is told", () => {
  expect(told({ permissions: { deny: ["Bash(curl *)", "Read(./.env)"], allow: ["Bash(cat *)"] } })).toEqual(
    expect.arrayContaining(['settings-deny-passable "Bash(curl *)"', 'settings-deny-passable "Read(./.env)"']),
  );
});

test.each([
  [{ permissions: { defaultMode: "bypassPermissions" } }],
  [{ hooks: { PreToolUse: [{}] } }],
  [{ enableAllProjectMcpServers: true }],
  [{ sandbox: { enabled: false } }],
  [{ sandbox: { excludedCommands: ["docker"] } }],
])("%j opens what rules close", (settings) => {
  expect(told(settings).some((one) => one.startsWith("settings-open "))).toBe(true);
});

test.each([[[]], ["x"], [{ permissions: [] }], [{ permissions: { allow: "Bash" } }], [{ permissions: { deny: [1] } }]])(
  "%j is refused as a whole",
  (settings) => expect(told(settings)).toEqual([expect.stringContaining("not-settings")]),
);

async function modes(settings: unknown): Promise<string> {
  const result = imported(settings);
  if (!result.ok) throw new Error("refused");
  const { policy, diagnostics } = await compile(memoryHost({ "/system.cap": result.page }), "/system.cap", {
    purpose: "check",
  });
  expect({ page: result.page, found: diagnostics.map(({ code, message }) => `${code}: ${message}`) }).toEqual({
    page: result.page,
    found: [],
  });
  return policy?.tables.rules.map(({ words }) => words).join("\n") ?? "";
}

test.each([
  [{}, "auto Files.read", "consent Files.write"],
  [{ permissions: { defaultMode: "acceptEdits" } }, "auto Files.read", "auto Files.write"],
  [{ permissions: { defaultMode: "plan", allow: ["Edit"] } }, "auto Files.read", "forbidden Files.write"],
  [{ permissions: { defaultMode: "plan", ask: ["Edit"] } }, "auto Files.read", "forbidden Files.write"],
  [{ permissions: { defaultMode: "dontAsk", ask: ["Read", "Edit"] } }, "forbidden Files.read", "forbidden Files.write"],
  [
    { permissions: { defaultMode: "dontAsk", ask: ["Edit(src/**)"], allow: ["Edit"] } },
    "auto Files.read",
    'forbidden Files.write where path under "/src" else auto',
  ],
  [{ permissions: { deny: ["Glob"] } }, "auto Files.read", "forbidden Files.list"],
  [{ permissions: { deny: ["*"] } }, "forbidden Files.read", "forbidden Files.write"],
  [{ permissions: { deny: ["Read(**/.env)"] } }, "forbidden Files.read", "consent Files.write"],
  [
    { permissions: { deny: ["Read(secrets/**)"], allow: ["Edit"] } },
    'forbidden Files.read where path under "/secrets" else auto',
    "auto Files.write",
  ],
  [{ permissions: { deny: ["Read(./.env)"] } }, 'forbidden Files.read where path under "/.env" else auto', "consent"],
  [{ permissions: { ask: ["Read(.env)"] } }, "consent Files.read", "consent Files.write"],
  [{ permissions: { allow: ["Edit(src/**)"] } }, "auto Files.read", "consent Files.write"],
])("%j becomes a page that compiles", async (settings, read, write) => {
  const words = await modes(settings);
  expect(words).toContain(read);
  expect(words).toContain(write);
});

const anyRule = fc.oneof(
  fc.constantFrom(
    "Read",
    "Edit",
    "Write",
    "*",
    "Re*",
    "Read(a/**)",
    "Read(a/b/**)",
    "Edit(./a/**)",
    "Edit(*.ts)",
    "Bash(ls *)",
    "mcp__a",
  ),
  fc.string({ maxLength: 12 }),
);
const anyList = fc.array(anyRule, { maxLength: 4 });

test("any rules become a page that compiles", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        allow: anyList,
        ask: anyList,
        deny: anyList,
        defaultMode: fc.constantFrom("default", "plan", "acceptEdits", "dontAsk", "auto"),
      }),
      async (permissions) => void (await modes({ permissions })),
    ),
    { numRuns: 25 },
  );
});

test("any bytes are read or refused", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.object().map((value) => JSON.stringify({ permissions: value })),
      ),
      (text) => {
        const bounded = boundedSource("settings.json", Buffer.from(text));
        if (bounded.ok) expect(typeof importClaude(bounded.source).ok).toBe("boolean");
      },
    ),
  );
});
