// capc model manages the weights in a page's folder: their cards, their signatures, and their score on this machine.

import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { nameFrom } from "../../../lang/grammar/index.ts";
import { encodeHex } from "../../artefacts/inspect/description.ts";
import { addWeights, signWeights } from "../../artefacts/models/adding.ts";
import { getCardPath } from "../../artefacts/models/card-file.ts";
import { evaluate } from "../../artefacts/models/evaluating.ts";
import {
  findWeightsFaults,
  readWeightsFacts,
  renderDeclaration,
  renderWeightsFacts,
  type WeightsFacts,
} from "../../artefacts/models/facts.ts";
import { computeCardBytes, readWeightsHeader } from "../../artefacts/models/weights-file.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { readSigningKey } from "../keys/image.ts";
import { PASSPHRASE_OPTION, readPassphrase } from "../keys/passphrase.ts";
import { readPublicKeys } from "../keys/signer.ts";

const refuse = createRefuser("model");

/** Default folder of a page's weights. */
const MODELS = "models";

/** `capc model add|list|sign|verify|eval [FILE]` */
export const model: Command = {
  name: "model",
  operands: ["add|list|sign|verify|eval", "[FILE]"],
  does: "add, list, sign, verify and measure model weights",
  details: `add copies the GGUF file FILE into the folder of models, writes its model card, and prints the
declaration for the page. sign writes the model card of FILE and signs the card with --key, for
\`capc build --trust-weights\`. verify compares FILE with its card and the card's signature. With
--trust it also checks who signed. It ends with 1 on a mismatch.
eval measures how often the calls and answers of a model are right in the cases of
engine/processes/model/evaluation, on one thread, as in an image. This takes many minutes; with
--every 10 it runs a tenth of the cases.`,
  options: [
    { name: "dir", value: "DIR", does: "folder of models, for add and list (default: models)" },
    { name: "key", value: "FILE", does: "private key (PEM) that signs the model card" },
    { name: "trust", value: "LIST", does: "public keys; one of them must verify the signature of the model card" },
    { name: "every", value: "N", does: "eval: run only every Nth case (default: 1)" },
    PASSPHRASE_OPTION,
    JSON_OPTION,
  ],
  run: async (typed, world) => runModel(typed, world),
};

