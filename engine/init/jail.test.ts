// One boot of a machine whose processes try, from inside their jails, what their roles must not be able to do. They are
// started from the image's own Node; what they do comes as an artefact, so that the root is the one that is shipped.

import { spawn, spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IMAGE_PATHS, VM_KERNEL_PARAMETERS } from "../../targets/contract.ts";
import { writeIso } from "../../targets/iso/write-iso.ts";
import { publicBytes, signatureOf, trustOf } from "../../targets/manifest/signing.ts";
import { assembleRoot } from "../rootfs/assemble.ts";
import { bootFiles } from "../rootfs/boot-files.ts";
import { Manifest, type Process } from "../wire/generated/manifest.ts";
import { encodeMessage } from "../wire/index.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const SYSTEM = { systemId: "jail-trial", version: "1" };
const BOOT_MS = 240_000;

const PROBE = readFileSync(join(CHECKOUT, "engine/init/jail-probe.mjs"));
/** Reads the artefact on descriptor `fd` and runs it: manifest arguments are words without spaces. */
const runArtefact = (fd: number): string =>
  `--import=data:text/javascript,const{readFileSync:r}=await(import('node:fs'));await(import('data:text/javascript,'+encodeURIComponent(r(${fd},'utf8'))))`;

interface Prober {
  readonly role: string;
  readonly providers?: readonly string[];
  /** The directory of the data disk that is its own. */
  readonly directory?: string;
}

function prober(name: string, uid: number, { role, providers = [], directory }: Prober): Process {
  return {
    name,
    role,
    uid,
    exec: "/usr/bin/node",
    arguments: [runArtefact(5 + providers.length), "/capos/loop.mjs"],
    grants: providers.map((provider, index) => ({
      name: `p${index}`,
      interfaceId: 1n,
      provider,
      badge: BigInt(index + 1),
      expiresAfterSeconds: 0,
      origin: "",
    })),
    files: [
      { name: "probe", which: "blob", blob: "probe" },
      ...(directory === undefined ? [] : [{ name: "own", which: "directory", directory } as const]),
    ],
    memoryMaxBytes: 0n,
  };
}

/** Every role that runs Node; the console's jail has room for one thread, which Node cannot do with. */
const PROBERS: Readonly<Record<string, Prober>> = {
  talker: { role: "loop" },
  speaker: { role: "model" },
  lonely: { role: "files" },
  ledger: { role: "broker" },
  journal: { role: "logs" },
  facts: { role: "status" },
  recorder: { role: "audit", directory: "records" },
  notes: { role: "files", directory: "notes" },
  program: { role: "own", directory: "state" },
};
const PROCESSES = [
  ...Object.entries(PROBERS).map(([name, how], index) => prober(name, 3001 + index, how)),
  prober("gate.trial", 3100, { role: "gate", providers: Object.keys(PROBERS) }),
];

let folder: string;
let said: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-jail-"));
  const image = join(folder, "system.iso");
  await makeImage(image);
  said = await boot(image, makeDisk());
}, BOOT_MS);

afterAll(() => rmSync(folder, { recursive: true }));

