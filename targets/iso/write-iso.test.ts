import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loaderSettings } from "./loader-settings.ts";
import { type IsoPlan, writeIso } from "./write-iso.ts";

const LOADER = join(fileURLToPath(new URL("../..", import.meta.url)), "engine/prebuilt/isolinux");
const PATH = process.env["PATH"];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-iso-"));
});

afterEach(() => {
  process.env["PATH"] = PATH;
  rmSync(folder, { recursive: true });
});

function plan(out: string, more: Partial<IsoPlan> = {}): IsoPlan {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return {
    kernel: file("kernel", "the kernel"),
    root: { file: file("root=\\odd", "the root") },
    loader: {
      binary: join(LOADER, "isolinux.bin"),
      module: join(LOADER, "ldlinux.c32"),
      hybrid: join(LOADER, "isohdpfx.bin"),
    },
    initrd: Buffer.from("the initrd"),
    kernelParameters: ["console=ttyS0", "quiet"],
    artifacts: [
      { path: "capos/manifest.bin.sig", bytes: Buffer.from("signed") },
      { path: "capos/manifest.bin", bytes: Buffer.from("manifest") },
    ],
    out: join(folder, out),
    sourceDateEpoch: 0,
    ...more,
  };
}

async function written(out: string, more: Partial<IsoPlan> = {}): Promise<Buffer> {
  expect(await writeIso(plan(out, more))).toEqual({ ok: true });
  return readFileSync(join(folder, out));
}

/** Where two images differ first, and what stands there. */
function firstDifference(one: Buffer, two: Buffer): string {
  const at = one.findIndex((byte, index) => byte !== two[index]);
  const around = (image: Buffer): string => image.subarray(at - 8, at + 24).toString("hex");
  return at < 0 && one.length === two.length ? "none" : `${at}: ${around(one)} ${around(two)}`;
}

test("the same plan gives the same bytes, whatever the order of the artefacts and the time", async () => {
  const one = await written("one.iso");
  const two = await written("two.iso", { artifacts: plan("x").artifacts.toReversed() });
  expect(firstDifference(one, two)).toBe("none");
  const touched = plan("touched.iso");
  for (const path of [touched.kernel, touched.root.file]) utimesSync(path, 1_000_000_000, 1_000_000_000);
  expect(await writeIso(touched)).toEqual({ ok: true });
  expect(one.equals(readFileSync(touched.out))).toBe(true);
  expect(one.equals(await written("later.iso", { sourceDateEpoch: 1_000_000_000 }))).toBe(false);
});

test("the order of inodes on this machine does not reach the image", async () => {
  const [one, other] = [join(folder, "one"), join(folder, "other")];
  // The same two contents, each once in the file of the lower inode and once in that of the higher.
  const image = (kernel: string, root: string, out: string): Promise<Buffer> => {
    writeFileSync(kernel, "the kernel");
    writeFileSync(root, "the root");
    return written(out, { kernel, root: { file: root } });
  };
  expect(firstDifference(await image(one, other, "a.iso"), await image(other, one, "b.iso"))).toBe("none");
});

test("the image is named, starts from a disk as well, and holds what was given under its exact names", async () => {
  const image = await written("system.iso");
  expect(image.toString("latin1", 32_808, 32_813)).toBe("CAPOS");
  expect(image.readUInt16LE(510)).toBe(0xaa55);
  expect(image.includes(Buffer.from("manifest.bin.sig", "utf16le").swap16())).toBe(true);
  const read = (path: string): string => {
    const out = join(folder, "extracted");
    rmSync(out, { force: true });
    execFileSync("xorriso", ["-no_rc", "-osirrox", "on", "-indev", join(folder, "system.iso"), "-extract", path, out], {
      stdio: "ignore",
    });
    return readFileSync(out, "utf8");
  };
  expect(read("/boot/rootfs.erofs")).toBe("the root");
  expect(read("/boot/initrd.img")).toBe("the initrd");
  expect(read("/capos/manifest.bin.sig")).toBe("signed");
  expect(read("/isolinux/isolinux.cfg")).toBe(loaderSettings(["console=ttyS0", "quiet"]));
});

test("a missing xorriso is told as a value that names its package", async () => {
  process.env["PATH"] = join(folder, "nowhere");
  const reason = "xorriso is not installed (Debian package xorriso)";
  expect(await writeIso(plan("none.iso"))).toEqual({ ok: false, reason });
});

test("a failure leaves the old image as it was and nothing beside it", async () => {
  const before = await written("kept.iso");
  const failed = await writeIso(plan("kept.iso", { kernel: join(folder, "gone") }));
  expect(failed).toEqual({ ok: false, reason: expect.stringContaining("xorriso") });
  expect(readFileSync(join(folder, "kept.iso")).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

test("the loader neither waits nor asks", () => {
  const settings = loaderSettings(["quiet"]);
  expect(settings).toContain("PROMPT 0\n");
  expect(settings).toContain("NOESCAPE 1\n");
  expect(settings).toContain("  APPEND quiet\n");
  expect(existsSync(LOADER)).toBe(true);
});
