// capc try: talk with a page's agent in this terminal, without a machine.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { accept, refuse as fail, type Result } from "../../../engine/lib/result/result.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { encodeTables } from "../../../targets/tables/tables.ts";
import { explainRefusal, readText } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { readScript, type Script } from "../../machine/chat/script.ts";
import type { Verdict } from "../../machine/chat/verdict.ts";
import { judgeFolder } from "../../machine/effects.ts";
import { createSigner } from "../../machine/signer.ts";
import { listLocalModels, type TrialPage } from "../../trial/plan.ts";
import { openTrial } from "../../trial/trial.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { compilePage, hasErrors, requireLawful } from "../page.ts";
import { tellFindings, tellOnly } from "../render-findings.ts";
import { createPlayer, findUnplayable, leaveStart, type Player } from "./scripted.ts";
import { openTerminal, type TrialTerminal } from "./terminal.ts";

const refuse = createRefuser("try");

/** Folder beside the page with the initial files of its data disk. */
const DISK = "disk";

export const tryPage: Command = {
  name: "try",
  operands: ["FILE"],
  does: "talk with a page's agent in this terminal, without a machine",
  details: `Runs the processes of the page's image inside capc, with the real gate, broker, audit and models.
Use it only to try a page: its processes are not isolated from each other or from you. For any other
purpose use \`capc build\` and \`capc run\`.
Services work on a copy of the folder disk/ beside the page. The copy is deleted at the end. With
--disk DIR the files, conversations and audit are kept in DIR.
The console has the commands of a machine's console: /help lists them, Ctrl-C stops an answer, /exit
ends the session. --script plays a .chat script and ends with 1 if an expectation fails.`,
  options: [
    { name: "disk", value: "DIR", does: "keep files, conversations and the audit in this folder" },
    { name: "say", value: "TEXT", does: "send this line first" },
    { name: "script", value: "FILE", does: "play a .chat script" },
    { name: "keys", value: "DIR", does: "private keys with which a script signs step-ups" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: runTry,
};

const WARNING =
  "capc try: nothing is isolated here: services and models run with your rights, and the page alone limits them\n";

async function runTry(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [file = ""] = typed.operands;
  const scriptPath = typed.values.get("script");
  const script = scriptPath === undefined ? undefined : loadScript(resolve(world.folder, scriptPath), world);
  if (script !== undefined && "status" in script) return script.status;
  if (typed.switches.has("json") && script === undefined) return refuse(world, 2, "--json goes with --script");
  const page = await compilePage(file, world, { purpose: "build", proofs: "left" });
  if (page.kind === "unreadable") return refuse(world, 3, page.reason);
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return 1;
  }
  tellFindings(page.compiled.diagnostics, typed, world);
  const { policy, origins } = requireLawful(page.compiled);
  if (policy.image.target !== "linux")
    return refuse(world, 2, "the page is for upstream's kernel, which is not tried here");
  const scratch = mkdtempSync(join(tmpdir(), "capc-try-"));
  try {
    const kept = typed.values.get("disk");
    const disk = prepareDisk(kept === undefined ? join(scratch, "disk") : resolve(world.folder, kept), page.path);
    if (!disk.ok) return refuse(world, 3, disk.reason);
    const weights = await openModels(policy, scratch);
    if (!weights.ok) return refuse(world, 3, weights.reason);
    const tried = { policy, origins, tables: encodeTables(policy), ...weights.value };
    world.report(WARNING);
    const keys = typed.values.get("keys");
    const work = { page: tried, disk: disk.value, before: join(dirname(page.path), DISK) };
    return script === undefined
      ? await talk(work, typed.values.get("say"), world)
      : await play({ ...work, script, keys: keys && resolve(world.folder, keys) }, typed, world);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface LoadedScript {
  readonly name: string;
  readonly script: Script;
}

function loadScript(path: string, world: World): LoadedScript | { readonly status: ExitStatus } {
  const source = readText(path);
  if (!source.ok) return { status: refuse(world, 3, source.reason) };
  const read = readScript(source.value, (name) => {
    const named = readText(resolve(dirname(path), name));
    return named.ok ? named.value : undefined;
  });
  const name = basename(path);
  const unplayable = read.ok ? findUnplayable(read.script) : undefined;
  const faults = read.ok ? (unplayable === undefined ? [] : [unplayable]) : read.faults;
  for (const { line, reason } of faults) world.report(`${name}:${line}: ${reason}\n`);
  return read.ok && faults.length === 0 ? { name, script: read.script } : { status: 2 };
}

/** Fills a new folder from the files beside the page. A folder that is there stays as it is. */
function prepareDisk(folder: string, page: string): Result<string> {
  const initial = join(dirname(page), DISK);
  try {
    if (existsSync(folder)) return accept(folder);
    mkdirSync(folder, { recursive: true });
    if (existsSync(initial)) cpSync(initial, folder, { recursive: true });
    return accept(folder);
  } catch (error) {
    return fail(explainRefusal(folder, error));
  }
}

/** Opens the weights of the page's local models, and lays their engine out; a page without any loads neither. */
async function openModels(
  policy: TrialPage["policy"],
  scratch: string,
): Promise<Result<Pick<TrialPage, "weights" | "engine">>> {
  const models = listLocalModels(policy);
  if (models.length === 0) return accept({ weights: new Map(), engine: "" });
  const { layOutEngine, openWeights } = await import("../../trial/weights.ts");
  const engine = layOutEngine(join(scratch, "engine"));
  if (!engine.ok) return engine;
  const weights = new Map();
  for (const model of models) {
    const opened = openWeights(model);
    if (!opened.ok) return opened;
    weights.set(model.name, opened.value);
  }
  return accept({ weights, engine: engine.value });
}

interface Work {
  readonly page: TrialPage;
  readonly disk: string;
  /** Folder of the disk's initial files. */
  readonly before: string;
}

interface Talk {
  readonly front: TrialTerminal | Player;
  /** Resolves when the person has left, or with the reason for which the trial cannot go on. */
  readonly over: PromiseWithResolvers<string | undefined>;
  /** First line of the person. */
  readonly say?: string | undefined;
}

/** Runs a trial until the person has left. Returns the reason if a process died without which an image does not run. */
async function runUntilLeft(
  { page, disk }: Work,
  { front, over, say }: Talk,
  world: World,
): Promise<string | undefined> {
  const trial = await openTrial({ page, disk, front, onBroken: over.resolve });
  for (const name of trial.absent)
    world.report(`capc try: ${name} is a static program, which runs in a machine alone\n`);
  if (say !== undefined) trial.console.enter({ text: say, pieces: [{ text: say.trim(), isPasted: false }] });
  const reason = await over.promise;
  await trial.end();
  return reason;
}

async function talk(work: Work, say: string | undefined, world: World): Promise<ExitStatus> {
  const over = Promise.withResolvers<string | undefined>();
  const terminal = openTerminal(() => over.resolve(undefined));
  world.interrupted.addEventListener("abort", () => over.resolve(undefined), { once: true });
  try {
    const broken = await runUntilLeft(work, { front: terminal, over, say }, world);
    return broken === undefined ? 0 : refuse(world, 3, escapeInvisible(broken));
  } finally {
    terminal.close();
  }
}

async function play(
  work: Work & { readonly script: LoadedScript; readonly keys: string | undefined },
  typed: ParsedArguments,
  world: World,
): Promise<ExitStatus> {
  const { name } = work.script;
  const { script, left } = leaveStart(work.script.script);
  if (left > 0)
    world.report(`capc try: ${left} expectations of ${name} are about a machine's start, and are not judged\n`);
  const isJson = typed.switches.has("json");
  const show = (line: string): void => (isJson ? world.report : world.print)(`${line}\n`);
  const over = Promise.withResolvers<string | undefined>();
  world.interrupted.addEventListener("abort", () => over.resolve("interrupted"), { once: true });
  const player = createPlayer(script, createSigner(work.keys), show, () => over.resolve(undefined));
  const broken = await runUntilLeft(work, { front: player, over }, world);
  const { judgeAudit } = await import("../audit/claims.ts");
  const verdicts: readonly Verdict[] = [
    ...player.end(),
    {
      line: 0,
      passed: broken === undefined,
      words: `the trial ends in order${broken === undefined ? "" : `; ${broken}`}`,
    },
    ...judgeFolder(script.disk, work.disk, work.before),
    ...(await judgeAudit(script.audit, join(work.disk, ".audit"), { told: player.acknowledged }, show)),
  ];
  const failed = verdicts.filter(({ passed }) => !passed);
  const passed = verdicts.length - failed.length;
  for (const { line, words } of failed) world.report(`${name}${line > 0 ? `:${line}` : ""}: failed: ${words}\n`);
  if (isJson) world.print(`${JSON.stringify({ passed, failed: failed.length, verdicts })}\n`);
  else world.print(`${passed} passed, ${failed.length} failed\n`);
  return failed.length === 0 ? 0 : 1;
}
