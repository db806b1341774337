// Writes the table of `../README.md`: `comparing.ts --weights FILE --base FILE --compared FOLDER [--every N] [--base-every N]
// [--needle-every N] [--write]`. FOLDER holds the unpacked packages of `compared.txt`. Each model runs in a separate process, and its
// results are cached in FOLDER. A case is not repeated for the same weights, as long as the programs that prompt the model, build the
// grammar and judge the answer are unchanged.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BFCL_SETS, readBfclCases } from "./bfcl.ts";
import { SETS } from "./cases.ts";
import type { Measured } from "./measuring.ts";
import { type Model, renderComparison } from "./table.ts";

const { values } = parseArgs({
  options: {
    weights: { type: "string", default: "" },
    base: { type: "string", default: "" },
    compared: { type: "string", default: "" },
    every: { type: "string", default: "1" },
    "base-every": { type: "string", default: "2" },
    "needle-every": { type: "string", default: "4" },
    write: { type: "boolean", default: false },
  },
});

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const ASKERS = ["./", "../local/"];
const OTHERS = [new URL("../../../../package-lock.json", import.meta.url)];
const README = new URL("../README.md", import.meta.url);
const [BEGIN, END] = ["<!-- figures -->\n", "<!-- /figures -->\n"];
const BFCL = join(values.compared, "bfcl_eval/data");
const ASKER = digestAsker();
const ALL = [...SETS, ...BFCL_SETS];
/** Sets for Needle. The set `result` is left out, because its right answers are sentences, and Needle answers only with calls. */
const NEEDLE_SETS = ALL.filter((set) => set !== "result");

/**
 * Returns a digest of our programs, the packages and the engine, which affect an answer and its judgement. Weights and
 * sets affect them too, but are not part of this digest.
 */
function digestAsker(): Uint8Array {
  const digest = createHash("sha256");
  const programs = ASKERS.flatMap((folder) => {
    const url = new URL(folder, import.meta.url);
    const names = readdirSync(url, { recursive: true, encoding: "utf8" });
    return names.filter((name) => /(?<!\.test)\.(ts|py|txt|json)$/.test(name)).map((name) => new URL(name, url));
  });
  for (const url of [...programs, ...OTHERS].sort((one, other) => (one.href < other.href ? -1 : 1)))
    digest.update(createHash("sha256").update(readFileSync(url)).digest());
  return digest.digest();
}

/** Returns the measurements of one set, from the cache if the weights and the asking programs are unchanged. */
function loadOrMeasure(weights: Uint8Array, words: readonly string[], set: string, every: string): readonly Measured[] {
  const given = [...words, "--bfcl", BFCL, "--sets", set, "--every", every, "--json"];
  const digest = createHash("sha256").update(weights).update(ASKER).update(`${set} ${every}`).digest("hex");
  const kept = join(values.compared, `measured-${digest.slice(0, 16)}.json`);
  if (!existsSync(kept)) {
    const told = execFileSync(process.execPath, [MAIN, ...given], { stdio: ["ignore", "pipe", "inherit"] });
    writeFileSync(`${kept}.part`, told);
    renameSync(`${kept}.part`, kept);
  }
  return JSON.parse(readFileSync(kept, "utf8"));
}

interface Asked {
  readonly sets: readonly string[];
  readonly every: string;
}

function measureModel(name: string, path: string, words: readonly string[], { sets, every }: Asked): Model {
  const weights = readFileSync(path);
  return {
    name,
    megabytes: weights.length / 1e6,
    results: sets.flatMap((set) => loadOrMeasure(weights, words, set, every)),
  };
}

function describeSpelled(): string {
  const told = BFCL_SETS.filter((set) => set !== "irrelevance").map((set) => {
    const { cases, published } = readBfclCases(set, BFCL);
    return `${cases.length} of ${published} (${set})`;
  });
  return `\nOf BFCL's cases the grammar can spell ${told.join(" and ")}; the other cases are not run.`;
}

/** Returns a note with the digest of the weights, so that figures of other weights than the committed ones are noticed. */
function describeWeights(path: string): string {
  return ` SHA-256 of our weights: ${createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16)}….\n`;
}

const models: readonly Model[] = [
  measureModel("ours", values.weights, ["--weights", values.weights], { sets: ALL, every: values.every }),
  measureModel("the base as published", values.base, ["--weights", values.base], {
    sets: ALL,
    every: values["base-every"],
  }),
  measureModel("Needle 3", join(values.compared, "needle/needle3.cact"), ["--needle", values.compared], {
    sets: NEEDLE_SETS,
    every: values["needle-every"],
  }),
];
const table = renderComparison(models) + describeSpelled() + describeWeights(values.weights);
process.stdout.write(table);
if (values.write) {
  const text = readFileSync(README, "utf8");
  const [before = "", rest = ""] = text.split(BEGIN);
  const after = rest.slice(rest.includes(END) ? rest.indexOf(END) + END.length : rest.length);
  writeFileSync(README, `${before}${BEGIN}${table}${END}${after}`);
}
