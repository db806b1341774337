// Tests of capc run --on-host from its arguments to its exit status. The program that judges a host is not run here; `make test-images`
// runs it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { buildHostArguments, HOST_PROGRAM, HOST_PROPERTIES } from "../../machine/on-host.ts";
import { runCommand } from "../memory-world.ts";

// In these tests, the name of a file decides whether it counts as an image with an encrypted disk or a screen, because a real image takes
// long to build.
vi.mock("../../machine/image-file.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../machine/image-file.ts")>();
  const openImage: typeof original.openImage = (path) => {
    const opened = original.openImage(path);
    if (!opened.ok) return opened;
    const facts = { encryptsDisk: path.endsWith("encrypted.iso"), hasScreen: path.endsWith("screen.iso") };
    return { ok: true, value: { ...opened.value, ...facts } };
  };
  return { ...original, openImage };
});

const folder = mkdtempSync(join(tmpdir(), "capc-on-host-"));
writeFileSync(join(folder, "system.iso"), "an image");
writeFileSync(join(folder, "encrypted.iso"), "an image");
writeFileSync(join(folder, "screen.iso"), "an image");
writeFileSync(join(folder, "secret"), "a passphrase\n", { mode: 0o600 });
writeFileSync(join(folder, "talk.chat"), "> hello\n");
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...words: readonly string[]) => runCommand(["run", "system.iso", ...words], { folder });

function callProgram(...words: readonly string[]): {
  readonly status: number | null;
  readonly err: string;
  readonly out: string;
} {
  const { status, stdout, stderr } = spawnSync(HOST_PROGRAM, words, { encoding: "utf8" });
  return { status, out: stdout, err: stderr };
}

test("capc and the program that judges a host know the same properties, and this program says what each protects", () => {
  const lines = callProgram("properties").out.trimEnd().split("\n");
  expect(lines.map((line) => line.split("\t")[0])).toEqual([...HOST_PROPERTIES]);
  for (const line of lines) expect(line).toMatch(/^[a-z-]+\t.*; (?:without|on a host)/);
});

test("capc and the program that judges a host refuse an unknown property, and name the known properties", async () => {
  const { status, err } = await run("--on-host", "--without", "own-kernel", "--without", "all");
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(`not 'all'`) });
  const called = callProgram("run", "system.iso", "trust.bin", "--without", "all");
  expect(called).toMatchObject({ status: 2, err: expect.stringContaining("--without is own-kernel or verity or ") });
});

test("--without needs --on-host", async () => {
  expect(await run("--without", "verity")).toMatchObject({
    status: 2,
    err: "capc run: --without goes with --on-host\n",
  });
});

test.each(["firmware=uefi", "memory=512", "web=.", "record=log"])(
  "an option that describes a machine is refused with --on-host: --%s",
  async (option) => {
    const [name = ""] = option.split("=");
    const { status, err } = await run("--on-host", `--${option}`, "--script", "talk.chat");
    expect(status).toBe(2);
    expect(err).toBe(`capc run: --${name} is for a machine, and --on-host starts none; leave it out\n`);
  },
);

test("a file that is not an image is refused before anything starts", async () => {
  const { status, err } = await run("--on-host", "--script", "talk.chat");
  expect({ status, err }).toEqual({
    status: 3,
    err: `capc run: ${join(folder, "system.iso")} is not an image of capc\n`,
  });
});

test("--say is refused with a script", async () => {
  const { status, err } = await run("--say", "hello", "--script", "talk.chat");
  expect({ status, err }).toEqual({ status: 2, err: "capc run: --say is for a person, not for --script\n" });
});

test("for an encrypted disk, a run with a script needs --passphrase-file, and a run without a script refuses this option, because a person types the passphrase", async () => {
  const runEncrypted = (...words: readonly string[]) =>
    runCommand(["run", "encrypted.iso", "--on-host", ...words], { folder, inputIsTerminal: true });
  expect(await runEncrypted("--script", "talk.chat")).toMatchObject({
    status: 2,
    err: "capc run: the image's data disk is encrypted; --passphrase-file FILE says what the script types\n",
  });
  expect(await runEncrypted("--passphrase-file", "secret")).toMatchObject({
    status: 2,
    err: "capc run: --passphrase-file goes with --script or --files; a person types it at the machine\n",
  });
});

test("--say is refused for a machine whose console is its screen", async () => {
  const { status, err } = await runCommand(["run", "screen.iso", "--say", "hello"], { folder, inputIsTerminal: true });
  expect({ status, err }).toEqual({
    status: 2,
    err: "capc run: the image's console is its screen, and --say types over a serial port; leave --say out\n",
  });
});

test("capc tells the program that judges a host the disk, each property that may be missing, and that a person types", () => {
  const words = buildHostArguments({
    image: "i",
    trust: "t",
    disk: "d",
    without: ["verity", "landlock"],
    isRelayed: true,
  });
  expect(words.join(" ")).toBe("run i t --disk d --without verity --without landlock --keys person");
});

test.each([
  [["run", "i"]],
  [["start", "i", "t"]],
  [["run", "i", "t", "--disk"]],
  [["run", "i", "t", "--disk", "a", "--disk", "b"]],
  [["run", "i", "t", "--keys", "anybody"]],
])("the program that judges a host refuses invalid arguments: %j", (words) => {
  expect(callProgram(...words)).toMatchObject({
    status: 2,
    err: expect.stringContaining("usage: capos-host run IMAGE TRUST"),
  });
});
