// capc schema prints the JSON Schemas of data that capc exchanges with other programs.

import type { TSchema } from "typebox";
import { pageSchema } from "../../queries/exchange/index.ts";
import { type Command, createRefuser, JSON_OPTION } from "../command.ts";
import { auditSchema } from "../schemas/audit.ts";
import { diagnosticsSchema } from "../schemas/diagnostics.ts";
import { diffSchema } from "../schemas/diff.ts";
import { exportSchema } from "../schemas/export.ts";
import { importSchema } from "../schemas/import.ts";
import { lockSchema } from "../schemas/lock.ts";
import { modelSchema } from "../schemas/model.ts";
import { planSchema } from "../schemas/plan.ts";
import { proofsSchema } from "../schemas/proofs.ts";
import { replaySchema } from "../schemas/replay.ts";
import { repliesSchema } from "../schemas/replies.ts";
import { reportSchema } from "../schemas/report.ts";
import { suggestSchema } from "../schemas/suggest.ts";
import { testSchema } from "../schemas/test.ts";
import { verifySchema } from "../schemas/verify.ts";
import { whySchema } from "../schemas/why.ts";

const refuse = createRefuser("schema");

/** Schemas by name, each with a description of the data that it validates. */
export const SCHEMAS: ReadonlyMap<string, { readonly of: string; readonly schema: TSchema }> = new Map([
  ["page", { of: "what capc export prints and capc import reads", schema: pageSchema }],
  ["diagnostics", { of: "what capc check --json and capc lint --json print", schema: diagnosticsSchema }],
  ["proofs", { of: "what capc prove --json prints, and proofs.json of a build", schema: proofsSchema }],
  ["test", { of: "what capc test --json prints", schema: testSchema }],
  ["why", { of: "what capc why --json prints", schema: whySchema }],
  ["plan", { of: "what capc plan --json prints", schema: planSchema }],
  ["diff", { of: "what capc diff --json prints", schema: diffSchema }],
  ["replay", { of: "what capc replay --json prints", schema: replaySchema }],
  ["suggest", { of: "what capc suggest --json prints", schema: suggestSchema }],
  ["export", { of: "what capc export --to cedar --json prints, and report.json", schema: exportSchema }],
  ["import", { of: "what capc import --json prints", schema: importSchema }],
  ["report", { of: "what capc report --json prints", schema: reportSchema }],
  ["lock", { of: "cap.lock, which capc check --update-lock writes", schema: lockSchema }],
  ["verify", { of: "what capc verify --json prints", schema: verifySchema }],
  ["model", { of: "what capc model --json prints", schema: modelSchema }],
  ["audit", { of: "what capc audit --json prints", schema: auditSchema }],
  ["replies", { of: "the canned replies of a stub, which replies.json has", schema: repliesSchema }],
]);

/** `capc schema [NAME]` */
export const schema: Command = {
  name: "schema",
  operands: [`[${[...SCHEMAS.keys()].join("|")}]`],
  does: "print a JSON Schema; without a name, list all schemas",
  options: [{ ...JSON_OPTION, does: "print the list as JSON; a schema is always JSON" }],
  run: async ({ operands: [name], switches }, world) => {
    if (name === undefined) {
      const listed = [...SCHEMAS].map(([known, { of }]) => ({ name: known, of }));
      const text = listed.map(({ name: known, of }) => `${known.padEnd(12)}${of}\n`).join("");
      world.print(switches.has("json") ? `${JSON.stringify(listed)}\n` : text);
      return 0;
    }
    const found = SCHEMAS.get(name);
    if (found === undefined)
      return refuse(world, 2, `there is no schema '${name}'; there are ${[...SCHEMAS.keys()].join(", ")}`);
    world.print(`${JSON.stringify(found.schema, undefined, 2)}\n`);
    return 0;
  },
};
