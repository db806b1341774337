// Measures steps of workflows in openworkflow, with its SQLite storage: eight workflows at once. Arguments: the library's folder and a
// folder for the database. Prints CPU microseconds of one step.

import { join } from "node:path";
import { measureSteps, STEPS, WORKFLOWS } from "./steps.ts";

interface Step {
  readonly run: (config: { name: string }, work: () => Promise<string>) => Promise<string>;
}

interface Client {
  readonly defineWorkflow: (
    spec: { name: string },
    run: (context: { step: Step }) => Promise<string>,
  ) => { run: () => Promise<{ result: () => Promise<string> }> };
  readonly newWorker: (options: { concurrency: number }) => { start: () => Promise<void>; stop: () => Promise<void> };
}

const [library = "", folder = ""] = process.argv.slice(2);
const { OpenWorkflow }: { OpenWorkflow: new (options: { backend: unknown }) => Client } = await import(
  join(library, "dist/index.js")
);
const { BackendSqlite }: { BackendSqlite: { connect: (path: string) => unknown } } = await import(
  join(library, "dist/sqlite.js")
);
const client = new OpenWorkflow({ backend: BackendSqlite.connect(join(folder, "openworkflow.db")) });
const workflow = client.defineWorkflow({ name: "steps" }, async ({ step }) => {
  let last = "";
  for (let number = 0; number < STEPS; number += 1)
    last = await step.run({ name: `step-${number}` }, async () => "x".repeat(200));
  return last;
});
const worker = client.newWorker({ concurrency: WORKFLOWS });
await worker.start();
const microseconds = await measureSteps(
  async () => (await workflow.run()).result(),
  () => 0,
);
process.stdout.write(String(microseconds));
process.exit(0);
