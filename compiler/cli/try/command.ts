// Implements capc try: a person talks with a page's agent in this terminal, without a machine.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { accept, refuse as fail, type Result } from "../../../engine/lib/result/result.ts";
import { escapeInvisible, isError } from "../../../lang/diagnostics/index.ts";
import { placeOf } from "../../../lang/text/index.ts";
import { encodeTables } from "../../../targets/tables/tables.ts";
import { type CompileCache, createKept } from "../../compile.ts";
import { explainRefusal, readText } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { readScript, type Script } from "../../machine/chat/script.ts";
import type { Verdict } from "../../machine/chat/verdict.ts";
import { judgeFolder } from "../../machine/effects.ts";
import { createSigner } from "../../machine/signer.ts";
import { computeDifference } from "../../queries/diff/index.ts";
import { listLocalModels, type TrialPage } from "../../trial/plan.ts";
import { openTrial, type Trial } from "../../trial/trial.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { reportOf } from "../diff/report.ts";
import { createSide } from "../diff/side.ts";
import { diffLines } from "../diff/text.ts";
import { compilePage, hasErrors, type PageCompiled, requireLawful } from "../page.ts";
import { tellFindings, tellOnly } from "../render-findings.ts";
import { waitForChange } from "../watch.ts";
import { createPlayer, findUnplayable, leaveStart, type Player } from "./scripted.ts";
import { openTerminal, type TrialTerminal } from "./terminal.ts";

const refuse = createRefuser("try");

/** A trial needs what a build needs: programs and weights. Proofs are left to `capc check`. */
const PURPOSE = { purpose: "build", proofs: "left" } as const;

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
    { name: "watch", does: "use the page again when its files change, and show the changes in meaning" },
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
  if (typed.switches.has("watch") && script !== undefined)
    return refuse(world, 2, "--watch is for a person, not for --script");
  const kept = createKept();
  const page = await compilePage(file, world, { ...PURPOSE, kept });
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
    const own = typed.values.get("disk");
    const disk = prepareDisk(own === undefined ? join(scratch, "disk") : resolve(world.folder, own), page.path);
    if (!disk.ok) return refuse(world, 3, disk.reason);
    const weights = await openModels(policy, scratch);
    if (!weights.ok) return refuse(world, 3, weights.reason);
    const tried = { policy, origins, tables: encodeTables(policy), ...weights.value };
    world.report(WARNING);
    const keys = typed.values.get("keys");
    const work = { page: tried, disk: disk.value, before: join(dirname(page.path), DISK) };
    const watched = typed.switches.has("watch") ? { file, kept, page, scratch } : undefined;
    return script === undefined
      ? await talk(work, { say: typed.values.get("say"), watched }, world)
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

/** Fills a new folder from the files beside the page. If the folder exists, its files stay unchanged. */
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

/**
 * Opens the weights of the page's local models, and stores their engine in a folder. If the page has no local models,
 * it loads neither.
 */
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
  /**
   * Resolves when the trial ends: with `undefined` if the person left, or with the reason why the trial cannot
   * continue.
   */
  readonly over: PromiseWithResolvers<string | undefined>;
}

/** Opens a trial, and reports the processes that do not run in it. */
async function open({ page, disk }: Work, { front, over }: Talk, world: World): Promise<Trial> {
  const trial = await openTrial({ page, disk, front, onBroken: over.resolve });
  for (const name of trial.absent)
    world.report(`capc try: ${name} is a static program, which runs in a machine alone\n`);
  return trial;
}

/** A page whose files are watched. */
interface Watched {
  /** As the user typed it. */
  readonly file: string;
  readonly kept: CompileCache;
  readonly page: PageCompiled;
  readonly scratch: string;
}

async function talk(
  work: Work,
  { say, watched }: { readonly say: string | undefined; readonly watched: Watched | undefined },
  world: World,
): Promise<ExitStatus> {
  const over = Promise.withResolvers<string | undefined>();
  const terminal = openTerminal(() => over.resolve(undefined));
  world.interrupted.addEventListener("abort", () => over.resolve(undefined), { once: true });
  try {
    const trial = await open(work, { front: terminal, over }, world);
    if (say !== undefined) trial.console.enter({ text: say, pieces: [{ text: say.trim(), isPasted: false }] });
    const broken =
      watched === undefined
        ? await over.promise.finally(() => trial.end())
        : await followPage(work, { front: terminal, over }, { trial, watched }, world);
    return broken === undefined ? 0 : refuse(world, 3, escapeInvisible(broken));
  } finally {
    terminal.close();
  }
}

/** Restarts a trial with each new version of its page, until the person has left. */
async function followPage(
  work: Work,
  talking: Talk,
  begun: { readonly trial: Trial; readonly watched: Watched },
  world: World,
): Promise<string | undefined> {
  const { file, kept, scratch } = begun.watched;
  const stop = new AbortController();
  let { trial } = begun;
  let before = begun.watched.page;
  let readings = before.readings;
  const left = talking.over.promise.then((broken) => ({ broken }));
  for (;;) {
    const changed = await Promise.race([left, waitForChange([readings], stop.signal)]);
    if (typeof changed === "object") {
      stop.abort();
      await trial.end();
      return changed.broken;
    }
    const page = await compilePage(file, world, { ...PURPOSE, kept });
    readings = page.readings;
    const fault = page.kind === "unreadable" ? page.reason : explainErrors(page);
    if (fault !== undefined || page.kind === "unreadable") {
      trial.console.tell(`the changed page is not taken up: ${fault}`);
      continue;
    }
    const { policy, origins } = requireLawful(page.compiled);
    const weights = await openModels(policy, scratch);
    if (!weights.ok) {
      trial.console.tell(`the changed page is not taken up: ${weights.reason}`);
      continue;
    }
    const changes = describeChanges(file, before, page);
    before = page;
    await trial.end();
    trial = await open(
      { ...work, page: { policy, origins, tables: encodeTables(policy), ...weights.value } },
      talking,
      world,
    );
    for (const line of changes) trial.console.tell(line);
    trial.console.tell("the page is taken up, in a new conversation; /resume continues the one before");
  }
}

/** Returns the first error of a page, or `undefined` if it has none. */
function explainErrors({ compiled }: PageCompiled): string | undefined {
  if (!hasErrors(compiled)) return undefined;
  const errors = compiled.diagnostics.filter(isError);
  const [first] = errors;
  if (first === undefined) return "it has no policy";
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : "";
  return `${placeOf(first.span)}: ${first.message}${more}`;
}

/** Returns what changed in meaning, in lines for a person. */
function describeChanges(name: string, before: PageCompiled, after: PageCompiled): readonly string[] {
  const [old, next] = [before, after].map(({ compiled, view }) =>
    createSide(name, { ...requireLawful(compiled), view }),
  );
  if (old === undefined || next === undefined) return [];
  const [, ...lines] = diffLines(reportOf(old, next, computeDifference(old, next), undefined));
  return lines.filter((line) => line !== "");
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
  const trial = await open(work, { front: player, over }, world);
  const broken = await over.promise;
  await trial.end();
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
