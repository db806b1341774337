// Tests the examples on the pages of the findings about settings. Each agent has an example with the finding, and one
// without it.

import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { decodeSource } from "../../../lang/grammar/index.ts";
import { importClaude, importCodex, importGemini, importOpenclaw } from "./index.ts";

const FOLDER = fileURLToPath(new URL("rules", import.meta.url));
const AGENTS = {
  claude: { file: "settings.json", run: importClaude },
  codex: { file: "config.toml", run: importCodex },
  "codex rules": { file: "default.rules", run: importCodex },
  gemini: { file: "settings.json", run: importGemini },
  "gemini rules": { file: "policy.toml", run: importGemini },
  openclaw: { file: "openclaw.json", run: importOpenclaw },
} as const;

interface Example {
  readonly code: string;
  readonly agent: keyof typeof AGENTS;
  readonly bad: string;
  readonly good: string;
}

const unquote = (cell: string): string => [...cell.matchAll(/`([^`]+)`/g)].map(([, line]) => line).join("\n");
const isAgent = (name: string): name is keyof typeof AGENTS => Object.hasOwn(AGENTS, name);

const EXAMPLES: readonly Example[] = globSync("*settings*/README.md", { cwd: FOLDER }).flatMap((path) => {
  const rows = readFileSync(`${FOLDER}/${path}`, "utf8").matchAll(/^\| ([a-z ]+) \| (`.*`) \| (`.*`) \|$/gm);
  return [...rows].flatMap(([, agent = "", bad = "", good = ""]) =>
    isAgent(agent) ? [{ code: basename(dirname(path)), agent, bad: unquote(bad), good: unquote(good) }] : [],
  );
});

function listCodes({ agent }: Example, text: string): readonly string[] {
  const { file, run } = AGENTS[agent];
  const bounded = decodeSource(file, Buffer.from(text));
  if (!bounded.ok) throw new Error("not text");
  const result = run(bounded.source);
  return (result.ok ? result.findings : result.diagnostics).map(({ code }) => code);
}

test("the page of each finding has an example for each agent", () => {
  const codes = [...new Set(EXAMPLES.map(({ code }) => code))];
  expect(codes.length).toBe(8);
  for (const code of codes)
    for (const agent of ["claude", "codex", "gemini", "openclaw"])
      expect(EXAMPLES.filter((each) => each.code === code && each.agent === agent).length).toBe(1);
});

test.each(EXAMPLES.map((each) => [each.code, each.agent, each] as const))(
  "%s: the bad example of %s has the finding, and the good example has not",
  (code, _, each) => {
    expect(listCodes(each, each.bad)).toContain(code);
    expect(listCodes(each, each.good)).not.toContain(code);
  },
);
