// Stages of `make test-images`: a person talks to the agent at the screen and keyboard of PCs without a serial port.
// One PC has BIOS, a graphics card in text mode, and a PS/2 keyboard. The other PC has UEFI and only a USB keyboard;
// the kernel draws each character.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { ensureStateFolder } from "../../../host/state-folder.ts";
import { chooseAccelerator } from "../../../machine/accelerator.ts";
import { type Content, makeDataDisk, readFromDisk } from "../../../machine/data-disk.ts";
import { type FirmwareName, findFirmware } from "../../../machine/firmware.ts";
import { startScripted } from "../../../machine/guest.ts";
import { buildQemuArguments, findQemu } from "../../../machine/qemu.ts";
import { buildMemoryArguments } from "../memory.ts";
import { CHECKOUT, createClaim, createScratchStage, judgeClaims, type Result, runCapc, type Stage } from "../stage.ts";
import { type Monitor, openMonitor } from "./monitor.ts";
import { createPerson, getLastRow, type Person } from "./person.ts";
import { createCardReader, createKeptReader, type ReadScreen } from "./screens.ts";

const EXAMPLE = join(CHECKOUT, "examples/first-agent");
const OUT = join(CHECKOUT, "build/test/screen");
const MEMORY_MIB = 512;
/** Timeout of a run that hangs. */
const MOST_SECONDS = 600;

/** Builds the example from a page for PCs that does not mention a console. */
const build: Stage = {
  name: "build for a screen",
  run: async () => {
    const page = join(OUT, "page");
    rmSync(OUT, { recursive: true, force: true });
    mkdirSync(OUT, { recursive: true });
    cpSync(EXAMPLE, page, { recursive: true });
    const path = join(page, "system.cap");
    writeFileSync(path, readFileSync(path, "utf8").replace("machine vm", "machine pc"));
    return createClaim("build for a screen", await runCapc(["build", path, "--out", OUT], { quiet: true }));
  },
};

interface Way {
  readonly name: string;
  readonly firmware: FirmwareName;
  /** Returns the additional arguments for QEMU. */
  readonly words: (scratch: string) => readonly string[];
  readonly read: (scratch: string) => ReadScreen;
}

const getMemoryPath = (scratch: string): string => join(scratch, "memory");

const WAYS: readonly Way[] = [
  { name: "screen bios", firmware: "bios", words: () => [], read: createCardReader },
  {
    name: "screen uefi",
    firmware: "uefi",
    words: (scratch) => [
      ...buildMemoryArguments(getMemoryPath(scratch), MEMORY_MIB),
      ...["-machine", "i8042=off", "-device", "qemu-xhci", "-device", "usb-kbd"],
    ],
    read: (scratch) => createKeptReader(getMemoryPath(scratch), ["capos: first_agent ", "capos: policy "]),
  },
];

/** Stages in the order in which they must run. */
export const screens: readonly Stage[] = [build, ...WAYS.map(createStage)];

function createStage(way: Way): Stage {
  return createScratchStage(way.name, async (scratch) => {
    const disk = join(scratch, "data.img");
    const made = makeDataDisk(disk, join(EXAMPLE, "disk"));
    if (!made.ok) throw new Error(made.reason);
    const life = await runLife(way, disk, scratch);
    process.stdout.write(`${life.rows.join("\n").trimEnd()}\n`);
    return judgeLife(life, readFromDisk(disk, "/notes/ada.txt"));
  });
}

interface Life {
  /** Rows of the screen after the machine has been switched off. */
  readonly rows: readonly string[];
  readonly events: readonly string[];
}

/**
 * Runs the machine and plays the conversation through QEMU's monitor, because the machine has no serial port. Ends QEMU
 * when the machine is off, or at the timeout.
 */
