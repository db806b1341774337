// capc run boots an image in QEMU, for a user at the terminal or for a script.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildEsp } from "../../../engine/image/uefi/esp.ts";
import { accept, refuse as fail, type Result } from "../../../engine/lib/result/result.ts";
import { explainRefusal, readText } from "../../host/files.ts";
import { ensureStateFolder } from "../../host/state-folder.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Accelerator, chooseAccelerator } from "../../machine/accelerator.ts";
import type { Script } from "../../machine/chat/script.ts";
import type { Verdict } from "../../machine/chat/verdict.ts";
import { type CollectorFiles, judgeBlank, judgeCollector, judgeEffects } from "../../machine/effects.ts";
import { enrolCertificate } from "../../machine/enrolled.ts";
import { FIRMWARES, type Firmware } from "../../machine/firmware.ts";
import { startInteractive } from "../../machine/guest.ts";
import { planLink } from "../../machine/link/start.ts";
import { buildQemuArguments, DEVICES } from "../../machine/qemu.ts";
import { makeDisk, unlockDisk } from "../../machine/run-disk.ts";
import { runScript } from "../../machine/scripted-run.ts";
import { createSigner } from "../../machine/signer.ts";
import { judgeAudit } from "../audit/claims.ts";
import { startFollowing } from "../audit/following.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { tellVerdicts } from "../played-script.ts";
import { type Plan, planRun } from "./run-plan.ts";

const refuse = createRefuser("run");

export const run: Command = {
  name: "run",
  operands: ["IMAGE"],
  does: "boot an image in QEMU",
  details: `On a terminal you get the machine's console. /exit ends the machine, Ctrl-C goes to the machine, and
Ctrl-A X ends QEMU by force. If the console of the image is on the screen, a window shows the
screen. Without a display, the terminal shows it as text, with BIOS only.
With --script a scripted conversation is run and checked (compiler/machine/chat/README.md), without
a terminal. QEMU uses KVM if a short test shows that KVM works on this host. Otherwise it emulates
the processor.`,
  options: [
    {
      name: "script",
      value: "FILE",
      does: "run a .chat script, and end with 1 if an expectation fails",
    },
    {
      name: "disk",
      value: "FILE",
      does: "data disk, made if it does not exist (default for a script: a new disk)",
    },
    {
      name: "files",
      value: "DIR",
      does: "copy the files of this folder to a new data disk (default: none, or a blank disk)",
    },
    {
      name: "record",
      value: "FILE",
      does: "record each write and flush of the data disk, to simulate power cuts",
    },
    {
      name: "passphrase-file",
      value: "FILE",
      does: "passphrase of an encrypted data disk, for a script and for --files",
    },
    {
      name: "web",
      value: "DIR",
      does: "with a network, serve the files of this folder at http://10.0.2.80",
    },
    {
      name: "network",
      value: "FILE",
      does: "with a network, DHCP leases and DNS names of this file (compiler/machine/link)",
    },
    {
      name: "syslog",
      value: "FILE",
      does: "with a network, write the messages for the collector at 10.0.2.80:514 to this file",
    },
    { name: "keys", value: "DIR", does: "private keys with which a script signs step-up requests" },
    {
      name: "firmware",
      value: "NAME",
      choices: FIRMWARES,
      does: "firmware: bios (if the image supports it) or uefi",
    },
    {
      name: "device",
      value: "NAME",
      choices: DEVICES,
      does: `attach the image as this device: ${DEVICES.join(", ")} (default: virtio)`,
    },
    {
      name: "secure-boot",
      value: "CERT",
      does: "boot by UEFI, and start only a boot program that the key of this certificate signed",
    },
    { name: "memory", value: "MIB", does: "memory of the machine in MiB (default: as on the page, or 512)" },
    {
      name: "processors",
      value: "N",
      does: "number of processors (default: 1; under emulation more processors are slower)",
    },
    { name: "unproved", does: "boot an image of `capc build --unproved`" },
    JSON_OPTION,
  ],
  run: runCommand,
};

/** Maximum number of processors of QEMU's board; more processors need further options. */
const MOST_PROCESSORS = 255;

