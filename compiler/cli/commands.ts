// Lists every command. Each is loaded only when it is needed, because loading programs is most of the cost of a short
// command.

import type { Command } from "./command.ts";

type Load = () => Promise<Command>;

/** Commands in the order in which a new user needs them. */
export const COMMANDS: ReadonlyMap<string, Load> = new Map<string, Load>([
  ["init", async () => (await import("./commands/init.ts")).init],
  ["tool", async () => (await import("./tool/command.ts")).tool],
  ["check", async () => (await import("./commands/check.ts")).check],
  ["lint", async () => (await import("./commands/lint.ts")).lint],
  ["fmt", async () => (await import("./commands/fmt.ts")).fmt],
  ["try", async () => (await import("./try/command.ts")).tryPage],
  ["test", async () => (await import("./commands/test.ts")).test],
  ["why", async () => (await import("./commands/why.ts")).why],
  ["prove", async () => (await import("./commands/prove.ts")).prove],
  ["diff", async () => (await import("./commands/diff.ts")).diff],
  ["replay", async () => (await import("./commands/replay.ts")).replay],
  ["suggest", async () => (await import("./commands/suggest.ts")).suggest],
  ["report", async () => (await import("./commands/report.ts")).report],
  ["plan", async () => (await import("./commands/plan.ts")).plan],
  ["build", async () => (await import("./commands/build.ts")).build],
  ["keys", async () => (await import("./commands/keys.ts")).keys],
  ["secret", async () => (await import("./secret/command.ts")).secret],
  ["model", async () => (await import("./commands/model.ts")).model],
  ["inspect", async () => (await import("./commands/inspect.ts")).inspect],
  ["verify", async () => (await import("./commands/verify.ts")).verify],
  ["run", async () => (await import("./commands/run.ts")).run],
  ["explain", async () => (await import("./commands/explain.ts")).explain],
  ["export", async () => (await import("./commands/export.ts")).exportCommand],
  ["doc", async () => (await import("./commands/doc.ts")).doc],
  ["import", async () => (await import("./commands/import.ts")).importCommand],
  ["schema", async () => (await import("./commands/schema.ts")).schema],
  ["audit", async () => (await import("./audit/command.ts")).audit],
  ["conversations", async () => (await import("./conversations/command.ts")).conversations],
  ["bridge", async () => (await import("./bridge/command.ts")).bridge],
  ["llm-osd", async () => (await import("./osd/daemon.ts")).llmOsd],
  ["llmsh", async () => (await import("./osd/client.ts")).llmsh],
  ["lsp", async () => (await import("./commands/lsp.ts")).lsp],
  ["completions", async () => (await import("./commands/completions.ts")).createCompletionsCommand(loadCommands)],
]);

/** Returns all commands in their order, for help, completions and tests. */
export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all([...COMMANDS.values()].map((load) => load()));
}
