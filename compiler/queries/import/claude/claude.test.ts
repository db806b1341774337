// Tests the findings about settings of Claude Code. Also tests that an imported page allows only what its settings
// allow.

import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeSource } from "../../../../lang/grammar/index.ts";
import { compile } from "../../../compile.ts";
import { createMemoryHost } from "../../../phases/source/index.ts";
import { importClaude } from "../index.ts";
import { isProtected, PROTECTED } from "../places.ts";

function imported(settings: unknown) {
  const bounded = decodeSource("settings.json", Buffer.from(JSON.stringify(settings, undefined, 2)));
  if (!bounded.ok) throw new Error("not text");
  return importClaude(bounded.source);
}

/** Returns the codes of findings, each with the marked text. */
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
  ["allow", "Bash(:*)", "name the commands, such as Bash(npm test *)"],
  ["ask", "Bash(:*)", "write Bash"],
  ["deny", "Bash(:*)", "write Bash"],
  ["ask", "Bash(git push:* --force)", "write Bash(git push * --force)"],
  ["deny", "Bash(git:* push)", "write Bash(git * push)"],
  ["deny", "Bash()", "write Bash"],
  ["allow", "Bash(npm:install)", "write Bash(npm install)"],
  ["deny", "Bash(curl * | sh)", "one rule for each"],
  ["allow", "Bash(watch *)", "whole command"],
  ["deny", "bash(rm *)", "did you mean Bash?"],
  ["deny", "Shell", "Bash"],
  ["deny", "Read(file_path:/etc/**)", "write Read(/etc/**)"],
  ["deny", "Read(secrets:*)", "write Read(secrets*)"],
  ["deny", "Read(../other/**)", "Read(//PATH)"],
  ["deny", "Read(!secrets/**)", "leave it out"],
  ["allow", "Edit(.claude/**)", "leave it out"],
  ["allow", "WebSearch(weather)", "write WebSearch"],
  ["deny", "WebFetch(domain:https://a.example)", "domain:HOST"],
  ["deny", "WebFetch(domain:a.example:8080)", "domain:HOST"],
  ["deny", "WebFetch(url:https://a.example)", "domain:HOST"],
])("%s %s is inert, and the help says what to write instead", (list, text, instead) => {
  const result = imported(rules(list, text));
  if (!result.ok) throw new Error("refused");
  const found = result.findings.filter(({ code }) => code === "settings-rule-inert");
  expect(found.map(({ help }) => help)).toEqual([expect.stringContaining(instead)]);
});

test.each([
  ["deny", "Read(/home/kim/.ssh/**)", "write Read(//home/kim/.ssh/**)"],
  ["ask", "Edit(/etc/hosts)", "write Edit(//etc/hosts)"],
  ["allow", "Edit(/tmp/build/**)", "write Edit(//tmp/build/**)"],
  ["deny", "Cd(/Users/kim)", "write Cd(//Users/kim)"],
  ["deny", "Read(C:\\Users\\kim\\**)", "write Read(//c/Users/kim/**)"],
  ["deny", "Read($HOME/.ssh/**)", "write Read(~/PATH)"],
  ["deny", "Read(~kim/.ssh/**)", "write Read(~/PATH)"],
  ["deny", "Read(**/*.{pem,key})", "one rule for each"],
  ["deny", "Read(secrets\\keys)", "write slashes"],
  ["deny", "Read( .env)", "write Read(.env)"],
  ["deny", "Read(file:///etc/passwd)", "write Read(//PATH)"],
  ["deny", "Bash(rm .*)", "write Bash(PROGRAM *)"],
  ["ask", "Bash(^git push)", "write Bash(PROGRAM *)"],
  ["deny", "Bash(r\u043c:*)", "one alphabet"],
  ["deny", "Read(./\u0441ecret/**)", "one alphabet"],
  ["deny", "Bash(rm\u00a0-rf:*)", "by hand"],
])("%s %s has another meaning than it seems, and the help says what to write instead", (list, text, instead) => {
  const result = imported(rules(list, text));
  if (!result.ok) throw new Error("refused");
  const found = result.findings.filter(({ code }) => code === "settings-rule-otherwise");
  expect(found.map(({ help }) => help)).toEqual([expect.stringContaining(instead)]);
});

