// One boot of a machine whose processes try, from inside their jails, what their roles must not be able to do. They are
// started from the image's own Node; what they do comes as an artefact, so that the root is the one that is shipped.

import { spawn } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
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

function prober(name: string, role: string, uid: number, providers: readonly string[] = []): Process {
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
    files: [{ name: "probe", which: "blob", blob: "probe" }],
    memoryMaxBytes: 0n,
  };
}

const PROCESSES = [
  prober("first", "loop", 3001),
  prober("second", "model", 3002),
  prober("third", "files", 3003),
  prober("gate.trial", "gate", 3004, ["first", "second", "third"]),
];

let folder: string;
let said: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-jail-"));
  const image = join(folder, "system.iso");
  await makeImage(image);
  said = await boot(image);
}, BOOT_MS);

afterAll(() => rmSync(folder, { recursive: true }));

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
    storage: { disk: "", encrypted: false },
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
function boot(image: string): Promise<string[]> {
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
  const guest = ["-smp", "1", "-m", "512", "-accel", "tcg", "-cpu", "max", "-serial", "stdio"];
  const medium = ["-drive", `file=${image},format=raw,if=virtio,readonly=on`];
  const qemu = spawn("qemu-system-x86_64", [...machine, ...guest, ...medium], { stdio: ["ignore", "pipe", "inherit"] });
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

test("the machine came up, saw each process die, and stopped because the gate was gone", () => {
  expect(said).toContain("capos: jail-trial 1");
  for (const { name } of PROCESSES) expect(said).toContain(`capos: ${name} stopped (exit 7)`);
  expect(said).toContain("capos: stopped");
  expect(said).not.toContain("capos: powered off cleanly");
});

test("each is its own user, the first of its own processes, and cannot become root or go before others", () => {
  expect(found("user")).toEqual(PROCESSES.map(({ uid }) => `${uid} ${uid} ${uid} 1`));
  expect(found("becomeRoot")).toEqual(byAll("EPERM EACCES"));
});

test("each sees the verified root and three devices, and nothing of init's", () => {
  expect(found("top")).toEqual(byAll("capos data dev lib lib64 tmp usr"));
  expect(found("devices")).toEqual(byAll("null urandom zero"));
  expect(found("ofInit")).toEqual(byAll("ENOENT ENOENT ENOENT ENOENT"));
});

test("nobody without a directory can write anywhere", () => {
  expect(found("write")).toEqual(byAll("EROFS EROFS EROFS EROFS"));
});

test("there is no network and nothing to connect to", () => {
  expect(found("interfaces")).toEqual(byAll("0"));
  expect(found("dial")).toEqual(byAll("ENETUNREACH ECONNREFUSED"));
});

test("no other process can be seen, and there is no shell", () => {
  expect(found("others")).toEqual(byAll("ESRCH"));
  expect(found("shell")).toEqual(byAll("ENOENT ENOENT"));
});

test("the environment is init's, and the one descriptor that is a file is the artefact", () => {
  // Node takes the words of its channel out itself.
  for (const environment of found("environment")) expect(environment).toMatch(/^CAPOS_\w+( CAPOS_\w+)*$/);
  expect(found("places")).toEqual(byAll("1"));
});
