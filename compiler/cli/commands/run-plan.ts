// Checks the preconditions of a run, and explains why requested options do not fit together.

import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { readPassphrase } from "../../artefacts/disk/passphrase.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import type { Script } from "../../machine/chat/script.ts";
import { type Choice, chooseMachine } from "../../machine/choice.ts";
import { chooseDisplay, listDisplays } from "../../machine/display.ts";
import { type ImageFile, openImage } from "../../machine/image-file.ts";
import { type LinkFile, openLink } from "../../machine/link/settings.ts";
import { type Display, findQemu } from "../../machine/qemu.ts";
import { explainNoKeys } from "../../machine/signer.ts";
import { createRefuser, type ParsedArguments } from "../command.ts";
import { readScriptFile } from "../played-script.ts";

const refuse = createRefuser("run");

export interface Plan {
  readonly image: ImageFile;
  readonly machine: Extract<Choice, { readonly ok: true }>;
  /** Display for the machine's own screen, if the image's console is the screen. */
  readonly screen?: Display;
  /** Path of the Secure Boot certificate that the machine's firmware must trust. */
  readonly secureBoot: string | undefined;
  readonly qemu: string;
  readonly script: { readonly name: string; readonly script: Script } | undefined;
  readonly disk: string | undefined;
  readonly files: string | undefined;
  /** File that records the writes to the data disk. */
  readonly record: string | undefined;
  readonly keys: string | undefined;
  /** Passphrase of an encrypted data disk. */
  readonly passphrase: string | undefined;
  /** Folder that the machine's own web server serves. */
  readonly web: string | undefined;
  /** Servers that the machine finds on its network, besides the web server of `web`. */
  readonly network: LinkFile | undefined;
  /** File that receives the machine's messages to its collector. */
  readonly syslog: string | undefined;
  readonly memoryMiB: number;
  readonly processors: number;
  /** Line that is typed at the first prompt. */
  readonly say: string | undefined;
  readonly json: boolean;
}

/** Default memory in mebibytes, for an image that does not state it. */
const MEMORY_MIB = 512;

const SCRIPT_AT_SCREEN =
  "the image's console is its screen, and a script talks over a serial port: a page with `console serial` makes an image that has one";
const SAY_AT_SCREEN = "the image's console is its screen, and --say types over a serial port; leave --say out";
const UNPROVED = "the image was built of a page whose proofs fail; assertions that do not hold:";

/** Returns a function that returns the absolute path of an option's value, or `undefined` if the option is not given. */
export function createPathReader(typed: ParsedArguments, world: World): (name: string) => string | undefined {
  return (name) => {
    const given = typed.values.get(name);
    return given === undefined ? undefined : resolve(world.folder, given);
  };
}

/**
 * Opens the image to run. Returns a function that reports the refusal if the image cannot be read, or if it has
 * unproved assertions and `--unproved` is missing.
 */
export function openProvedImage(
  typed: ParsedArguments,
  world: World,
): { readonly image: ImageFile } | (() => ExitStatus) {
  const opened = openImage(resolve(world.folder, typed.operands[0] ?? ""));
  if (!opened.ok) return () => refuse(world, 3, opened.reason);
  const { value: image } = opened;
  if (image.unproved !== undefined && !typed.switches.has("unproved"))
    return () => refuse(world, 2, `${UNPROVED} ${image.unproved}; --unproved runs it all the same`);
  return { image };
}

/** Refuses a run without a script, because standard input is not a terminal at which a person could type. */
export function refuseNoTerminal(world: World): ExitStatus {
  return refuse(world, 2, "standard input is no terminal; give --script FILE to play a conversation");
}

/** Reads the passphrase of the data disk, or returns a function that reports why it cannot be read. */
export function openPassphrase(
  path: string | undefined,
  world: World,
): { readonly passphrase: string | undefined } | (() => ExitStatus) {
  const read = path === undefined ? undefined : readPassphrase(path);
  if (read?.ok === false) return () => refuse(world, 3, read.reason);
  return { passphrase: read?.value };
}

/**
 * Reads the options, the image and the script of a run, and chooses the machine. If a run is not possible, returns a
 * function that reports the reason.
 */