test("a rule with an escaped invisible character is reported as a rule with another meaning", () => {
  const bounded = decodeSource("settings.json", Buffer.from(String.raw`{"permissions":{"deny":["Bash(r\u200bm:*)"]}}`));
  const result = bounded.ok ? importClaude(bounded.source) : undefined;
  expect(result).toMatchObject({ ok: true });
  const codes = result?.ok === true ? result.findings.map(({ code }) => code) : [];
  expect(codes).toContain("settings-rule-otherwise");
});

test.each([
  ["deny", "Read(//home/kim/.ssh/**)"],
  ["deny", "Read(~/.ssh/**)"],
  ["deny", "Read(/secrets/**)"],
  ["deny", "Read(./.env)"],
  ["deny", "Read(**/*.pem)"],
  ["allow", "Edit(/src/**/*.ts)"],
  ["deny", "Agent(model:opus)"],
  ["ask", "Bash(run_in_background:true)"],
  ["ask", "Bash(git push *)"],
  ["deny", "mcp__*"],
  ["deny", "WebFetch(domain:*.example.com)"],
])("%s %s has the meaning that it seems to have", (list, text) =>
  expect(told(rules(list, text)).filter((one) => /-(?:inert|otherwise|unread) /.test(one))).toEqual([]),
);

test.each([
  [{ permissions: { read: { deny: ["/etc/**"] } } }, 'write permissions.deny: ["Read(…)"]'],
  [{ deny: ["Read"] }, "write permissions.deny"],
  [{ defaultMode: "plan" }, "write permissions.defaultMode"],
  [{ permissions: { defaultMode: "yolo" } }, "write one of default"],
  [{ permissions: { defaultMode: "acceptEdit" } }, "did you mean acceptEdits?"],
  [{ permissions: { defaultMode: true } }, "write one of default"],
  [{ permissions: { disableBypassPermissionsMode: true } }, 'disableBypassPermissionsMode: "disable"'],
  [{ permissions: { Deny: ["Read"] } }, "did you mean permissions.deny?"],
  [{ sandbox: true }, "write {"],
  [{ sandbox: { enabled: "true" } }, "write sandbox.enabled: true"],
  [{ sandbox: { allowWrite: ["/"] } }, "write sandbox.filesystem.allowWrite"],
  [{ sandbox: { filesystem: { denyRead: "~/.ssh" } } }, 'write sandbox.filesystem.denyRead: ["…"]'],
  [{ PreToolUse: [{}] }, "write hooks.PreToolUse"],
  [{ hooks: { preToolUse: [{}] } }, "did you mean hooks.PreToolUse?"],
  [{ mcpServers: { a: {} } }, ".mcp.json"],
  [{ allowManagedHooksOnly: true }, "managed-settings.json"],
  [{ permissionExplainerEnabled: false }, "write it there"],
  [{ permission: { deny: [] } }, "did you mean permissions?"],
])("%j is ignored, and the help says what to write instead", (settings, instead) => {
  const result = imported(settings);
  if (!result.ok) throw new Error("refused");
  const found = result.findings.filter(({ code }) => code === "settings-unread");
  expect(found.map(({ help }) => help)).toEqual([expect.stringContaining(instead)]);
});

test("accepts keys of managed settings in the file of managed settings", () => {
  const bounded = decodeSource("/etc/claude-code/managed-settings.json", Buffer.from('{"allowManagedHooksOnly":true}'));
  if (!bounded.ok) throw new Error("not text");
  expect(importClaude(bounded.source)).toMatchObject({ ok: true, findings: [] });
});

test("an ask rule for all commands is inert if the sandbox runs them without asking", () => {
  const permissions = { ask: ["Bash"] };
  expect(told({ permissions, sandbox: { enabled: true } })).toContain('settings-rule-inert "Bash"');
  for (const sandbox of [{ enabled: true, autoAllowBashIfSandboxed: false }, { enabled: false }])
    expect(told({ permissions, sandbox })).not.toContain('settings-rule-inert "Bash"');
});

