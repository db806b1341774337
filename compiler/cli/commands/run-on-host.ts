// capc run --on-host runs an image on this Linux host, in the jails of its init, without a machine.

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { accept, refuse as fail, type Result } from "../../../engine/lib/result/result.ts";
import { Trust } from "../../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import { openImage as openMedium, readImageFile } from "../../artefacts/inspect/opened.ts";
import { readTrust } from "../../artefacts/inspect/trust.ts";
import { useFile } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import type { Script } from "../../machine/chat/script.ts";
import { explainEnd, startInteractive } from "../../machine/guest.ts";
import type { ImageFile } from "../../machine/image-file.ts";
import { buildHostArguments, HOST_PROGRAM, UNFIT_HOST } from "../../machine/on-host.ts";
import { prepareDisk } from "../../machine/run-disk.ts";
import { createRefuser, type ParsedArguments } from "../command.ts";
import {
  createPathReader,
  explainMisuse,
  loadScript,
  openPassphrase,
  openProvedImage,
  refuseNoTerminal,
} from "./run-plan.ts";
import { runForScript } from "./run-scripted.ts";

const refuse = createRefuser("run");

/** Options that describe a virtual machine, so a run on the host refuses them. */
const OF_MACHINES = [
  "record",
  "web",
  "network",
  "syslog",
  "firmware",
  "device",
  "secure-boot",
  "memory",
  "processors",
] as const;

/** Maximum bytes of an initrd; capc never makes a larger one. */
const MOST_INITRD_BYTES = 64 * 1024 * 1024;

interface HostPlan {
  readonly image: ImageFile;
  readonly trust: Uint8Array;
  readonly script: { readonly name: string; readonly script: Script } | undefined;
  readonly disk: string | undefined;
  readonly files: string | undefined;
  readonly keys: string | undefined;
  readonly passphrase: string | undefined;
  readonly say: string | undefined;
  readonly without: readonly string[];
  readonly json: boolean;
}

export async function runOnHost(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const plan = planHost(typed, world);
  if (typeof plan === "function") return plan();
  const scratch = mkdtempSync(join(tmpdir(), "capc-host-"));
  try {
    const disk = prepareDisk(plan, scratch);
    if (!disk.ok) return refuse(world, 3, disk.reason);
    const trust = join(scratch, "trust.bin");
    writeFileSync(trust, plan.trust);
    return await start(plan, { disk: disk.value, trust, scratch }, world);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function start(
  plan: HostPlan,
  { disk, trust, scratch }: { readonly disk: string | undefined; readonly trust: string; readonly scratch: string },
  world: World,
): Promise<ExitStatus> {
  const { say, script, without } = plan;
  const isRelayed = say !== undefined;
  const words = buildHostArguments({ image: plan.image.path, trust, disk, without, isRelayed });
  if (script !== undefined) {
    const collectors = { syslog: join(scratch, "syslog.log"), otlp: join(scratch, "otlp.log") };
    const guest = { program: HOST_PROGRAM, kind: "host", words } as const;
    return runForScript({ ...plan, played: script, guest, around: { disk, collectors, scratch } }, world);
  }
  world.report("capc: /exit ends the run; Ctrl-A X ends it by force\n");
  const end = await startInteractive({ program: HOST_PROGRAM, words, stop: world.interrupted, say });
  // The program that runs the image on the host has already printed why this host cannot run the image.
  if (end.kind === "exited" && end.status === UNFIT_HOST) return 3;
  const reason = explainEnd(end);
  return reason === undefined ? 0 : refuse(world, 3, `the run did not end well: ${reason}`);
}

/**
 * Reads the options, the image and the script of a run on the host. If they do not permit the run, returns a function
 * that reports the reason.
 */
function planHost(typed: ParsedArguments, world: World): HostPlan | (() => ExitStatus) {
  const resolvePath = createPathReader(typed, world);
  const odd = OF_MACHINES.find((name) => typed.values.has(name));
  if (odd !== undefined)
    return () => refuse(world, 2, `--${odd} is for a machine, and --on-host starts none; leave it out`);
  const opened = openProvedImage(typed, world);
  if (typeof opened === "function") return opened;
  const { image } = opened;
  const scriptPath = resolvePath("script");
  const say = typed.values.get("say");
  if (scriptPath === undefined && !world.inputIsTerminal) return () => refuseNoTerminal(world);
  const script = scriptPath === undefined ? undefined : loadScript(scriptPath, world);
  if (typeof script === "function") return script;
  const disk = resolvePath("disk");
  const secret = openPassphrase(resolvePath("passphrase-file"), world);
  if (typeof secret === "function") return secret;
  const common = { image, disk, files: resolvePath("files"), keys: resolvePath("keys"), ...secret };
  const wrong = explainMisuse(common, script);
  if (wrong !== undefined) return () => refuse(world, 2, wrong);
  const trust = readTrustOf(image);
  if (!trust.ok) return () => refuse(world, 3, trust.reason);
  return {
    ...common,
    trust: trust.value,
    script: script && { name: basename(scriptPath ?? ""), script },
    say,
    without: typed.lists.get("without") ?? [],
    json: typed.switches.has("json"),
  };
}

/** Returns the keys that the image's own init trusts, as its initrd contains them. */
function readTrustOf({ path, format }: ImageFile): Result<Uint8Array> {
  if (format !== "raw") return fail(`${path} is a qcow2 image, and a run on this host needs the ISO of the same build`);
  return useFile(path, (readAt) => {
    const medium = openMedium(readAt, statSync(path).size);
    const initrd = medium === undefined ? undefined : readImageFile(medium, IMAGE_PATHS.initrd, MOST_INITRD_BYTES);
    const trust = initrd === undefined ? undefined : readTrust(initrd);
    return trust === undefined ? fail(`${path} is not an image of capc`) : accept(encodeMessage(Trust, trust));
  });
}
