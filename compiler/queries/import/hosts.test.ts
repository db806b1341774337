// Tests the imports of settings of Codex, Gemini CLI and OpenClaw. The settings must become the expected page, and no
// page may allow a call that its settings deny.

import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeSource } from "../../../lang/grammar/index.ts";
import { compile } from "../../compile.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import type { ImportedSettings } from "./imported.ts";
import { importClaude, importCodex, importGemini, importOpenclaw } from "./index.ts";

const IMPORTERS = {
  claude: { name: "settings.json", run: importClaude },
  codex: { name: "config.toml", run: importCodex },
  "codex-rules": { name: "default.rules", run: importCodex },
  gemini: { name: "settings.json", run: importGemini },
  "gemini-rules": { name: "policy.toml", run: importGemini },
  openclaw: { name: "openclaw.json", run: importOpenclaw },
} as const;
type Importer = keyof typeof IMPORTERS;

function imported(importer: Importer, text: string): ImportedSettings {
  const { name, run } = IMPORTERS[importer];
  const bounded = decodeSource(name, Buffer.from(text));
  if (!bounded.ok) throw new Error("not text");
  return run(bounded.source);
}

function importWhole(importer: Importer, text: string): Extract<ImportedSettings, { ok: true }> {
  const result = imported(importer, text);
  if (!result.ok) throw new Error(result.diagnostics[0]?.message);
  return result;
}

/** Compiles a page and returns its rules, one in a line. */
async function compileRules(page: string): Promise<readonly string[]> {
  const host = createMemoryHost({ "/system.cap": page });
  const { policy, diagnostics } = await compile(host, "/system.cap", { purpose: "check" });
  expect({ page, found: diagnostics.map(({ code, message }) => `${code}: ${message}`) }).toEqual({ page, found: [] });
  return policy?.tables.rules.map(({ words }) => words) ?? [];
}