test("a rule that denies reads of a file does not count as easy to bypass if the sandbox protects files", () => {
  const permissions = { deny: ["Read(./.env)"], allow: ["Bash(cat *)"] };
  const passable = 'settings-deny-passable "Read(./.env)"';
  expect(told({ permissions, sandbox: { enabled: true } })).not.toContain(passable);
  expect(told({ permissions, sandbox: { enabled: true, filesystem: { disabled: true } } })).toContain(passable);
});

test("refuses settings with too many keys", () => {
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`key${index}`, 0]));
  expect(told(many)).toEqual([expect.stringContaining("not-settings")]);
  expect(told({ sandbox: { network: many } })).toEqual([expect.stringContaining("not-settings")]);
});

test("checks long rules in bounded time", () => {
  const long = ["{,".repeat(100_000), "*/".repeat(100_000), "a:*".repeat(60_000), "%a".repeat(100_000)];
  const started = process.cpuUsage();
  for (const text of long) for (const tool of ["Read", "Edit", "Bash"]) imported(rules("allow", `${tool}(/${text})`));
  expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
});

test.each([
  [{ deny: ["mcp__*"], allow: ["mcp__github__get"] }, 'settings-rule-inert "mcp__github__get"'],
  [{ deny: ["Bash(aws *)", "Bash"], allow: ["Bash(aws s3 ls)"] }, 'settings-rule-inert "Bash(aws s3 ls)"'],
  [{ ask: ["Edit"], allow: ["Edit(src/**)"] }, 'settings-rule-inert "Edit(src/**)"'],
  [{ allow: ["Read", "Read"] }, 'settings-rule-inert "Read"'],
  [{ deny: ["mcp__github"], allow: ["mcp__github__get"] }, 'settings-rule-inert "mcp__github__get"'],
])("%j: a rule that another rule covers is inert", (permissions, finding) => {
  expect(told({ permissions })).toContain(finding);
});

test.each([
  "Bash",
  "Bash(*)",
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
  "Bash(uv run *)",
  "Bash(uv *)",
  "Bash(poetry run:*)",
  "Bash(source *)",
  "Bash(. *)",
  "Bash(git -c *)",
  "Bash(git *)",
  "Bash(git:*)",
  "Bash(git -C /srv config *)",
  "Bash(git push *)",
  "Bash(/usr/bin/env *)",
  "Bash(FOO=1 python3 *)",
  "Bash(timeout *)",
  "Bash(make *)",
  "Bash(npm *)",
  "Bash(npm install:*)",
  "Bash(pip install:*)",
  "Bash(./gradlew:*)",
  "Bash(busybox *)",
  "Bash(tar *)",
  "Bash(pytest:*)",
  "Bash(rm *)",
  "Bash(tee *)",
  "Bash(bash)",
  "Bash(python3 -)",
  "Monitor",
  "Edit(**)",
  "Edit(//etc/**)",
  "Edit(~/.config/**)",
  "Read(~/.ssh/**)",
  "Read(.env)",
  "WebFetch(domain:*.com)",
  "Artifact",
])("allow %s is dangerous", (text) =>
  expect(told(rules("allow", text))).toContain(`settings-rule-dangerous ${JSON.stringify(text)}`),
);

test.each([
  "Bash(git log *)",
  "Bash(npm test)",
  "Bash(npm run test:*)",
  "Bash(npm run test *)",
  "Bash(find *)",
  "Bash(git status)",
  "Bash(git diff *)",
  "Bash(uv run pytest)",
  "Bash(cargo build *)",
  "Edit(//home/kim/work/**)",
  "Read(docs/**)",
  "Read",
  "Edit(src/**)",
  "WebFetch(domain:a.example)",
  "mcp__github__get_issue",
])("allow %s is neither inert nor dangerous", (text) =>
  expect(told(rules("allow", text)).filter((one) => !one.startsWith("settings-unsayable"))).toEqual([]),
);

test("a pattern with thousands of wildcards is checked, and does not count as dangerous", () => {
  expect(told(rules("allow", `Read(//${"*".repeat(5000)}x)`))).not.toContainEqual(expect.stringMatching(/dangerous/));
});

