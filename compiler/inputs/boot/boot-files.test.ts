import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isError } from "../../../lang/diagnostics/index.ts";
import { compile } from "../../compile.ts";
import { compileForBoot, createBootable, createStandIns } from "../../dev/fixtures/boot/stand-ins.ts";
import { createTinyKernel } from "../../dev/fixtures/boot/tiny-kernel.ts";
import type { Files } from "../../dev/fixtures/facts.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import { createDiskHost, createMemoryHost } from "../../phases/source/index.ts";
import { MOST_KERNEL_BYTES } from "./kernel.ts";

const BOTH = 'kernel "boot/kernel"  limine "boot/limine"';

/** Returns the code, the underlined text and the message of each error. */
async function errorsOf(files: Files): Promise<readonly (readonly [string, string, string])[]> {
  const { diagnostics, policy } = await compileForBoot(files);
  expect(policy === undefined).toBe(diagnostics.some(isError));
  return diagnostics.filter(isError).map(({ code, span, message }) => {
    return [code, span.source.text.slice(span.start, span.end), message];
  });
}

test("the boot files are read unchanged, and become part of the image", async () => {
  const { diagnostics, policy } = await compileForBoot(createBootable());
  expect(diagnostics.filter(isError)).toEqual([]);
  const boot = policy?.image.upstream?.boot;
  expect(boot?.limineVersion).toBe("8.2.0");
  expect(Buffer.from(boot?.kernel ?? []).equals(createTinyKernel())).toBe(true);
  expect(Object.keys(boot?.limine ?? {}).sort()).toEqual(Object.keys(createStandIns()).sort());
});

test("the boot files are not read if no image is built", async () => {
  const { "/system.cap": page, "/journal": journal } = createBootable();
  const files = { "/system.cap": page ?? "", "/journal": journal ?? "" };
  for (const purpose of ["build", "check"] as const) {
    const { policy } = await compile(createMemoryHost(files), "/system.cap", { ...testSurroundings, purpose });
    expect(policy?.image.upstream).toMatchObject({ kernel: "boot/kernel", limine: "boot/limine" });
    expect(policy?.image.upstream?.boot).toBeUndefined();
  }
});

test.each([
  [
    "neither file is named",
    "",
    {},
    [
      ["boot-incomplete", "a kernel"],
      ["boot-incomplete", "a loader"],
    ],
  ],
  ["a missing kernel", BOTH.replace("boot/kernel", "boot/k"), {}, [["kernel-unfit", "there is no such file"]]],
  ["a kernel that is a text", BOTH, { "/boot/kernel": "soon" }, [["kernel-unfit", "it is not a 64-bit ELF file"]]],
  [
    "a kernel outside of the folder",
    BOTH.replace("boot/kernel", "/boot/kernel"),
    {},
    [["outside-package", "`/boot/kernel`"]],
  ],
  ["Limine lies outside", BOTH.replace("boot/limine", "/usr/share/limine"), {}, [["outside-package", "`/usr"]]],
  ["a missing Limine", BOTH.replace("boot/limine", "boot/l"), {}, [["limine-unfit", "BOOTX64.EFI: there is no"]]],
  [
    "Limine is something else",
    BOTH,
    { "/boot/limine/limine-uefi-cd.bin": "x" },
    [["limine-unfit", "is not a file system"]],
  ],
  [
    "a file of Limine that is too large",
    BOTH,
    { "/boot/limine/limine-bios-cd.bin": new Uint8Array(512 * 1024 + 1) },
    [["limine-unfit", "limine-bios-cd.bin: it has 524289 bytes, at most 524288 are read"]],
  ],
] as const)("%s: each error is reported at its place on the page", async (_, image, files, wanted) => {
  const found = await errorsOf(createBootable(image, files));
  expect(found.map(([code]) => code)).toEqual(wanted.map(([code]) => code));
  for (const [index, [, said]] of wanted.entries()) expect(found[index]?.[2]).toContain(said);
  for (const [code, at] of found) expect(at).toMatch(code === "boot-incomplete" ? /^image \{/ : /^"/);
});

test("paths are relative to the page that names them", async () => {
  const whole = createBootable();
  const text = `${whole["/system.cap"]}`;
  const [, image = ""] = /(image \{.*\})\n/.exec(text) ?? [];
  const page = { "/system.cap": text.replace(image, 'use "boot/image.cap"') };
  const moved = { "/boot/image.cap": image.replaceAll('"boot/', '"') };
  expect(await errorsOf({ ...whole, ...page, ...moved })).toEqual([]);
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-boot-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the page into its own folder, calls `change` to modify that folder, compiles the page, and returns its errors. */
async function onDisk(name: string, change: (folder: string) => void): Promise<readonly string[]> {
  const place = join(folder, name);
  for (const [path, content] of Object.entries(createBootable())) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), content);
  }
  change(place);
  const options = { ...testSurroundings, purpose: "build", boots: true, advice: "left" } as const;
  const { diagnostics } = await compile(createDiskHost("2026-01-01"), join(place, "system.cap"), options);
  return diagnostics.filter(isError).map(({ message }) => message);
}

test("a kernel that is a link is refused, and so is a kernel in a linked folder", async () => {
  const isLink = "`boot/kernel` cannot be started: it is a symbolic link, or is reached through one";
  const linked = await onDisk("linked", (place) => {
    rmSync(join(place, "boot/kernel"));
    writeFileSync(join(place, "boot/other"), createTinyKernel());
    symlinkSync("other", join(place, "boot/kernel"));
  });
  expect(linked).toEqual([isLink]);
  const behind = await onDisk("behind", (place) => {
    execFileSync("mv", [join(place, "boot"), join(place, "elsewhere")]);
    symlinkSync("elsewhere", join(place, "boot"));
  });
  expect(behind).toContain(isLink);
  expect(behind).toHaveLength(2);
  const outside = await onDisk("outside", (place) => {
    rmSync(join(place, "boot/kernel"));
    symlinkSync("/bin/true", join(place, "boot/kernel"));
  });
  expect(outside).toEqual([expect.stringContaining("outside the folder of the root page")]);
});

test("a pipe, a folder and a file that is too large are refused before they are read", async () => {
  const pipe = await onDisk("pipe", (place) => {
    rmSync(join(place, "boot/kernel"));
    execFileSync("mkfifo", [join(place, "boot/kernel")]);
  });
  expect(pipe).toEqual(["`boot/kernel` cannot be started: it is not a regular file"]);
  const nested = await onDisk("folder", (place) => {
    rmSync(join(place, "boot/kernel"));
    mkdirSync(join(place, "boot/kernel"));
  });
  expect(nested).toEqual(["`boot/kernel` cannot be started: it is a directory"]);
  const large = await onDisk("large", (place) => truncateSync(join(place, "boot/kernel"), MOST_KERNEL_BYTES + 1));
  expect(large).toEqual([expect.stringContaining(`at most ${MOST_KERNEL_BYTES} are read`)]);
});