export function planRun(
  typed: ParsedArguments,
  world: World,
  size: { readonly memoryMiB: number | undefined; readonly processors: number },
): Plan | (() => ExitStatus) {
  const resolvePath = createPathReader(typed, world);
  const opened = openProvedImage(typed, world);
  if (typeof opened === "function") return opened;
  const { image } = opened;
  const scriptPath = resolvePath("script");
  if (scriptPath !== undefined && image.hasScreen) return () => refuse(world, 2, SCRIPT_AT_SCREEN);
  if (typed.values.has("say") && image.hasScreen) return () => refuse(world, 2, SAY_AT_SCREEN);
  if (scriptPath === undefined && !world.inputIsTerminal && !image.hasScreen) return () => refuseNoTerminal(world);
  const qemu = findQemu();
  if (qemu === undefined)
    return () => refuse(world, 3, "qemu-system-x86_64 is not installed (Debian package qemu-system-x86)");
  const secureBoot = resolvePath("secure-boot");
  const secure = secureBoot !== undefined;
  const asked = { firmware: typed.values.get("firmware"), device: typed.values.get("device"), secure };
  const machine = chooseMachine(asked, image.starts);
  if (!machine.ok) return () => refuse(world, machine.status, machine.reason);
  const chooseScreen = () => {
    const { environment, inputIsTerminal } = world;
    return chooseDisplay({ environment, inputIsTerminal, firmware: machine.firmware.kind }, listDisplays(qemu));
  };
  const screen = image.hasScreen ? chooseScreen() : undefined;
  if (screen?.ok === false) return () => refuse(world, 3, screen.reason);
  const secret = openPassphrase(resolvePath("passphrase-file"), world);
  if (typeof secret === "function") return secret;
  const network = openLink(resolvePath("network"));
  if (network !== undefined && "faults" in network)
    return () => {
      for (const fault of network.faults) world.report(`${fault}\n`);
      return network.status;
    };
  const common = {
    image,
    ...secret,
    machine,
    ...(screen === undefined ? {} : { screen: screen.value }),
    secureBoot,
    qemu,
    disk: resolvePath("disk"),
    files: resolvePath("files"),
    record: resolvePath("record"),
    keys: resolvePath("keys"),
    web: resolvePath("web"),
    network,
    syslog: resolvePath("syslog"),
    memoryMiB: size.memoryMiB ?? image.memoryMiB ?? MEMORY_MIB,
    processors: size.processors,
    say: typed.values.get("say"),
    json: typed.switches.has("json"),
  };
  const script = scriptPath === undefined ? undefined : loadScript(scriptPath, world);
  if (typeof script === "function") return script;
  const wrong = explainMisuse(common, script);
  if (wrong !== undefined) return () => refuse(world, 2, wrong);
  return { ...common, script: script && { name: basename(scriptPath ?? ""), script } };
}

/** Returns why the options do not fit each other, the image or the script; `undefined` if they fit. */
export function explainMisuse(
  plan: Pick<Plan, "image" | "disk" | "files" | "keys" | "passphrase"> &
    Partial<Pick<Plan, "web" | "network" | "syslog">>,
  script: Script | undefined,
): string | undefined {
  const { image, disk, files, keys, passphrase, web } = plan;
  // Only a script signs with the keys of the option `--keys`, so without a script the folder is not checked.
  const noKeys = keys === undefined || script === undefined ? undefined : explainNoKeys(keys);
  if (noKeys !== undefined) return noKeys;
  if (script?.hasNoDisk === true && disk !== undefined)
    return "the script is for a machine without a data disk; leave --disk out";
  if (passphrase !== undefined && !image.encryptsDisk)
    return "the image's data disk is not encrypted; leave --passphrase-file out";
  if (passphrase !== undefined && script === undefined && files === undefined)
    return "--passphrase-file goes with --script or --files; a person types it at the machine";
  if (passphrase === undefined && image.encryptsDisk && script?.hasNoDisk === false)
    return "the image's data disk is encrypted; --passphrase-file FILE says what the script types";
  const given = (["web", "network", "syslog"] as const).find((name) => plan[name] !== undefined);
  if (given !== undefined && !image.hasNetwork) return `the image's page has no network; leave --${given} out`;
  if (web !== undefined && statSync(web, { throwIfNoEntry: false })?.isDirectory() !== true)
    return `--web is a folder of files, and ${web} is none`;
  return undefined;
}

/** Returns the script, or a function that reports its faults. */
export function loadScript(path: string, world: World): Script | (() => ExitStatus) {
  const opened = readScriptFile(path);
  if (!opened.ok) return () => refuse(world, 3, opened.reason);
  const read = opened.value;
  if (read.ok) return read.script;
  return () => {
    for (const fault of read.faults) world.report(`${path}:${fault.line}: ${fault.reason}\n`);
    return 2;
  };
}