test("reports deny rules that are easy to bypass", () => {
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
  [{ sandbox: { failIfUnavailable: false } }],
  [{ sandbox: { filesystem: { allowWrite: ["/"] } } }],
  [{ sandbox: { filesystem: { allowWrite: ["./out", "~/"] } } }],
  [{ sandbox: { filesystem: { allowWrite: ["//etc/**"] } } }],
  [{ sandbox: { filesystem: { allowWrite: ["/home/kim/.bashrc"] } } }],
  [{ sandbox: { filesystem: { allowRead: ["~"] } } }],
  [{ sandbox: { filesystem: { disabled: true } } }],
  [{ sandbox: { network: { allowUnixSockets: ["/var/run/docker.sock"] } } }],
  [{ sandbox: { network: { allowUnixSockets: ["~/.ssh/agent"] } } }],
  [{ sandbox: { network: { allowAllUnixSockets: true } } }],
  [{ sandbox: { network: { allowedDomains: ["*"] } } }],
  [{ sandbox: { network: { allowedDomains: ["*.com:443"] } } }],
  [{ sandbox: { network: { httpProxyPort: 8080 } } }],
  [{ sandbox: { enableWeakerNestedSandbox: true } }],
  [{ sandbox: { ripgrep: { command: "./rg" } } }],
  [{ env: { ANTHROPIC_BASE_URL: "https://a.example" } }],
  [{ env: { ANTHROPIC_BEDROCK_BASE_URL: "https://a.example" } }],
  [{ env: { https_proxy: "https://a.example" } }],
  [{ env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } }],
  [{ env: { NODE_OPTIONS: "--require ./a.js" } }],
  [{ env: { CLAUDE_CODE_SHELL_PREFIX: "./log" } }],
  [{ env: { GITHUB_TOKEN: "x" } }],
  [{ env: { CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: "0" } }],
  [{ awsAuthRefresh: "./refresh" }],
  [{ fileSuggestion: { type: "command", command: "./find" } }],
  [{ disableAllHooks: true }],
  [{ enabledPlugins: { "a@b": true } }],
  [{ autoMode: { hard_deny: ["never delete"] } }],
  [{ crossSessionInbound: "accept" }],
])("%j allows access that rules deny", (settings) => {
  expect(told(settings).some((one) => one.startsWith("settings-open "))).toBe(true);
});

test.each([
  [{ env: { ANTHROPIC_BASE_URL: "" } }],
  [{ env: { BASH_DEFAULT_TIMEOUT_MS: "1000" } }],
  [{ sandbox: { enabled: true, filesystem: { allowWrite: ["./out", "/tmp/build", "/home/kim/work"] } } }],
  [{ sandbox: { network: { allowedDomains: ["*.npmjs.org"] } } }],
  [{ permissions: { defaultMode: "bypassPermissions", disableBypassPermissionsMode: "disable" } }],
  [{ permissions: { defaultMode: "manual" } }],
  [{ permissions: { blockWritesOutsideWorkingDirectories: true, denyInsteadOfPrompting: true } }],
  [{ autoMode: { hard_deny: ["$defaults", "never delete"] } }],
  [{ sandbox: { network: { allowUnixSockets: [] } } }],
])("%j does not allow access that rules deny", (settings) =>
  expect(told(settings).filter((one) => /-(?:open|unread) /.test(one))).toEqual([]),
);

test("reports an entry of the sandbox settings at its own position", () => {
  expect(told({ sandbox: { filesystem: { allowWrite: ["./out", "/"], denyWrite: ["**/.env", "keys/**"] } } })).toEqual(
    expect.arrayContaining(['settings-open "/"', 'settings-rule-inert "**/.env"']),
  );
});

test.each([[[]], ["x"], [{ permissions: [] }], [{ permissions: { allow: "Bash" } }], [{ permissions: { deny: [1] } }]])(
  "%j is refused as a whole",
  (settings) => expect(told(settings)).toEqual([expect.stringContaining("not-settings")]),
);