/** Options of each action. `add` has no `--key`, because users could then believe that `add` also signs the weights. */
const OPTIONS = {
  add: ["dir"],
  list: ["dir"],
  sign: ["key", "passphrase-fd"],
  verify: ["trust"],
  eval: ["every"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const isAction = (word: string): word is keyof typeof OPTIONS => Object.hasOwn(OPTIONS, word);

function runModel(typed: ParsedArguments, world: World): ExitStatus {
  const [action = "", file] = typed.operands;
  if (!isAction(action)) return refuse(world, 2, `'${action}' is none of ${Object.keys(OPTIONS).join(", ")}`);
  const own: readonly string[] = OPTIONS[action];
  const idle = [...typed.values.keys()].find((name) => !own.includes(name));
  if (idle !== undefined) return refuse(world, 2, `${action} has no --${idle}`);
  if (action === "list") return file === undefined ? list(typed, world) : refuse(world, 2, "list takes no file");
  if (file === undefined) return refuse(world, 2, `${action} what? FILE is missing`);
  switch (action) {
    case "add":
      return add(file, typed, world);
    case "sign":
      return sign(file, typed, world);
    case "verify":
      return verify(file, typed, world);
    case "eval":
      return measure(file, typed, world);
  }
}

const getFolder = (typed: ParsedArguments): string => typed.values.get("dir") ?? MODELS;

function add(file: string, typed: ParsedArguments, world: World): ExitStatus {
  const added = addWeights(resolve(world.folder, file), resolve(world.folder, getFolder(typed)));
  if (!added.ok) return refuse(world, 3, added.reason);
  const shown = join(getFolder(typed), basename(file));
  const facts = readFacts(shown, world);
  if (!facts.ok) return refuse(world, 3, facts.reason);
  const name = nameFrom(basename(file).toLowerCase().replace(/\..*$/, ""), "model");
  const page = renderDeclaration(name, facts.value);
  const next = `Before a build: \`capc model sign ${shown} --key FILE\`, and \`capc build --trust-weights\` names that key.`;
  tell({ ...facts.value, page }, [...renderWeightsFacts(facts.value), "", page, "", next], typed, world);
  return 0;
}

function sign(file: string, typed: ParsedArguments, world: World): ExitStatus {
  const path = resolve(world.folder, file);
  const named = typed.values.get("key");
  if (named === undefined) return refuse(world, 2, "signed by whom? --key FILE is missing");
  const header = readWeightsHeader(path);
  if (!header.ok) return refuse(world, 3, header.reason);
  const ask = (): Result<string> => readPassphrase(typed, `passphrase of ${named}: `, world);
  const key = readSigningKey(resolve(world.folder, named), ask);
  if (!key.ok) return refuse(world, 3, key.reason);
  const signed = signWeights(path, header.value, key.value);
  return signed.ok
    ? judge(
        {
          facts: readWeightsFacts(file, path, header.value),
          card: signed.value,
          trusted: [encodeHex(key.value.publicKey)],
        },
        typed,
        world,
      )
    : refuse(world, 3, signed.reason);
}

function verify(file: string, typed: ParsedArguments, world: World): ExitStatus {
  const trusted = readPublicKeys(typed.values.get("trust"), world);
  if (!trusted.ok) return refuse(world, 3, trusted.reason);
  const path = resolve(world.folder, file);
  const header = readWeightsHeader(path);
  if (!header.ok) return refuse(world, header.isMalformed ? 1 : 3, header.reason);
  const card = computeCardBytes(path, header.value);
  return judge(
    { facts: readWeightsFacts(file, path, header.value), card, trusted: trusted.value.map(encodeHex) },
    typed,
    world,
  );
}

/** Weights with their card, and the trusted keys. */
interface JudgedWeights {
  readonly facts: WeightsFacts;
  readonly card: Uint8Array;
  readonly trusted: readonly string[];
}

/** Checks weights, prints the findings and returns the exit status; `card` describes the weights. */
function judge({ facts, card, trusted }: JudgedWeights, typed: ParsedArguments, world: World): ExitStatus {
  const faults = findWeightsFaults(resolve(world.folder, facts.file), card, facts, trusted);
  tell({ ...facts, faults }, renderWeightsFacts(facts), typed, world);
  for (const fault of faults) refuse(world, 1, `${facts.file}: ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

function list(typed: ParsedArguments, world: World): ExitStatus {
  const folder = resolve(world.folder, getFolder(typed));
  if (typed.values.has("dir") && !existsSync(folder)) return refuse(world, 3, `${folder} does not exist`);
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".gguf") || existsSync(getCardPath(join(folder, name))))
        .sort()
    : [];
  const read = files.map((name) => readFacts(join(getFolder(typed), name), world));
  const models = read.flatMap((each) => (each.ok ? [each.value] : []));
  const faults = read.flatMap((each) => (each.ok ? [] : [each.reason]));
  const none = models.length === 0 ? [`no weights in ${getFolder(typed)}`] : [];
  tell({ models, faults }, [...models.flatMap(renderWeightsFacts), ...none], typed, world);
  for (const fault of faults) refuse(world, 1, escapeInvisible(fault));
  return faults.length === 0 ? 0 : 1;
}

function measure(file: string, typed: ParsedArguments, world: World): ExitStatus {
  const every = typed.values.get("every") ?? "1";
  if (!/^[1-9]\d{0,2}$/.test(every)) return refuse(world, 2, "--every is a number from 1 to 999");
  const path = resolve(world.folder, file);
  const header = readWeightsHeader(path);
  if (!header.ok) return refuse(world, header.isMalformed ? 1 : 3, header.reason);
  const asJson = typed.switches.has("json");
  const measured = evaluate(path, Number(every), asJson ? "json" : "text");
  if (!measured.ok) return refuse(world, 1, escapeInvisible(measured.reason));
  world.print(asJson ? `${JSON.stringify({ results: JSON.parse(measured.value) }, undefined, 2)}\n` : measured.value);
  return 0;
}

function readFacts(file: string, world: World): Result<WeightsFacts> {
  const path = resolve(world.folder, file);
  const header = readWeightsHeader(path);
  return header.ok ? { ok: true, value: readWeightsFacts(file, path, header.value) } : header;
}

function tell(facts: object, lines: readonly string[], typed: ParsedArguments, world: World): void {
  if (typed.switches.has("json")) world.print(`${JSON.stringify(facts, undefined, 2)}\n`);
  else for (const line of lines) world.print(`${escapeInvisible(line)}\n`);
}
