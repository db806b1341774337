// Implements capc try: a person talks with a page's agent in this terminal, without a machine.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { accept, refuse as fail, type Result } from "../../../engine/lib/result/result.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import { encodeTables } from "../../../targets/tables/tables.ts";
import { createKept } from "../../compile.ts";
import { explainRefusal } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { explainNoKeys } from "../../machine/signer.ts";
import { listServers } from "../../trial/servers.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { compilePage, hasErrors, requireLawful } from "../page.ts";
import { tellFindings, tellOnly } from "../render-findings.ts";
import type { Watched } from "./following.ts";
import { openTerminal } from "./terminal.ts";
import { describeReach, openModels, openWork, PURPOSE, type Web, type Work } from "./work.ts";

const refuse = createRefuser("try");

/** Folder beside the page with the initial files of its data disk. */
const DISK = "disk";

export const tryPage: Command = {
  name: "try",
  operands: ["FILE"],
  does: "talk with a page's agent in this terminal, without a machine",
  details: `Runs the processes of the page's image inside capc, with the real gate, broker, audit and models.
Use it only to try a page: its processes are not isolated from each other or from you. For any other
purpose use \`capc build\` and \`capc run\`. Services that are static programs, and logins with a
passphrase, work only in a machine.
The initial files of a service NAME are in the folder disk/NAME/ beside the page. Services work on a
copy of disk/, which is deleted at the end. With --disk DIR the files, conversations and audit are
kept in DIR. If the command makes DIR, it adds a .gitignore, so that Git ignores the folder.
\`capc audit show DIR\` prints the audit.
The console has the commands of a machine's console: /help lists them, Ctrl-C stops an answer, /exit
ends the command. --script plays a .chat script and ends with 1 if an expectation fails;
compiler/machine/chat/README.md describes the format.
Services and models of the page use the real network. With --web DIR no request leaves capc: it answers requests to
every server of the page, http and https, with files of DIR. For https://HOST/PATH the file is DIR/HOST/PATH; if the
port is not the usual one, HOST:PORT is the name of the folder. For http://10.0.2.80/PATH the file
is DIR/PATH, as in \`capc run\`. For a request with a query, a file PATH?QUERY is preferred to PATH.
If PATH ends with a slash, the file is index.html in that folder. So \`wget -x URL\` in DIR saves
the answer to URL in the right file. A file PATH.status contains the status code of the answer, and a
file PATH.location the address of a redirect. If none of these files exists, the status is 404. --web
does not limit programs of your own (exec): they can still use the real network.`,
  options: [
    { name: "disk", value: "DIR", does: "keep files, conversations and the audit in this folder" },
    { name: "say", value: "TEXT", does: "send this line first" },
    { name: "watch", does: "load the page again when its files change, and show the changes in meaning" },
    { name: "web", value: "DIR", does: "answer requests with the files of this folder, without the network" },
    { name: "script", value: "FILE", does: "play a .chat script" },
    { name: "keys", value: "DIR", does: "folder of the private keys with which a script signs step-up requests" },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "with --script, print one JSON value instead of text" },
  ],
  run: runTry,
};

const WARNING = "capc try: nothing is isolated: services and models have your rights, and only the page limits them\n";

async function runTry(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [file = ""] = typed.operands;
  const scriptPath = typed.values.get("script");
  const playing = scriptPath === undefined ? undefined : await import("./playing.ts");
  const script = playing?.loadScript(resolve(world.folder, scriptPath ?? ""), world);
  if (script !== undefined && "status" in script) return script.status;
  if (typed.switches.has("json") && script === undefined) return refuse(world, 2, "--json goes with --script");
  if (typed.switches.has("watch") && script !== undefined)
    return refuse(world, 2, "--watch is for a person, not for --script");
  const keys = typed.values.get("keys");
  if (keys !== undefined && script === undefined)
    return refuse(world, 2, "--keys goes with --script; a person signs in another terminal");
  const noKeys = keys === undefined ? undefined : explainNoKeys(resolve(world.folder, keys));
  if (noKeys !== undefined) return refuse(world, 2, noKeys);
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
  const web = await openWeb(typed.values.get("web"), policy, world);
  if (!web.ok) return refuse(world, 2, web.reason);
  const scratch = mkdtempSync(join(tmpdir(), "capc-try-"));
  try {
    const own = typed.values.get("disk");
    const disk = prepareDisk(own === undefined ? join(scratch, "disk") : resolve(world.folder, own), page.path);
    if (!disk.ok) return refuse(world, 3, disk.reason);
    const weights = await openModels(policy, scratch);
    if (!weights.ok) return refuse(world, 3, weights.reason);
    const tried = { policy, origins, tables: encodeTables(policy), ...weights.value };
    world.report(WARNING);
    const reached = describeReach(policy, web.value);
    if (reached !== undefined) world.report(`capc try: ${reached}\n`);
    const work = { page: tried, disk: disk.value, before: join(dirname(page.path), DISK), web: web.value };
    const watched = typed.switches.has("watch") ? { file, kept, page, scratch } : undefined;
    return playing === undefined || script === undefined
      ? await talk(work, { say: typed.values.get("say"), watched }, world)
      : await playing.play({ ...work, script, keys: keys && resolve(world.folder, keys) }, typed, world);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Opens the folder of `--web`. Fails if the path is not a folder, or if the page has no network. */
async function openWeb(folder: string | undefined, policy: Policy, world: World): Promise<Result<Web>> {
  if (folder === undefined) return accept({});
  const path = resolve(world.folder, folder);
  if (listServers(policy).length === 0) return fail("the page has no network; leave --web out");
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return fail(`--web is a folder of files, and ${escapeInvisible(folder)} is none`);
  const { createStandIn } = await import("../../machine/stand-in.ts");
  return accept({ folder, standIn: createStandIn(path) });
}

/**
 * Fills a new folder from the files beside the page. The folder contains a person's files and conversations, so Git is
 * told to ignore it. If the folder exists, its files stay unchanged. Fails if the operating system refuses to write the
 * folder.
 */
function prepareDisk(folder: string, page: string): Result<string> {
  const initial = join(dirname(page), DISK);
  try {
    if (existsSync(folder)) return accept(folder);
    mkdirSync(folder, { recursive: true });
    if (existsSync(initial)) cpSync(initial, folder, { recursive: true });
    writeFileSync(join(folder, ".gitignore"), "# Written by capc try.\n*\n");
    return accept(folder);
  } catch (error) {
    return fail(explainRefusal(folder, error));
  }
}

async function talk(
  work: Work,
  { say, watched }: { readonly say: string | undefined; readonly watched: Watched | undefined },
  world: World,
): Promise<ExitStatus> {
  const over = Promise.withResolvers<string | undefined>();
  const terminal = openTerminal(() => over.resolve(undefined), say);
  world.interrupted.addEventListener("abort", () => over.resolve(undefined), { once: true });
  try {
    const trial = await openWork(work, { front: terminal, over }, world);
    const broken =
      watched === undefined
        ? await over.promise.finally(() => trial.end())
        : await (await import("./following.ts")).followPage(work, { front: terminal, over }, { trial, watched }, world);
    return broken === undefined ? 0 : refuse(world, 3, escapeInvisible(broken));
  } finally {
    terminal.close();
  }
}