async function modes(settings: unknown): Promise<string> {
  const result = imported(settings);
  if (!result.ok) throw new Error("refused");
  const { policy, diagnostics } = await compile(createMemoryHost({ "/system.cap": result.page }), "/system.cap", {
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
  [
    { permissions: { defaultMode: "acceptEdits" } },
    "auto Files.read",
    'consent Files.write where path under "/.git" else auto',
  ],
  [{ permissions: { defaultMode: "plan", allow: ["Edit"] } }, "auto Files.read", "forbidden Files.write"],
  [{ permissions: { defaultMode: "plan", ask: ["Edit"] } }, "auto Files.read", "forbidden Files.write"],
  [{ permissions: { defaultMode: "dontAsk", ask: ["Read", "Edit"] } }, "forbidden Files.read", "forbidden Files.write"],
  [
    { permissions: { defaultMode: "dontAsk", ask: ["Edit(src/**)"], allow: ["Edit"] } },
    "auto Files.read",
    'forbidden Files.write where path under "/src" else auto',
  ],
  [{ permissions: { denyInsteadOfPrompting: true, ask: ["Read"] } }, "forbidden Files.read", "forbidden Files.write"],
  [
    { permissions: { denyInsteadOfPrompting: true, defaultMode: "acceptEdits" } },
    "auto Files.read",
    'forbidden Files.write where path under "/.git" else auto',
  ],
  [{ permissions: { deny: ["Glob"] } }, "auto Files.read", "forbidden Files.list"],
  [{ permissions: { deny: ["*"] } }, "forbidden Files.read", "forbidden Files.write"],
  [{ permissions: { deny: ["Read(**/.env)"] } }, "forbidden Files.read", "consent Files.write"],
  [
    { permissions: { deny: ["Read(secrets/**)"], allow: ["Edit"] } },
    'forbidden Files.read where path under "/secrets" else auto',
    'consent Files.write where path under "/.vscode" else auto',
  ],
  [{ permissions: { deny: ["Read(./.env)"] } }, 'forbidden Files.read where path under "/.env" else auto', "consent"],
  [{ permissions: { ask: ["Read(.env)"] } }, "consent Files.read", "consent Files.write"],
  // Claude Code asks before it changes `.git` in the folder `src`. A page cannot express this exception, so the page does
  // not allow changes of `src`.
  [{ permissions: { allow: ["Edit(src/**)"] } }, "auto Files.read", "consent Files.write"],
  [
    { permissions: { allow: ["Edit"], defaultMode: "dontAsk" } },
    'forbidden Files.write where path under "/.git" else auto',
    'forbidden Files.write where path under "/.bashrc" else auto',
  ],
  [
    { permissions: { allow: ["Edit(src/**)", "Edit(docs/**)", "Edit(**/*.md)"], deny: ["Edit(src/keys/**)"] } },
    "auto Files.read",
    'forbidden Files.write where path under "/src/keys" else consent',
  ],
  [{ permissions: { deny: ["Read(~/.ssh/**)", "Edit(//etc/**)"] } }, "auto Files.read", "consent Files.write"],
  [
    { permissions: { allow: ["WebFetch(domain:a.example)"], deny: ["WebFetch(domain:*.b.example)"] } },
    'auto Fetch.get where domain(url) == "a.example" else consent',
    'forbidden Fetch.get where domain(url) under "b.example" else consent',
  ],
  [
    { permissions: { allow: ["WebFetch(domain:*.a.example)"], defaultMode: "dontAsk" } },
    'auto Fetch.get where domain(url) under "a.example" and domain(url) != "a.example" else forbidden',
    "forbidden Fetch.post",
  ],
  [
    { permissions: { allow: ["Bash(date:*)", "Bash(echo *)", "Bash(curl -s https://a.example/*)"] } },
    "auto Clock.now",
    'auto Fetch.get where domain(url) == "a.example" else consent',
  ],
  [
    { permissions: { allow: ["Bash(rm *)"], defaultMode: "acceptEdits" } },
    "auto Files.read",
    "Files.delete where path",
  ],
  [{ permissions: { ask: ["Bash(rm *)"], deny: ["Bash(uptime)"] } }, "auto Files.read", "consent Files.delete"],
])("%j becomes a page that compiles", async (settings, read, write) => {
  const words = await modes(settings);
  expect(words).toContain(read);
  expect(words).toContain(write);
});

test("an allow rule for edits in one folder is reported as lost, unless the default mode allows edits in every folder", () => {
  const isLost = (settings: unknown): boolean => told(settings).includes('settings-unsayable "Edit(src/**)"');
  expect(isLost({ permissions: { allow: ["Edit(src/**)"] } })).toBe(true);
  expect(isLost({ permissions: { allow: ["Edit(src/**)"], defaultMode: "acceptEdits" } })).toBe(false);
});

test("a rule about a folder stays on the page if it is stricter than the rule about the folder around it", async () => {
  const words = await modes({ permissions: { ask: ["Read(a/**)"], deny: ["Read(a/b/**)"] } });
  expect(words).toContain('consent Files.read where path under "/a" else auto');
  expect(words).toContain('forbidden Files.read where path under "/a/b" else auto');
});

test("a tool with too many rules gets the strictest mode of them", async () => {
  const deny = Array.from({ length: 61 }, (_, index) => `Read(d${index}/**)`);
  expect((await modes({ permissions: { deny } })).split("\n")).toContain("forbidden Files.read");
});

test("if Claude Code protects a file or folder name, the page asks before writes to it at the top of the project", async () => {
  const words = await modes({ permissions: { defaultMode: "acceptEdits" } });
  for (const name of PROTECTED) expect(words).toContain(`consent Files.write where path under "/${name}" else auto`);
  expect(PROTECTED.filter((name) => !isProtected(`sub/${name}`))).toEqual([]);
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
    "Bash(rm *)",
    "Bash(rm -rf *)",
    "Bash(date)",
    "Bash(curl https://a.example/*)",
    "Bash",
    "WebFetch",
    "WebFetch(domain:a.example)",
    "WebFetch(domain:*.example)",
    "WebFetch(domain:*.a.example)",
    "Edit(**)",
    "Read(~/.ssh/**)",
    "Read(~/x/**)",
    "mcp__a",
  ),
  fc.string({ maxLength: 12 }),
);
const anyList = fc.array(anyRule, { maxLength: 4 });

/** Tools of the page, each with the rules of Claude Code that match all of its calls. */
const WHOLE: readonly (readonly [rules: readonly string[], method: string])[] = [
  [["Read", "*", "Re*"], "Files.read"],
  [["Edit", "Write", "*", "Edit(**)"], "Files.write"],
  [["Edit", "*", "Bash", "Bash(rm *)", "Bash(rm -rf *)"], "Files.delete"],
  [["WebFetch", "*"], "Fetch.get"],
  [["Bash(date)", "Bash", "*"], "Clock.now"],
];

test("random rules become a page that compiles and allows nothing that they deny, and each lost rule has one finding", async () => {
  let denied = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        allow: anyList,
        ask: anyList,
        deny: anyList,
        defaultMode: fc.constantFrom("default", "plan", "acceptEdits", "dontAsk", "auto", "bypassPermissions"),
      }),
      async (permissions) => {
        const written = (await modes({ permissions })).split("\n");
        const isLoose = (method: string, loose: RegExp): boolean =>
          written.some((line) => (line.includes(`${method} `) || line.endsWith(method) ? loose.test(line) : false));
        for (const [rules, method] of WHOLE) {
          if (rules.some((rule) => permissions.deny.includes(rule))) {
            expect({ written, method, isLoose: isLoose(method, /auto|consent/) }).toMatchObject({
              method,
              isLoose: false,
            });
            denied += 1;
          } else if (rules.some((rule) => permissions.ask.includes(rule)))
            expect({ written, method, isLoose: isLoose(method, /auto/) }).toMatchObject({ method, isLoose: false });
        }
        if (permissions.deny.includes("WebFetch(domain:a.example)"))
          expect(written).not.toContain('auto Fetch.get where domain(url) == "a.example" else consent');
        const result = imported({ permissions });
        const lost = result.ok ? result.findings.filter(({ code }) => code === "settings-unsayable") : [];
        expect(new Set(lost.map(({ span }) => span.start)).size).toBe(lost.length);
      },
    ),
    { numRuns: 150 },
  );
  expect(denied).toBeGreaterThan(20);
});

test("any bytes are either imported or refused", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.object().map((value) => JSON.stringify({ permissions: value })),
      ),
      (text) => {
        const bounded = decodeSource("settings.json", Buffer.from(text));
        if (bounded.ok) expect(typeof importClaude(bounded.source).ok).toBe("boolean");
      },
    ),
  );
});
