// capc run boots an image in QEMU, for a user at the terminal or for a script.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildEsp } from "../../../engine/image/uefi/esp.ts";
import { accept, refuse as fail, type Result } from "../../../engine/lib/result/result.ts";
import { explainRefusal, readText } from "../../host/files.ts";
import { ensureStateFolder } from "../../host/state-folder.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Accelerator, chooseAccelerator } from "../../machine/accelerator.ts";
import { enrolCertificate } from "../../machine/enrolled.ts";
import { FIRMWARES, type Firmware } from "../../machine/firmware.ts";
import { explainEnd, startInteractive } from "../../machine/guest.ts";
import { planLink } from "../../machine/link/start.ts";
import { HOST_PROPERTIES } from "../../machine/on-host.ts";
import { buildQemuArguments, DEVICES } from "../../machine/qemu.ts";
import { prepareDisk } from "../../machine/run-disk.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { runOnHost } from "./run-on-host.ts";
import { type Plan, planRun } from "./run-plan.ts";
import { runForScript } from "./run-scripted.ts";

const refuse = createRefuser("run");

export const run: Command = {
  name: "run",
  operands: ["IMAGE"],
  does: "boot an image in QEMU",
  details: `On a terminal you get the machine's console. /exit ends the machine, Ctrl-C goes to the machine, and
Ctrl-A X ends QEMU by force. If the console of the image is on the screen, a window shows the
screen. If this computer has no display, the terminal shows the screen as text; this works only with BIOS.
With --script a scripted conversation is run and checked (compiler/machine/chat/README.md), without
a terminal. QEMU uses KVM if a short test shows that KVM works on this host. Otherwise it emulates
the processor.
With --on-host the same processes run on this Linux host in the jails of the image's init, without a
machine. This needs root. capc first measures which properties of a machine this host lacks, and
refuses to run until --without names each of them (compiler/machine/ON-HOST.md).`,
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
      does: "copy the files of this folder to a new data disk (default: a new disk is blank)",
    },
    {
      name: "record",
      value: "FILE",
      does: "record each write and flush of the data disk in this file, to simulate power cuts later",
    },
    {
      name: "passphrase-file",
      value: "FILE",
      does: "file with the passphrase of an encrypted data disk, for a script and for --files",
    },
    {
      name: "web",
      value: "DIR",
      does: "if the page has a network, serve the files of this folder at http://10.0.2.80",
    },
    {
      name: "network",
      value: "FILE",
      does: "file with the DHCP lease time and DNS names of the page's network (compiler/machine/link)",
    },
    {
      name: "syslog",
      value: "FILE",
      does: "file that gets the messages for the collector at 10.0.2.80:514 in the page's network",
    },
    { name: "keys", value: "DIR", does: "folder of the private keys with which a script signs step-up requests" },
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
    { name: "say", value: "TEXT", does: "on a terminal, type this line at the first prompt" },
    { name: "on-host", does: "run the image on this Linux host, without a machine" },
    {
      name: "without",
      value: "NAME",
      choices: HOST_PROPERTIES,
      repeats: true,
      does: "with --on-host, run although this host lacks this property of a machine; may be repeated",
    },
    { name: "unproved", does: "boot an image of `capc build --unproved`" },
    JSON_OPTION,
  ],
  run: runCommand,
};

/** Maximum number of processors of QEMU's board; more processors need further options. */
const MOST_PROCESSORS = 255;

async function runCommand(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  if (typed.values.has("say") && typed.values.has("script"))
    return refuse(world, 2, "--say is for a person, not for --script");
  if (typed.switches.has("on-host")) return runOnHost(typed, world);
  if (typed.lists.has("without")) return refuse(world, 2, "--without goes with --on-host");
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
  const prepared = prepareDisk(plan, scratch);
  if (!prepared.ok) return refuse(world, 3, prepared.reason);
  const { value: disk } = prepared;
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
      : await runForScript(
          {
            ...plan,
            played: plan.script,
            guest: { program: plan.qemu, kind: "machine", words },
            around: { disk, collectors, scratch },
          },
          world,
        );
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
  const end = await startInteractive({ program: plan.qemu, words, stop: world.interrupted, say: plan.say });
  const reason = explainEnd(end);
  return reason === undefined ? 0 : refuse(world, 3, `QEMU did not end well: ${reason}`);
}