test.each<[Importer, string, string[]]>([
  ["codex", "", ["auto Files.read", "consent Files.write", "forbidden Files.delete"]],
  [
    "codex",
    'sandbox_mode = "workspace-write"',
    ["forbidden Files.delete", 'consent Files.write where path under "/.git" else auto'],
  ],
  ["codex", 'sandbox_mode = "read-only"\napproval_policy = "never"', ["forbidden Files.write"]],
  ["codex", 'sandbox_mode = "workspace-write"\napproval_policy = "untrusted"', ["consent Files.write"]],
  [
    "codex",
    'profile = "a"\nsandbox_mode = "workspace-write"\n[profiles.a]\nsandbox_mode = "read-only"',
    ["consent Files.write"],
  ],
  ["codex", 'sandbox_mode = "workspace-write"\nsandbox_workspace_write.network_access = true', ["consent Fetch.get"]],
  ["codex", "approval_policy = { granular = { sandbox_approval = false } }", ["forbidden Files.write"]],
  ["codex", 'default_permissions = "x"\n[permissions.x.filesystem]\n"/" = "deny"', ["forbidden Files.read"]],
  ["codex", 'default_permissions = "x"\n[permissions.x.filesystem]\n"/" = "read"', ["auto Files.read"]],
  ["codex", 'default_permissions = "x"\n[permissions.x.filesystem]\n":minimal" = "read"', ["forbidden Files.read"]],
  [
    "codex",
    'default_permissions = "x"\n[permissions.x.filesystem.":project_roots"]\n"." = "write"\nkeys = "read"',
    ["auto Files.read"],
  ],
  [
    "codex",
    'default_permissions = "x"\n[permissions.x.filesystem.":project_roots"]\nsrc = "write"',
    ["forbidden Files.read"],
  ],
  [
    "codex",
    'default_permissions = ":workspace"',
    ["auto Files.read", 'consent Files.write where path under "/.git" else auto'],
  ],
  [
    "codex-rules",
    `prefix_rule(pattern = ["date"])  # unasked\nprefix_rule(pattern=[["rm", "unlink"]], decision="prompt",)`,
    ["auto Clock.now", "consent Files.delete", "consent Files.write"],
  ],
  [
    "codex-rules",
    `prefix_rule(pattern = ['date'])\nprefix_rule(pattern = ["date", "-s"], decision = "forbidden")`,
    ["auto Files.read", "forbidden Files.delete"],
  ],
  ["gemini", "{}", ["auto Files.read", "auto Files.list", "consent Files.write"]],
  ["gemini", '{ "general": { "defaultApprovalMode": "auto_edit" } }', ["auto Files.write"]],
  ["gemini", '{ "general": { "defaultApprovalMode": "plan" } }', ["forbidden Files.write"]],
  [
    "gemini",
    '{ "tools": { "exclude": ["read_file"], "allowed": ["write_file"] } } // why',
    ["forbidden Files.read", "auto Files.write"],
  ],
  [
    "gemini",
    '{ "tools": { "core": ["read_file", "write_file"] } }',
    ["auto Files.read", "forbidden Files.list", "consent Files.write"],
  ],
  [
    "gemini",
    '{ "coreTools": ["read_file"], "excludeTools": ["ReadFileTool"] }',
    ["forbidden Files.read", "forbidden Files.write"],
  ],
  [
    "gemini",
    '{ "tools": { "allowed": ["web_fetch", "run_shell_command(date)", "run_shell_command(rm)"] } }',
    ["auto Fetch.get", "auto Clock.now", "consent Files.delete"],
  ],
  [
    "gemini",
    '{ "tools": { "allowed": ["write_file"], "confirmationRequired": ["write_file"] } }',
    ["consent Files.write"],
  ],
  [
    "gemini-rules",
    '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 1',
    ["auto Files.write", "auto Files.read"],
  ],
  [
    "gemini-rules",
    '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 1\n[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 0',
    ["auto Files.write", "forbidden Files.read"],
  ],
  [
    "gemini-rules",
    '[[rule]]\ntoolName = "write_file"\nargsPattern = "x"\ndecision = "deny"\npriority = 9\n[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 1',
    ["forbidden Files.write"],
  ],
  [
    "gemini-rules",
    '[[rule]]\ncommandPrefix = ["date", "git"]\ndecision = "allow"\npriority = 9\n[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 0',
    ["auto Clock.now", "forbidden Files.write"],
  ],
  // A rule that names no tool applies to all tools.
  [
    "gemini-rules",
    '[[rule]]\ndecision = "deny"\npriority = 1',
    ["forbidden Files.read", "forbidden Files.list", "forbidden Files.write"],
  ],
  [
    "gemini-rules",
    '[[rule]]\nargsPattern = "x"\ndecision = "ask_user"\npriority = 1',
    ["consent Files.read", "consent Files.write"],
  ],
  ["openclaw", "{}", ["auto Files.read", "auto Files.write", "auto Fetch.get"]],
  ["openclaw", "{ tools: { profile: 'coding', deny: ['group:web'] } }", ["auto Files.write"]],
  ["openclaw", "{ tools: { profile: 'minimal', alsoAllow: ['Read'] } }", ["auto Files.read", "forbidden Files.write"]],
  ["openclaw", "{ tools: { deny: ['edit'] } }", ["forbidden Files.write"]],
  ["openclaw", "{ tools: { allow: ['*'], byProvider: { a: { deny: ['read'] } } } }", ["forbidden Files.read"]],
  [
    "openclaw",
    "{ agents: { list: [{ id: 'a' }, { id: 'b', default: true, tools: { allow: ['read'] } }] } }",
    ["auto Files.read", "forbidden Files.write"],
  ],
  [
    "openclaw",
    "{ agents: { defaults: { sandbox: { mode: 'all', workspaceAccess: 'rw' } } }, tools: { sandbox: { tools: { alsoAllow: ['web_fetch'] } } } }",
    ["auto Files.write", "auto Fetch.get"],
  ],
  [
    "openclaw",
    "{ agents: { defaults: { sandbox: { mode: 'all', workspaceAccess: 'ro' } } } }",
    ["auto Files.read", "forbidden Files.write"],
  ],
])("%s: %s becomes a page that compiles", async (importer, text, expected) => {
  const rules = await compileRules(importWhole(importer, text).page);
  for (const rule of expected) expect(rules).toContain(rule);
});

test("OpenClaw's sandbox does not allow web requests by default", () => {
  const settings = "{ agents: { defaults: { sandbox: { mode: 'all', workspaceAccess: 'rw' } } } }";
  expect(importWhole("openclaw", settings).page).not.toContain("Fetch.get");
});

