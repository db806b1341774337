// Tests that the committed xorriso, compiled to WebAssembly, writes the same bytes as the system's xorriso of the same
// version. Both programs get the same arguments.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("xorriso-program.mjs", import.meta.url));
const ISOLINUX = fileURLToPath(new URL("../../engine/prebuilt/isolinux", import.meta.url));
const OPTIONS = ["-no_rc", "-as", "mkisofs", "-V", "CAPOS", "-r", "-J", "-joliet-long"];

let folder: string;
let tree: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "xorriso-wasm-"));
});
beforeEach(() => {
  tree = mkdtempSync(join(folder, "tree-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), content);
}

function imageOf(command: readonly [string, ...string[]], words: readonly string[]): Buffer {
  const [program, ...first] = command;
  const out = join(folder, "image.iso");
  const env = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TZ: "UTC", SOURCE_DATE_EPOCH: "1000000000" };
  const ran = spawnSync(program, [...first, ...OPTIONS, ...words, "-o", out, tree], { env, encoding: "utf8" });
  expect(ran.status, ran.stderr).toBe(0);
  const bytes = readFileSync(out);
  rmSync(out);
  return bytes;
}

/** Returns the first offset at which the two images differ, or `undefined` if they are equal. */
function difference(...words: readonly string[]): number | undefined {
  const native = imageOf(["xorriso"], words);
  const ours = imageOf([process.execPath, PROGRAM], words);
  expect(native.length).toBeGreaterThan(32_768);
  if (ours.equals(native)) return undefined;
  const at = ours.findIndex((byte, index) => byte !== native[index]);
  return at < 0 ? ours.length : at;
}

test("names in many scripts, long names, and names that collide when shortened give the same bytes as xorriso", () => {
  const names = [
    "ä",
    "e\u0301",
    "日本語",
    "שלום",
    "Ωmega*?",
    "emoji-😀",
    "𝒳".repeat(20),
    "\uFFFD",
    "\u202Ebidi",
    "back\\slash",
  ];
  const long = ["a".repeat(100), "ü".repeat(60), `${"x".repeat(64)}1`, `${"x".repeat(64)}2`, "z".repeat(255)];
  const odd = ["UPPER", "upper", "trailing.", ".hidden", "sp ace", "tilde~1", "two.dots.txt", "=", "quo'te\""];
  for (const name of [...names, ...long, ...odd]) file(name, name);
  for (const name of names) file(`folder of ${name}/${name}.txt`, "");
  expect(difference()).toBe(undefined);
});

test("odd file times, links, deep folders, and files around the block size give the same bytes as xorriso", () => {
  for (const size of [0, 1, 2047, 2048, 2049, 65_536, 200_000]) file(`size-${size}`, Buffer.alloc(size, size % 251));
  file("1/2/3/4/5/6/7/8/9/10/deep", "deep");
  symlinkSync("size-1", join(tree, "link"));
  utimesSync(join(tree, "size-1"), 1_234_567_890.9996, 1_234_567_890.9996);
  expect(difference()).toBe(undefined);
});

test("an image for BIOS and UEFI, for optical drives and disks, has the same bytes as the image of the system's xorriso", () => {
  file("isolinux/isolinux.bin", readFileSync(join(ISOLINUX, "isolinux.bin")));
  file("boot/efi.img", Buffer.alloc(300 * 2048, "efi"));
  const bios = ["-b", "isolinux/isolinux.bin", "-c", "isolinux/boot.cat", "-no-emul-boot", "-boot-load-size", "4"];
  const hybrid = ["-boot-info-table", "-isohybrid-mbr", join(ISOLINUX, "isohdpfx.bin")];
  const uefi = ["-eltorito-alt-boot", "-e", "boot/efi.img", "-no-emul-boot", "-isohybrid-gpt-basdat"];
  expect(difference(...bios, ...hybrid, "--set_all_file_dates", "=1")).toBe(undefined);
  expect(difference(...bios, ...hybrid, ...uefi, "--set_all_file_dates", "=1")).toBe(undefined);
  expect(difference(...bios, ...hybrid, ...uefi, "-partition_offset", "16", "-isohybrid-apm-hfsplus")).toBe(undefined);
});

test("an image of twenty thousand files has the same bytes as the image of the system's xorriso", () => {
  for (let number = 0; number < 20_000; number++)
    file(`${number % 100}/file-${number}.txt`, `${number}\n`.repeat(number % 5));
  expect(difference()).toBe(undefined);
});