async function runLife(way: Way, disk: string, scratch: string): Promise<Life> {
  const qemu = findQemu();
  if (qemu === undefined) throw new Error("qemu-system-x86_64 is not installed");
  const heard = new PassThrough();
  const complaints: string[] = [];
  const guest = startScripted(
    qemu,
    buildMachineArguments(qemu, way, disk, scratch),
    (bytes) => heard.write(bytes),
    (complaint) => complaints.push(complaint),
  );
  void guest.ended.then(() => heard.end());
  const deadline = setTimeout(guest.kill, MOST_SECONDS * 1000);
  try {
    const monitor = await openMonitor(heard, guest.type);
    const rows = await talk(createPerson(monitor, way.read(scratch)), monitor, join(OUT, way.firmware));
    return { rows, events: monitor.events };
  } catch (error) {
    throw new Error([error instanceof Error ? error.message : error, ...complaints].join("\n"));
  } finally {
    clearTimeout(deadline);
    guest.kill();
    await guest.ended;
  }
}

/** Keys with which a person at a PC could leave or end the terminal, if the kernel obeyed them. */
const KEYS_OF_THE_KERNEL = [
  ["ctrl", "alt", "delete"],
  ["alt", "f2"],
  ["alt", "right"],
  ["scroll_lock"],
  ["alt", "sysrq", "b"],
] as const;

const PROMPT = "you>";

/** Types the conversation, and returns the last screen. Stores pictures of the screen beside the image, for people. */
async function talk({ sees, types, presses }: Person, monitor: Monitor, picture: string): Promise<readonly string[]> {
  const draw = (which: string) => monitor.order("screendump", { filename: `${picture}-${which}.png`, format: "png" });
  const answered = (words: string): Promise<readonly string[]> =>
    sees(words, (rows) => getLastRow(rows) === PROMPT && rows.some((row) => row.includes(words)));
  await sees(PROMPT, (rows) => getLastRow(rows) === PROMPT);
  await types("What is on my list?");
  await answered('[tool] notes.read {"path":"todo.txt"} auto → ok');
  await answered("agent> The note says: buy milk");
  for (const keys of KEYS_OF_THE_KERNEL) await presses(...keys);
  await types("Say something that draws on the screen.");
  await answered("agent> «U+001B»[2J«U+202E»This is only text.«U+0007»");
  await types("Note that I must call Ada.");
  const asked = await sees("a question", (rows) => ALLOW.test(getLastRow(rows)));
  await draw("question");
  await types(ALLOW.exec(getLastRow(asked))?.[1] ?? "");
  await answered("* allowed");
  await answered("agent> Noted.");
  await draw("end");
  await types("/exit");
  return await sees(`${CLEAN}, and is off`, (rows) => rows.includes(CLEAN) && monitor.events.some(isEnd));
}

const ALLOW = /^allow\? type ([a-z]{3}) to allow, no to refuse>$/;
const CLEAN = "capos: powered off cleanly";
const isOfTheKernel = (row: string): boolean => /^\[ *\d+\.\d+\]/.test(row);
const isEnd = (event: string): boolean => event.startsWith("SHUTDOWN");

function judgeLife({ rows, events }: Life, written: Content): Result {
  const claims: readonly (readonly [name: string, holds: boolean])[] = [
    ["a conversation was held at the screen, and ended in order", rows.includes(CLEAN)],
    ["nothing of the kernel's stands before its last word", !rows.slice(0, rows.indexOf(CLEAN)).some(isOfTheKernel)],
    ["no key restarted it: the person switched it off", events.filter(isEnd).join() === "SHUTDOWN guest-shutdown"],
    ["what was allowed was done", written.kind === "text" && written.text === "call Ada\n"],
  ];
  return judgeClaims(claims, [...events, ...rows]);
}

/** Returns QEMU's arguments for a PC without a serial port. After the PC is off, QEMU keeps its screen. */
function buildMachineArguments(qemu: string, way: Way, disk: string, scratch: string): readonly string[] {
  const found = findFirmware(way.firmware);
  if (!found.ok) throw new Error(found.reason);
  const medium = { image: join(OUT, "system.iso"), format: "raw", firmware: found.value, device: "virtio" } as const;
  const guest = {
    ...medium,
    disk,
    isDiskThrownAway: true,
    memoryMiB: MEMORY_MIB,
    interactive: false,
    screen: "none",
  } as const;
  const accelerator = chooseAccelerator(qemu, join(ensureStateFolder(), "accelerator"));
  return [...buildQemuArguments(guest, accelerator), ...way.words(scratch), "-qmp", "stdio", "-no-shutdown"];
}