test.each<[Importer, string, string]>([
  ["codex", "a = [", "not-settings"],
  ["codex-rules", "load('x', 'y')", "no name"],
  ["codex-rules", "x = 1", "only calls"],
  ["codex-rules", 'prefix_rule(pattern = ["a"], decision = "maybe")', "decision"],
  ["codex-rules", 'prefix_rule(pattern = "a")', "list of words"],
  ["codex-rules", `prefix_rule(pattern = ${"[".repeat(100)})`, "deeper"],
  ["gemini", "[]", "not-settings"],
  ["gemini-rules", '[[rule]]\ntoolName = "x"\ndecision = "maybe"\npriority = 1', "decision"],
  ["gemini-rules", '[[rule]]\ntoolName = "x"\ndecision = "deny"\npriority = 1000', "priority"],
  ["gemini-rules", '[[rule]]\ntoolName = 1\ndecision = "allow"\npriority = 1', "toolName is a text"],
  ["gemini-rules", '[[rule]]\ntoolName = []\ndecision = "allow"\npriority = 1', "toolName is a text"],
  ["gemini-rules", '[[rule]]\ncommandPrefix = [1]\ndecision = "allow"\npriority = 1', "commandPrefix is a text"],
  ["gemini-rules", '[[rule]]\nmcpName = ["gh"]\ndecision = "allow"\npriority = 1', "mcpName is a text"],
  ["gemini-rules", '[[rule]]\nmodes = "yolo"\ndecision = "allow"\npriority = 1', "modes is a list"],
  ["codex", '[mcp_servers.gh]\ndisabled_tools = "get"', "disabled_tools is a list"],
  ["gemini", '{ "tools": { "exclude": "read_file" } }', "exclude is a list"],
  ["gemini", '{ "excludeTools": [1] }', "excludeTools is a list"],
  ["gemini", '{ "mcp": { "excluded": "gh" } }', "excluded is a list"],
  ["gemini", '{ "mcpServers": { "gh": { "excludeTools": {} } } }', "excludeTools is a list"],
  ["openclaw", '{ tools: { deny: "write" } }', "deny is a list"],
  ["openclaw", "{ tools: { byProvider: { a: { deny: ['write', 1] } } } }", "deny is a list"],
  ["openclaw", '{ "$include": "./more.json5" }', "another file"],
  ["openclaw", `{ tools: { deny: ["$${"{WHAT}"}"] } }`, "variable"],
  ["openclaw", `{ tools: { deny: [${'"a",'.repeat(501)}] } }`, "more than 500"],
  ["openclaw", `{ a: ${"[".repeat(100)}${"]".repeat(100)} }`, "deeper"],
])("%s: %s is refused as a whole", (importer, text, reason) => {
  const result = imported(importer, text);
  const said = result.ok ? [] : result.diagnostics.map(({ code, message }) => `${code}: ${message}`);
  expect(said).toEqual([expect.stringContaining(reason)]);
});

