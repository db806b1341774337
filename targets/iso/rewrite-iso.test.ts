// Tests that a rewritten image has the same bytes as a new image, or that the rewrite is refused with a reason.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFrame, type Frame } from "./frame.ts";
import { listPlaces } from "./places.ts";
import { rewriteIso } from "./rewrite-iso.ts";
import { type IsoPlan, writeIso } from "./write-iso.ts";
import { readWriterVersion } from "./writer.ts";

const LOADER = join(fileURLToPath(new URL("../..", import.meta.url)), "engine/prebuilt/isolinux");
const WRITER = readWriterVersion("wasm") ?? "none";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-rewrite-"));
  writeFileSync(join(folder, "kernel"), "the kernel");
  writeFileSync(join(folder, "other kernel"), "another kernel");
  writeFileSync(join(folder, "root"), Buffer.alloc(100_000, "root"));
  writeFileSync(join(folder, "weights"), Buffer.alloc(300_000, "weights"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Parts of an image that change with the page or the version of the page. */
interface Page {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly initrd: Uint8Array;
  readonly words: readonly string[];
}

const PAGE: Page = {
  files: { "capos/manifest.bin": Buffer.from("manifest"), "capos/policy/tables.bin": Buffer.alloc(5000, "t") },
  initrd: Buffer.alloc(30_000, "i"),
  words: ["quiet"],
};

function planOf({ files, initrd, words }: Page, more: Partial<IsoPlan> = {}, kernel = join(folder, "kernel")): IsoPlan {
  const loader = { binary: "isolinux.bin", module: "ldlinux.c32", hybrid: "isohdpfx.bin" };
  return {
    root: { file: join(folder, "root") },
    start: {
      bios: {
        kernel,
        loader: {
          binary: join(LOADER, loader.binary),
          module: join(LOADER, loader.module),
          hybrid: join(LOADER, loader.hybrid),
        },
        initrd,
        kernelParameters: words,
      },
      // The size of this file stays the same while its parts change, because it is padded to whole clusters.
      uefi: { fileSystem: Buffer.concat([initrd, Buffer.alloc(100_000)]).subarray(0, 90_112) },
    },
    artifacts: [
      { path: "boot/models/tiny.gguf", bytes: { file: join(folder, "weights") } },
      ...Object.entries(files).map(([path, bytes]) => ({ path, bytes })),
    ],
    out: join(folder, "whole.iso"),
    sourceDateEpoch: 0,
    ...more,
  };
}

interface Image {
  readonly bytes: Buffer;
  readonly frame: Frame;
}

const framed = (plan: IsoPlan): Frame => createFrame(listPlaces(plan), WRITER, plan.sourceDateEpoch);

async function whole(plan: IsoPlan): Promise<Image> {
  expect(await writeIso(plan)).toEqual({ ok: true });
  return { bytes: readFileSync(plan.out), frame: framed(plan) };
}

/** Returns the image of `plan` that is made from `last`, or the reason why this is impossible. */
function rewritten(last: Image, plan: IsoPlan): Buffer | string {
  const [file, out] = [join(folder, "last.iso"), join(folder, "new.iso")];
  rmSync(out, { force: true });
  writeFileSync(file, last.bytes);
  const done = rewriteIso({ file, frame: last.frame }, framed(plan), listPlaces(plan), out);
  expect(existsSync(out)).toBe(done.ok);
  return done.ok ? readFileSync(out) : done.why;
}

const bytes = (most: number) => fc.uint8Array({ minLength: 1, maxLength: most, size: "max" });
const page: fc.Arbitrary<Page> = fc.record({
  files: fc.record({
    "capos/manifest.bin": bytes(9000),
    "capos/manifest.bin.sig": bytes(200),
    "capos/policy/tables.bin": fc.oneof(
      bytes(6000),
      fc.constantFrom(2048, 4096, 2047, 2049).map((size) => Buffer.alloc(size, 1)),
    ),
    "capos/replies/a rather long name of a backend, of which a tree shortens the name.json": bytes(5000),
  }),
  initrd: bytes(60_000),
  words: fc.array(fc.constantFrom("quiet", "panic=-1", "console=ttyS0"), { maxLength: 3 }),
});

test("property: for any pages, a rewritten image has the same bytes as a new image", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 2, maxLength: 6 }), async ([first = PAGE, ...pages]) => {
      let last = await whole(planOf(first));
      for (const each of pages) {
        const plan = planOf(each);
        const fast = rewritten(last, plan);
        const slow = await whole(plan);
        expect(typeof fast === "string" ? fast : fast.equals(slow.bytes)).toBe(true);
        last = typeof fast === "string" ? slow : { bytes: fast, frame: slow.frame };
      }
    }),
    { numRuns: 12 },
  );
});

test.each<[string, (plan: IsoPlan) => IsoPlan, string]>([
  ["another kernel", () => planOf(PAGE, {}, join(folder, "other kernel")), "/boot/vmlinuz is another one"],
  [
    "an image without BIOS",
    (plan) => ({ ...plan, start: { uefi: plan.start.uefi ?? { fileSystem: PAGE.initrd } } }),
    "/boot/initrd.img is gone",
  ],
  ["another time", (plan) => ({ ...plan, sourceDateEpoch: 7 }), "the time is another"],
  [
    "a new file",
    (plan) => ({ ...plan, artifacts: [...plan.artifacts, { path: "capos/replies/b.json", bytes: Buffer.from("[]") }] }),
    "/capos/replies/b.json is new",
  ],
  [
    "a missing file",
    (plan) => ({ ...plan, artifacts: plan.artifacts.slice(0, 2) }),
    "/capos/policy/tables.bin is gone",
  ],
  [
    "more data than the reserved space",
    () => planOf({ ...PAGE, initrd: Buffer.alloc(1 << 20) }),
    "the room for what changes is another",
  ],
  ["an empty file", () => planOf({ ...PAGE, initrd: Buffer.alloc(0) }), "/boot/initrd.img is another one"],
])("for a plan with %s, a rewrite is refused and the reason is returned", async (_, change, why) => {
  expect(rewritten(await whole(planOf(PAGE)), change(planOf(PAGE)))).toBe(why);
});

test("files with equal digests count as equal, even if their paths differ", async () => {
  const root = { file: join(folder, "root"), sha256: "ab" };
  const copy = join(folder, "copy of the root");
  writeFileSync(copy, readFileSync(root.file));
  const last = await whole(planOf(PAGE, { root }));
  expect(rewritten(last, planOf(PAGE, { root: { ...root, file: copy } }))).toEqual(last.bytes);
});

test("a rewrite of a damaged image gives an image of the same size, or is refused", async () => {
  const last = await whole(planOf(PAGE));
  const spoilt = fc.array(fc.tuple(fc.integer({ min: 16 * 2048, max: 60 * 2048 }), fc.nat(255)), { maxLength: 20 });
  fc.assert(
    fc.property(spoilt, fc.boolean(), (places, isCut) => {
      const bytes = Buffer.from(last.bytes.subarray(0, isCut ? 50 * 2048 : last.bytes.length));
      for (const [at, byte] of places) bytes[at] = byte;
      const made = rewritten({ ...last, bytes }, planOf(PAGE));
      expect(typeof made === "string" ? made : made.length).toBe(
        typeof made === "string" ? "the last image is laid out in another way" : last.bytes.length,
      );
    }),
    { numRuns: 40 },
  );
});