async function runCommand(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const memory = typed.values.get("memory");
  if (memory !== undefined && !/^[1-9]\d{1,5}$/.test(memory)) return refuse(world, 2, "--memory is a number of MiB");
  const processors = Number(typed.values.get("processors") ?? "1");
  if (!Number.isInteger(processors) || processors < 1 || processors > MOST_PROCESSORS)
    return refuse(world, 2, `--processors is a number from 1 to ${MOST_PROCESSORS}`);
  const plan = planRun(typed, world, { memoryMiB: memory === undefined ? undefined : Number(memory), processors });
  if (typeof plan === "function") return plan();
  const scratch = mkdtempSync(join(tmpdir(), "capc-run-"));
  try {
    return await boot(plan, scratch, world);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const NETWORK =
  "network: the page has one, so the machine reaches others through this host, which it finds itself at 10.0.2.2\n";

async function boot(plan: Plan, scratch: string, world: World): Promise<ExitStatus> {
  const needsDisk = plan.script !== undefined && !plan.script.script.hasNoDisk;
  const disk = plan.disk ?? (needsDisk ? join(scratch, "data.img") : undefined);
  if (disk !== undefined && !existsSync(disk)) {
    const made = makeDisk(disk, plan);
    if (!made.ok) return refuse(world, 3, `the data disk cannot be made: ${made.reason}`);
  }
  const accelerator = chooseAccelerator(plan.qemu, join(ensureStateFolder(), "accelerator"));
  world.report(`${describeAccelerator(accelerator)}\n`);
  if (plan.image.hasNetwork) world.report(NETWORK);
  const interactive = plan.script === undefined;
  const { image, memoryMiB, processors } = plan;
  const { device } = plan.machine;
  const firmware =
    plan.secureBoot === undefined ? accept(plan.machine.firmware) : enrol(plan, plan.secureBoot, scratch);
  if (!firmware.ok) return refuse(world, 3, firmware.reason);
  const startFrom = image.program === undefined ? undefined : startDisk(image.program, scratch);
  if (startFrom !== undefined && !startFrom.ok) return refuse(world, 3, startFrom.reason);
  const isDiskThrownAway = plan.disk === undefined;
  const start = startFrom === undefined ? {} : { startFrom: startFrom.value };
  const medium = { image: image.path, format: image.format, firmware: firmware.value, device, ...start };
  const recorded = beginRecord(plan.record);
  if (!recorded.ok) return refuse(world, 3, recorded.reason);
  const { hasNetwork } = image;
  const web = plan.web === undefined ? {} : { web: plan.web };
  const collectors = { syslog: plan.syslog ?? join(scratch, "syslog.log"), otlp: join(scratch, "otlp.log") };
  const link = hasNetwork ? await planLink(plan.network, collectors, scratch) : undefined;
  const guest = {
    ...medium,
    disk,
    hasNetwork,
    ...web,
    ...(link === undefined ? {} : { link: link.plan }),
    isDiskThrownAway,
    ...recorded.value,
    memoryMiB,
    processors,
    interactive,
    ...(plan.screen === undefined ? {} : { screen: plan.screen }),
  };
  const words = buildQemuArguments(guest, accelerator);
  try {
    return plan.script === undefined
      ? await runForPerson(plan, words, world)
      : await runForScript(plan, { played: plan.script, words, around: { disk, collectors, scratch } }, world);
  } finally {
    link?.end();
  }
}

/**
 * Returns the firmware with a store of variables in which the certificate is enrolled. Refuses a machine with BIOS, and
 * a file that is not a certificate.
 */
function enrol({ machine }: Plan, certificate: string, scratch: string): Result<Firmware> {
  const { firmware } = machine;
  const text = readText(certificate);
  if (!text.ok) return text;
  if (firmware.kind === "bios") return fail("Secure Boot is UEFI's: BIOS has none");
  const made = enrolCertificate(readFileSync(firmware.variables), text.value);
  if (!made.ok) return made;
  const variables = join(scratch, "variables.fd");
  writeFileSync(variables, made.value);
  return accept({ ...firmware, variables });
}

/** Makes a disk with a UEFI program at the path where firmware searches for it. */
function startDisk(program: Buffer, scratch: string): Result<string> {
  const made = buildEsp(program);
  if (!made.ok) return made;
  const path = join(scratch, "start.img");
  writeFileSync(path, made.value);
  return { ok: true, value: path };
}

/** Makes the empty file to which QEMU records writes. Refuses a path that cannot be written. */
function beginRecord(path: string | undefined): Result<{ readonly diskRecord?: string }> {
  if (path === undefined) return accept({});
  try {
    writeFileSync(path, "");
    return accept({ diskRecord: path });
  } catch (error) {
    return fail(explainRefusal(path, error));
  }
}

function describeAccelerator(accelerator: Accelerator): string {
  return accelerator.name === "kvm"
    ? "capc: the machine runs under KVM"
    : `capc: the machine is emulated, which is slower (${accelerator.because})`;
}

async function runForPerson(plan: Plan, words: readonly string[], world: World): Promise<ExitStatus> {
  world.report(`capc: /exit ends the machine${plan.screen === undefined ? "; Ctrl-A X ends it by force" : ""}\n`);
  const end = await startInteractive(plan.qemu, words, world.interrupted);
  if (end.kind === "exited" && end.status === 0) return 0;
  const reason = end.kind === "neverStarted" ? end.reason : end.kind === "killed" ? end.signal : `status ${end.status}`;
  return refuse(world, 3, `QEMU did not end well: ${reason}`);
}

/** A script, the arguments of QEMU, and the devices around the machine. */
interface ScriptedRun {
  readonly played: { name: string; script: Script };
  readonly words: readonly string[];
  readonly around: { readonly disk: string | undefined; readonly collectors: CollectorFiles; readonly scratch: string };
}

async function runForScript(
  plan: Plan,
  { played: { name, script }, words, around: { disk, collectors, scratch } }: ScriptedRun,
  world: World,
): Promise<ExitStatus> {
  const format = plan.json ? "json" : "text";
  const print = plan.json ? world.report : world.print;
  const show = (line: string): void => print(`${line}\n`);
  const { qemu, passphrase } = plan;
  const { interrupted } = world;
  const isFollowed = script.audit.some(({ kind }) => kind === "followed");
  const follower = disk === undefined || !isFollowed ? undefined : startFollowing(disk, passphrase);
  const outcome = await runScript({
    qemu,
    words,
    script,
    sign: createSigner(plan.keys),
    passphrase,
    show,
    interrupted,
  });
  const told = await follower?.();
  if (!outcome.ok) return refuse(world, 3, outcome.reason);
  const { cpuSeconds, acknowledged } = outcome.value;
  const verdicts = [...outcome.value.verdicts, ...judgeCollector(script.collector, collectors)];
  if (disk === undefined) return conclude({ verdicts, cpuSeconds, name }, format, world);
  if (script.leavesBlank)
    return conclude({ verdicts: [...verdicts, judgeBlank(disk)], cpuSeconds, name }, format, world);
  const plain = unlockDisk(disk, passphrase, scratch);
  if (!plain.ok) {
    const words = `the data disk is encrypted with the passphrase; ${plain.reason}`;
    return conclude({ verdicts: [...verdicts, { line: 0, passed: false, words }], cpuSeconds, name }, format, world);
  }
  const seen = { told: acknowledged, ...(told === undefined ? {} : { followed: told }) };
  const left = judgeEffects(script.disk, plain.value, plan.files);
  const logged = await judgeAudit(script.audit, plain.value, seen, show);
  return conclude({ verdicts: [...verdicts, ...left, ...logged], cpuSeconds, name }, format, world);
}

/** The verdicts on a script, and the time that the machine ran. */
interface ScriptOutcome {
  readonly verdicts: readonly Verdict[];
  readonly cpuSeconds: number;
  readonly name: string;
}

function conclude({ verdicts, cpuSeconds, name }: ScriptOutcome, format: "json" | "text", world: World): ExitStatus {
  const lines = [`CPU seconds of the machine: ${cpuSeconds.toFixed(1)}`];
  return tellVerdicts({ name, verdicts, lines, fields: { cpuSeconds } }, format, world);
}