const SERVERS: readonly [Importer, string, string, string][] = [
  ["codex", '[mcp_servers.gh]\ncommand = "gh"', "get", "consent"],
  ["codex", '[mcp_servers.gh]\ndefault_tools_approval_mode = "approve"', "get", "auto"],
  [
    "codex",
    '[mcp_servers.gh]\ndefault_tools_approval_mode = "approve"\ntools.get.approval_mode = "prompt"',
    "get",
    "consent",
  ],
  ["codex", 'approval_policy = "never"\n[mcp_servers.gh]\n', "get", "forbidden"],
  ["codex", '[mcp_servers.gh]\nenabled_tools = ["get"]\ntools.get.approval_mode = "approve"', "get", "auto"],
  ["codex", '[mcp_servers.gh]\nenabled_tools = ["list"]\ndefault_tools_approval_mode = "approve"', "get", "forbidden"],
  ["codex", '[mcp_servers.gh]\ndisabled_tools = ["get"]\ndefault_tools_approval_mode = "approve"', "get", "forbidden"],
  ["codex", '[mcp_servers.gh]\nenabled = false\ndefault_tools_approval_mode = "approve"', "get", "forbidden"],
  ["codex", "", "get", "forbidden"],
  ["gemini", '{ "mcpServers": { "gh": {} } }', "get", "consent"],
  ["gemini", '{ "mcpServers": { "gh": { "trust": true } } }', "get", "auto"],
  ["gemini", '{ "mcpServers": { "gh": { "trust": true, "excludeTools": ["get"] } } }', "get", "forbidden"],
  ["gemini", '{ "mcpServers": { "gh": { "trust": true, "includeTools": ["list"] } } }', "get", "forbidden"],
  ["gemini", '{ "mcpServers": { "gh": {} }, "tools": { "allowed": ["mcp_gh_get"] } }', "get", "auto"],
  ["gemini", '{ "mcpServers": { "gh": { "trust": true } }, "mcp": { "excluded": ["gh"] } }', "get", "forbidden"],
  ["gemini", '{ "mcpServers": { "gh": { "trust": true } }, "mcp": { "allowed": ["other"] } }', "get", "forbidden"],
  ["gemini", '{ "mcpServers": { "gh": { "trust": true } }, "tools": { "core": ["read_file"] } }', "get", "forbidden"],
  ["gemini-rules", '[[rule]]\nmcpName = "gh"\ntoolName = "get"\ndecision = "allow"\npriority = 5', "get", "auto"],
  ["gemini-rules", '[[rule]]\nmcpName = "gh"\ndecision = "deny"\npriority = 5', "get", "forbidden"],
  ["gemini-rules", '[[rule]]\ntoolName = "mcp_gh_*"\ndecision = "allow"\npriority = 5', "get", "auto"],
  ["gemini-rules", '[[rule]]\ndecision = "deny"\npriority = 5', "get", "forbidden"],
  ["openclaw", "{ mcp: { servers: { gh: {} } } }", "get", "auto"],
  ["openclaw", "{ mcp: { servers: { gh: {} } }, tools: { deny: ['gh__get'] } }", "get", "forbidden"],
  ["openclaw", "{ mcp: { servers: { gh: {} } }, tools: { deny: ['bundle-mcp'] } }", "get", "forbidden"],
  ["openclaw", "{ mcp: { servers: { gh: {} } }, tools: { profile: 'minimal', alsoAllow: ['gh__*'] } }", "get", "auto"],
  ["openclaw", "{ mcp: { servers: { gh: { enabled: false } } } }", "get", "forbidden"],
  ...(
    [
      ["{}", "forbidden"],
      ["{ alsoAllow: ['bundle-mcp'] }", "auto"],
      ["{ allow: ['gh__*'] }", "auto"],
      ["{ deny: ['exec'] }", "forbidden"],
    ] as const
  ).map(([tools, mode]): [Importer, string, string, string] => [
    "openclaw",
    `{ mcp: { servers: { gh: {} } }, agents: { defaults: { sandbox: { mode: 'all' } } }, tools: { sandbox: { tools: ${tools} } } }`,
    "get",
    mode,
  ]),
  ["claude", '{ "permissions": { "allow": ["mcp__gh__get"] } }', "get", "auto"],
  ["claude", '{ "permissions": { "allow": ["mcp__gh"], "deny": ["mcp__gh__get"] } }', "get", "forbidden"],
  ["claude", '{ "permissions": { "allow": ["mcp__gh__*"], "ask": ["mcp__*__get"] } }', "get", "consent"],
  ["claude", "{}", "get", "consent"],
];

test.each(SERVERS)("%s: %s: the tool %s of a server is %s", (importer, text, tool, mode) => {
  expect(importWhole(importer, text).policy.decideServerTool("gh", tool).mode).toBe(mode);
});

/** Names of tools for random rules. A page has some of these tools, but not all. */
const toolName = fc.constantFrom(
  "read_file",
  "write_file",
  "web_fetch",
  "list_directory",
  "replace",
  "*",
  "mcp_gh_get",
  "nothing",
);
const shell = fc.constantFrom(
  "run_shell_command",
  "run_shell_command(date)",
  "run_shell_command(rm -rf)",
  "ShellTool(echo)",
  "run_shell_command()",
);
const entries = fc.option(fc.array(fc.oneof(toolName, shell, fc.string({ maxLength: 6 })), { maxLength: 4 }), {
  nil: undefined,
});
const geminiSettings = fc.record(
  {
    tools: fc.record({ core: entries, exclude: entries, allowed: entries, confirmationRequired: entries }),
    general: fc.record({ defaultApprovalMode: fc.constantFrom("default", "plan", "auto_edit", "yolo", 1) }),
    excludeTools: entries,
  },
  { requiredKeys: ["tools"] },
);

test("whatever settings of Gemini CLI say, the page compiles, and no excluded tool runs", async () => {
  await fc.assert(
    fc.asyncProperty(geminiSettings, async (settings) => {
      const plain = JSON.parse(JSON.stringify(settings));
      const rules = await compileRules(importWhole("gemini", JSON.stringify(plain)).page);
      const excluded = new Set<string>([...(plain.tools.exclude ?? []), ...(plain.excludeTools ?? [])]);
      for (const [tool, method] of [
        ["read_file", "read"],
        ["write_file", "write"],
        ["list_directory", "list"],
      ] as const)
        if (excluded.has(tool) || excluded.has("*")) expect(rules).toContain(`forbidden Files.${method}`);
      if (excluded.has("web_fetch")) expect(rules.filter((rule) => rule.includes("Fetch.get"))).toEqual([]);
      if (excluded.has("run_shell_command")) expect(rules).toContain("forbidden Files.delete");
    }),
    { numRuns: 60 },
  );
});