/** Each directory holds one file, which is named as it is; none is made for who has none. */
function makeDisk(): string {
  const [files, disk] = [join(folder, "files"), join(folder, "disk.img")];
  for (const { directory } of Object.values(PROBERS)) {
    if (directory === undefined) continue;
    mkdirSync(join(files, directory), { recursive: true });
    writeFileSync(join(files, directory, `of-${directory}`), "");
  }
  const made = spawnSync("mke2fs", ["-q", "-t", "ext4", "-L", "capos-data", "-d", files, disk, "16M"], {
    encoding: "utf8",
    env: { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` },
  });
  if (made.status !== 0) throw new Error(`no disk: ${made.stderr}`);
  return disk;
}

async function makeImage(out: string): Promise<void> {
  const root = await assembleRoot({ checkout: CHECKOUT, cache: join(CHECKOUT, "build/cache") });
  if (!root.ok) throw new Error(root.reason);
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = { privateKey, publicKey: publicBytes(privateKey), development: true };
  const sha256 = createHash("sha256").update(PROBE).digest();
  const manifest = encodeMessage(Manifest, {
    schemaVersion: 1,
    ...SYSTEM,
    kernelParameters: VM_KERNEL_PARAMETERS,
    root: { name: "root", path: IMAGE_PATHS.root, size: BigInt(root.size), sha256: root.sha256 },
    artefacts: [{ name: "probe", path: "/capos/probe.mjs", size: BigInt(PROBE.length), sha256 }],
    processes: PROCESSES,
    storage: { disk: "capos-data", encrypted: false },
    session: "trial",
  });
  const written = await writeIso({
    ...bootFiles(CHECKOUT, trustOf(SYSTEM, key)),
    root: root.file,
    kernelParameters: VM_KERNEL_PARAMETERS,
    artifacts: [
      { path: "capos/manifest.bin", bytes: manifest },
      { path: "capos/manifest.bin.sig", bytes: signatureOf({ purpose: "image", ...SYSTEM }, manifest, key) },
      { path: "capos/probe.mjs", bytes: PROBE },
    ],
    out,
    sourceDateEpoch: 0,
  });
  if (!written.ok) throw new Error(written.reason);
}

/** Lines of the console until the machine is off. */
function boot(image: string, disk: string): Promise<string[]> {
  const machine = [
    "-nodefaults",
    "-no-user-config",
    "-no-reboot",
    "-display",
    "none",
    "-nic",
    "none",
    "-machine",
    "pc",
  ];
  const guest = ["-smp", "1", "-m", "1024", "-accel", "tcg", "-cpu", "max", "-serial", "stdio"];
  const medium = ["-drive", `file=${image},format=raw,if=virtio,readonly=on`];
  const storage = ["-drive", `file=${disk},format=raw,if=virtio,cache=unsafe`];
  const qemu = spawn("qemu-system-x86_64", [...machine, ...guest, ...medium, ...storage], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  qemu.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  return new Promise((resolve, reject) => {
    qemu.once("error", reject);
    qemu.once("close", () => resolve(text.split(/\r?\n/)));
  });
}

/** What each process found out about one thing. */
function found(fact: string): string[] {
  return PROCESSES.map(({ name }) => {
    const mark = `capos: ${name} said: ${fact}: `;
    return said.find((line) => line.startsWith(mark))?.slice(mark.length) ?? "nothing";
  });
}

const byAll = (answer: string): string[] => PROCESSES.map(() => answer);
const byDirectory = (answer: (directory: string) => string, otherwise: string): string[] =>
  PROCESSES.map(({ name }) => {
    const directory = PROBERS[name]?.directory;
    return directory === undefined ? otherwise : answer(directory);
  });

test("the machine came up, saw each process die, and stopped because the gate was gone", () => {
  expect(said).toContain("capos: jail-trial 1");
  for (const { name } of PROCESSES) expect(said).toContain(`capos: ${name} stopped (exit 7)`);
  expect(said).toContain("capos: stopped");
  expect(said).not.toContain("capos: powered off cleanly");
});

test("each is its own user, the first of its own processes, and cannot become root or go before others", () => {
  expect(found("user")).toEqual(PROCESSES.map(({ uid }) => `${uid} ${uid} ${uid} 1 0`));
  expect(found("becomeRoot")).toEqual(byAll("EPERM EPERM EACCES"));
});

test("each sees the verified root and three devices, and nothing of init's", () => {
  expect(found("top")).toEqual(byAll("capos data dev lib lib64 tmp usr"));
  expect(found("devices")).toEqual(byAll("null urandom zero"));
  expect(found("ofInit")).toEqual(byAll("ENOENT ENOENT ENOENT ENOENT"));
});

test("nobody can write outside of a directory of its own", () => {
  expect(found("write")).toEqual(byAll("EROFS EROFS EROFS EROFS EROFS"));
});

test("a directory holds what is its owner's alone: written, but not run, given away, or linked to from elsewhere", () => {
  const own = (directory: string) => `allowed ["of-${directory}"] allowed undefined EACCES EPERM EXDEV`;
  expect(found("data")).toEqual(byDirectory(own, "allowed [] EROFS ENOENT ENOENT EROFS"));
});

test("there is no network, nothing to connect to, and no port that takes a privilege", () => {
  expect(found("interfaces")).toEqual(byAll("0"));
  expect(found("dial")).toEqual(byAll("ENETUNREACH ECONNREFUSED EACCES"));
});

test("no other process can be seen, and there is no shell", () => {
  expect(found("others")).toEqual(byAll("ESRCH"));
  expect(found("shell")).toEqual(byAll("ENOENT ENOENT"));
});

test("the environment is init's, the one descriptor that is a file is the artefact, and their number is limited", () => {
  // Node takes the words of its channel out itself.
  for (const environment of found("environment")) expect(environment).toMatch(/^CAPOS_\w+( CAPOS_\w+)*$/);
  expect(found("places")).toEqual(byAll("1"));
  expect(found("open")).toEqual(byAll("EMFILE"));
});
