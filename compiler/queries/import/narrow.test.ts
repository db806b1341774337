// Tests the import of settings to a page that exists: the new session allows no call that the page or the settings
// forbid.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeLoosestMode, isStricter } from "../../../engine/lib/policy/index.ts";
import { decodeSource } from "../../../lang/grammar/index.ts";
import { createSourceText, makeSpan } from "../../../lang/text/index.ts";
import { type Compiled, compile } from "../../compile.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { createDiskHost, type Host } from "../../phases/source/index.ts";
import { collectRowCells, exportPolicy } from "../export/index.ts";
import { overlayEdits } from "../why/index.ts";
import { importClaude, importCodex, importGemini, narrowPage } from "./index.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples/", import.meta.url));
const pathOf = (example: string): string => `${EXAMPLES}${example}/system.cap`;
const TARGETS = {
  claude: { name: "settings.json", run: importClaude },
  codex: { name: "config.toml", run: importCodex },
  gemini: { name: "policy.toml", run: importGemini },
} as const;
type Target = keyof typeof TARGETS;

async function readPage(example: string) {
  const [host, path] = [createDiskHost(), pathOf(example)];
  return { host, path, compiled: await compile(host, path, { purpose: "check" }), session: undefined };
}

async function narrowed(example: string, target: Target, settings: string) {
  const { name, run } = TARGETS[target];
  const bounded = decodeSource(name, Buffer.from(settings));
  if (!bounded.ok) throw new Error("not text");
  const imported = run(bounded.source);
  if (!imported.ok) throw new Error(imported.diagnostics[0]?.message);
  const result = await narrowPage(await readPage(example), imported.policy, imported.findings);
  return { ...imported, result };
}

/** Compiles an example in which `text` replaces the text of the page. */
async function compileText(example: string, text: string): Promise<Compiled> {
  const path = pathOf(example);
  const before = readFileSync(path, "utf8");
  const source = createSourceText("system.cap", before);
  const host: Host = await overlayEdits({ host: createDiskHost(), path }, [
    { span: makeSpan(source, 0, before.length), replacement: text },
  ]);
  return compile(host, path, { purpose: "check" });
}

type Mode = "auto" | "consent" | "stepUp" | "forbidden";

/** Returns the loosest mode that each tool of a session may have. */
function listLoosest({ policy }: Compiled, session: string): ReadonlyMap<string, Mode> {
  if (policy === undefined) throw new Error("the page has errors");
  const tables = indexPolicyTables(policy);
  const row = tables.rows.find((each) => each.session === session && each.task === "" && each.worker === "");
  if (row === undefined) return new Map();
  return new Map(collectRowCells(tables, row).map(({ tool, list }) => [tool.name, computeLoosestMode(list.clauses)]));
}

test("rules about the tools of an MCP server narrow the session that boots", async () => {
  const settings = {
    permissions: {
      allow: ["mcp__github__get_issue", "mcp__gh__nothing"],
      ask: ["mcp__github__list_issues"],
      deny: ["mcp__gh__create_issue"],
    },
  };
  const { result } = await narrowed("mcp-import", "claude", JSON.stringify(settings));
  if (!result.ok) throw new Error(result.reason);
  const compiled = await compileText("mcp-import", result.text);
  expect(compiled.diagnostics.map(({ code }) => code).filter((code) => code !== "limit-unchecked")).toEqual([]);
  const modes = listLoosest(compiled, "imported");
  expect(Object.fromEntries(modes)).toMatchObject({
    "gh.get_issue": "auto",
    "gh.list_issues": "consent",
    "gh.create_issue": "forbidden",
    "gh.merge_pull_request": "forbidden",
    // No rule of the settings names this tool, so Claude Code asks.
    "gh.get_file_contents": "consent",
  });
  const lost = result.findings
    .filter(({ code }) => code === "settings-unsayable")
    .map(({ message }) => message.split(":")[0]);
  expect(lost).toEqual(["mcp__gh__nothing"]);
});

test("a rule that denies reads in a folder becomes a rule that forbids a file service to read there", async () => {
  const settings = { permissions: { allow: ["Edit(src/**)"], deny: ["Read(secrets/**)"] } };
  const { result } = await narrowed("first-agent", "claude", JSON.stringify(settings));
  if (!result.ok) throw new Error(result.reason);
  expect(result.text).toContain('forbidden notes.read where path under "/secrets" else auto');
});

test("the new session has the name `imported`", async () => {
  const first = await narrowed("mcp-import", "claude", "{}");
  expect(first.result.ok && first.result.text).toContain("session imported extends operator");
});

test("a session that the page does not have is refused", async () => {
  const { policy } = await narrowed("mcp-import", "claude", "{}");
  const result = await narrowPage({ ...(await readPage("mcp-import")), session: "nobody" }, policy, []);
  expect(result).toEqual({ ok: false, reason: "the page has no session nobody" });
});

test.each(["claude", "codex", "gemini"] as const)(
  "%s: settings that were exported from a page narrow this page to the calls that they allow",
  async (target) => {
    let carried = 0;
    for (const example of ["mcp-import", "seed-four", "own-tool", "first-agent", "mcp-server"]) {
      const before = await compile(createDiskHost(), pathOf(example), { purpose: "check" });
      if (before.policy === undefined || before.model?.image?.boot === undefined) throw new Error(example);
      const session = before.model.image.boot.id;
      const tables = indexPolicyTables(before.policy);
      const settings = exportPolicy(tables, target, session).files[0]?.text ?? "";
      const { result, policy } = await narrowed(example, target, settings);
      if (!result.ok) throw new Error(`${example}: ${result.reason}`);
      const compiled = await compileText(example, result.text);
      const after = listLoosest(compiled, "imported");
      const whole = listLoosest(before, session);
      for (const [name, mode] of after) {
        const [server = "", method = ""] = name.split(".");
        const decided = policy.decideServerTool(server, method);
        expect({ example, name, isLooser: isStricter(whole.get(name) ?? "forbidden", mode) }).toEqual({
          example,
          name,
          isLooser: false,
        });
        if (decided.isNamed)
          expect({ example, name, isLooser: isStricter(decided.mode, mode) }).toEqual({
            example,
            name,
            isLooser: false,
          });
        if (mode === "auto") carried += 1;
      }
    }
    expect(carried).toBeGreaterThan(0);
  },
);

const RULES = [
  "mcp__gh__get_issue",
  "mcp__github__list_issues",
  "mcp__gh",
  "mcp__github__*",
  "mcp__*",
  "mcp__gh__create_issue",
  "Bash(date)",
  "Read",
];
const list = fc.subarray(RULES, { maxLength: 3 });

test("on a narrowed page, no tool of a server is looser than random rules about servers allow", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ allow: list, ask: list, deny: list, defaultMode: fc.constantFrom("default", "plan", "dontAsk") }),
      async (permissions) => {
        const { result, policy } = await narrowed("mcp-import", "claude", JSON.stringify({ permissions }));
        if (!result.ok) throw new Error(result.reason);
        const modes = listLoosest(await compileText("mcp-import", result.text), "imported");
        for (const [name, mode] of modes) {
          const method = name.split(".")[1] ?? "";
          for (const server of ["gh", "github"]) {
            const { isNamed, mode: wanted } = policy.decideServerTool(server, method);
            if (isNamed) expect({ name, isLooser: isStricter(wanted, mode) }).toEqual({ name, isLooser: false });
          }
        }
      },
    ),
    { numRuns: 15 },
  );
});