const plainRule = {
  toolName: fc.oneof(toolName, fc.array(toolName, { minLength: 1, maxLength: 2 }), fc.constant("run_shell_command")),
  decision: fc.constantFrom("allow", "deny", "ask_user"),
  priority: fc.nat(5),
};
const engineRule = fc.oneof(
  { weight: 3, arbitrary: fc.record(plainRule) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        ...plainRule,
        commandPrefix: fc.constantFrom("date", "rm", ["echo", "git push"]),
        argsPattern: fc.constant("x"),
        modes: fc.constantFrom(["yolo"], ["default"], []),
      },
      { requiredKeys: ["toolName", "decision", "priority"] },
    ),
  },
);

/**
 * Returns the decision that the documented algorithm makes about a tool, for calls whose arguments meet no condition.
 */
function decideNaively(rules: readonly Record<string, unknown>[], tool: string): unknown {
  const fitting = rules.filter(
    (rule) =>
      rule["argsPattern"] === undefined &&
      rule["commandPrefix"] === undefined &&
      [rule["toolName"]].flat().some((name) => name === tool || name === "*") &&
      (rule["modes"] === undefined ||
        [rule["modes"]].flat().length === 0 ||
        [rule["modes"]].flat().includes("default")),
  );
  return fitting.sort((left, right) => Number(right["priority"]) - Number(left["priority"]))[0]?.["decision"];
}

test("whatever rules of Gemini CLI say, the page compiles, and is never looser than the first rule that matches", async () => {
  const decisions: unknown[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(engineRule, { maxLength: 6 }), async (rules) => {
      const text = rules
        .map(
          (rule) =>
            `[[rule]]\n${Object.entries(rule)
              .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
              .join("")}`,
        )
        .join("");
      const written = await compileRules(importWhole("gemini-rules", text).page);
      for (const [tool, method] of [
        ["read_file", "read"],
        ["write_file", "write"],
      ] as const) {
        const decision = decideNaively(rules, tool);
        decisions.push(decision);
        if (decision === "deny") expect(written).toContain(`forbidden Files.${method}`);
        if (decision === "ask_user") expect(written).not.toContain(`auto Files.${method}`);
      }
    }),
    { numRuns: 120 },
  );
  expect(decisions.filter((one) => one === "deny").length).toBeGreaterThan(5);
});

const entry = fc.constantFrom(
  "read",
  "write",
  "edit",
  "apply_patch",
  "web_fetch",
  "exec",
  "group:fs",
  "group:web",
  "*",
  "gh__get",
  "bundle-mcp",
  "Read",
  "re*",
  "x",
);
const list = fc.option(fc.array(entry, { maxLength: 4 }), { nil: undefined });
const policyOf = fc.record({
  profile: fc.constantFrom(undefined, "minimal", "coding", "full", "other"),
  allow: list,
  deny: list,
});
const openclawConfig = fc.record({
  tools: fc.record({ ...policyArbitraries(), byProvider: fc.dictionary(fc.constantFrom("a", "b"), policyOf) }),
  agents: fc.record({
    list: fc.array(fc.record({ id: fc.constant("a"), tools: policyOf }), { maxLength: 2 }),
    defaults: fc.record({ sandbox: fc.record({ mode: fc.constantFrom("off", "all", "non-main") }) }),
  }),
  mcp: fc.constant({ servers: { gh: {} } }),
});

function policyArbitraries() {
  return { profile: fc.constantFrom(undefined, "minimal", "coding", "full"), allow: list, deny: list };
}

test("whatever a configuration of OpenClaw says, the page compiles, and no denied tool runs", async () => {
  let denied = 0;
  await fc.assert(
    fc.asyncProperty(openclawConfig, async (config) => {
      const text = JSON.stringify(config);
      const { page, policy } = importWhole("openclaw", text);
      const rules = await compileRules(page);
      const deny = [config.tools.deny ?? [], ...(config.agents.list[0]?.tools.deny ?? [])].flat();
      const isDenied = (...names: string[]): boolean => names.some((name) => deny.some((each) => each === name));
      if (isDenied("read", "Read", "group:fs", "*", "re*")) expect(rules).toContain("forbidden Files.read");
      if (isDenied("write", "group:fs", "*")) expect(rules).toContain("forbidden Files.write");
      if (isDenied("web_fetch", "group:web", "*")) expect(page).not.toContain("Fetch.get");
      if (isDenied("gh__get", "bundle-mcp", "*")) expect(policy.decideServerTool("gh", "get").mode).toBe("forbidden");
      denied += deny.length;
    }),
    { numRuns: 60 },
  );
  expect(denied).toBeGreaterThan(20);
});

const layer = {
  approval_policy: fc.constantFrom("untrusted", "on-request", "never", "other"),
  sandbox_mode: fc.constantFrom("read-only", "workspace-write", "danger-full-access", "other"),
};
const server = fc.record(
  {
    enabled: fc.boolean(),
    enabled_tools: fc.array(fc.constantFrom("get", "list"), { maxLength: 2 }),
    disabled_tools: fc.array(fc.constantFrom("get", "list"), { maxLength: 2 }),
    default_tools_approval_mode: fc.constantFrom("auto", "prompt", "approve", "other"),
  },
  { requiredKeys: [] },
);
const codexConfig = fc.record(
  {
    ...layer,
    profile: fc.constant("p"),
    profiles: fc.record({ p: fc.record(layer, { requiredKeys: [] }) }),
    mcp_servers: fc.record({ gh: server }),
  },
  { requiredKeys: ["mcp_servers"] },
);

test("whatever a configuration of Codex says, the page compiles, and no call runs that the configuration refuses or asks about", async () => {
  const { stringify } = await import("smol-toml");
  await fc.assert(
    fc.asyncProperty(codexConfig, async (config) => {
      const { page, policy } = importWhole("codex", stringify(config));
      const rules = await compileRules(page);
      const isReadOnly = config.sandbox_mode === "read-only" || config.sandbox_mode === undefined;
      const isAlone = config.profile === undefined;
      if (isAlone && isReadOnly)
        expect(rules.some((rule) => /^auto Files.write|Files.write .* else auto$/.test(rule))).toBe(false);
      if (isAlone && isReadOnly && config.approval_policy === "never") expect(rules).toContain("forbidden Files.write");
      const { enabled, enabled_tools, disabled_tools, default_tools_approval_mode } = config.mcp_servers.gh;
      const { mode } = policy.decideServerTool("gh", "get");
      if (enabled === false || disabled_tools?.includes("get") || enabled_tools?.includes("get") === false)
        expect(mode).toBe("forbidden");
      if (default_tools_approval_mode !== "approve") expect(mode).not.toBe("auto");
    }),
    { numRuns: 60 },
  );
});

test("every importer imports or refuses any text", () => {
  const words = fc.array(
    fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"tools"',
      ":",
      ",",
      "mcp_servers",
      "=",
      "\n",
      '"a"',
      "[[rule]]",
      "permissions",
      "1",
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(IMPORTERS) as Importer[])),
      fc.oneof(
        fc.string(),
        fc.json(),
        words.map((some) => some.join("")),
      ),
      (importer, text) => {
        const { name, run } = IMPORTERS[importer];
        const bounded = decodeSource(name, Buffer.from(text));
        if (bounded.ok) expect(typeof run(bounded.source).ok).toBe("boolean");
      },
    ),
    { numRuns: 1000 },
  );
});

test.each(Object.keys(IMPORTERS) as Importer[])(
  "%s: settings of the largest size are judged in bounded time",
  (importer) => {
    const many = (count: number, make: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => make(index));
    const texts: Record<Importer, string> = {
      claude: JSON.stringify({ permissions: { allow: many(1900, (index) => `WebFetch(domain:a${index}.example)`) } }),
      "codex-rules": many(900, (index) => `prefix_rule(pattern = ["c${index}"])\n`).join(""),
      codex: `[mcp_servers.a]\nenabled_tools = ${JSON.stringify(many(9000, (index) => `t${index}`))}`,
      gemini: JSON.stringify({
        tools: {
          allowed: many(4000, (index) => `run_shell_command(c${index})`),
          exclude: many(4000, (index) => `t${index}`),
        },
      }),
      "gemini-rules": many(1900, (index) => `[[rule]]\ntoolName = "t${index}"\ndecision = "deny"\npriority = 1\n`).join(
        "",
      ),
      openclaw: JSON.stringify({
        tools: { deny: many(500, (index) => `t${index}`), allow: many(500, (index) => `u${index}*`) },
      }),
    };
    const started = process.cpuUsage();
    expect(imported(importer, texts[importer]).ok).toBe(true);
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
  },
);
