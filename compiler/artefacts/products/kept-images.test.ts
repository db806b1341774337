// Tests builds that write the new image into an old file: the file of the image before the last one. The image must
// have the same bytes as a full build, whatever pages were built before, and after a crash at any step. An image that a
// program still reads must not be overwritten.

import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeIso } from "../../../targets/iso/make-iso.ts";
import { type IsoPlan, writeIso } from "../../../targets/iso/write-iso.ts";
import { writeArtifacts } from "../../host/output.ts";
import { findKeptImages, replaceImage } from "./kept-images.ts";

/** Number of disk operations after which the build crashes; infinity if it never crashes. */
const death = vi.hoisted(() => ({ after: Number.POSITIVE_INFINITY }));

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const mortal =
    <A extends unknown[], R>(step: (...words: A) => R, half?: (...words: A) => void) =>
    (...words: A): R => {
      if (death.after === 0) half?.(...words);
      if (death.after-- <= 0) throw new Error("dead");
      return step(...words);
    };
  const half = (file: number, bytes: Uint8Array, from: number, length: number, at: number): void =>
    void real.writeSync(file, bytes, from, length >> 1, at);
  const copied = (from: string, to: string): void => real.writeFileSync(to, real.readFileSync(from).subarray(0, 1000));
  return {
    ...real,
    renameSync: mortal(real.renameSync),
    linkSync: mortal(real.linkSync),
    rmSync: mortal(real.rmSync),
    mkdirSync: mortal(real.mkdirSync as (path: string) => undefined),
    writeFileSync: mortal(real.writeFileSync),
    writeSync: mortal(real.writeSync as typeof half, half),
    copyFileSync: mortal(real.copyFileSync, copied),
  };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-kept-"));
  writeFileSync(join(folder, "root"), Buffer.alloc(50_000, "root"));
  mkdirSync(join(folder, "out"));
});
afterEach(() => {
  death.after = Number.POSITIVE_INFINITY;
  rmSync(folder, { recursive: true });
});

const at = (name: string): string => join(folder, name);
const IMAGE = (): string => at("out/system.iso");
const SPARE = (): string => at("out/.system.iso.before");

/** Content of the files of a page's image, by path. */
type Page = Readonly<Record<string, Uint8Array>>;
const pageOf = (word: string): Page => ({
  "capos/manifest.bin": Buffer.alloc(3000, word),
  "capos/t": Buffer.from(word),
});

const planOf = (page: Page, out: string): IsoPlan => ({
  root: { file: at("root") },
  start: { uefi: { fileSystem: Buffer.alloc(40_960, Object.values(page)[0] ?? "") } },
  artifacts: Object.entries(page).map(([path, bytes]) => ({ path, bytes })),
  out,
  sourceDateEpoch: 0,
});

/**
 * Builds an image as `capc build` does, and returns whether the build wrote the whole image and reused no older one.
 */
async function build(page: Page, least = 0): Promise<boolean> {
  const scratch = mkdtempSync(at("out/.unfinished-"));
  const file = join(scratch, "image.iso");
  const made = await makeIso(planOf(page, file), findKeptImages(IMAGE(), at("notes")));
  if (!made.ok) throw new Error(made.reason);
  const place = () => writeArtifacts(at("out"), scratch, [{ path: "system.iso", bytes: { file } }]);
  const placed = replaceImage(IMAGE(), { notes: at("notes"), frame: made.frame, place, least });
  if (!placed.ok) throw new Error(placed.reason);
  rmSync(scratch, { recursive: true });
  return made.wholeBecause !== undefined;
}

async function whole(page: Page): Promise<Buffer> {
  expect(await writeIso(planOf(page, at("whole.iso")))).toEqual({ ok: true });
  return readFileSync(at("whole.iso"));
}

const image = (): Buffer => readFileSync(IMAGE());

const bytes = (most: number) => fc.uint8Array({ minLength: 1, maxLength: most, size: "max" });
const page: fc.Arbitrary<Page> = fc.record({
  "capos/manifest.bin": bytes(9000),
  "capos/policy/tables.bin": bytes(20_000),
  "capos/replies/a.json": bytes(3000),
});

test("property: a build that writes into an older image gives the same bytes as a build that writes a new file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 3, maxLength: 5 }), async (pages) => {
      rmSync(at("out"), { recursive: true });
      mkdirSync(at("out"));
      for (const [index, each] of pages.entries()) {
        expect(await build(each)).toBe(index === 0);
        expect(image().equals(await whole(each))).toBe(true);
        expect(existsSync(SPARE())).toBe(index > 0);
      }
    }),
    { numRuns: 3 },
  );
});

test("after a build dies at any step, the image is the old or the new one, and the next build is correct", async () => {
  const [one, two, three, four] = ["one", "two", "three", "four"].map(pageOf);
  if (one === undefined || two === undefined || three === undefined || four === undefined) throw new Error("no pages");
  const [last, next, after] = [await whole(two), await whole(three), await whole(four)];
  let steps = 0;
  for (let isDone = false; !isDone; steps++) {
    for (const name of ["out", "notes"]) rmSync(at(name), { recursive: true, force: true });
    mkdirSync(at("out"));
    await build(one);
    await build(two);
    expect(existsSync(SPARE())).toBe(true);
    death.after = steps;
    isDone = await build(three).then(
      () => true,
      () => false,
    );
    death.after = Number.POSITIVE_INFINITY;
    expect([last, next].some((each) => each.equals(image()))).toBe(true);
    await build(four);
    expect(image().equals(after)).toBe(true);
    await build(three);
    expect(image().equals(next)).toBe(true);
  }
  // A build has more than 15 disk operations. If the count were smaller, the mock would not have counted all of them.
  expect(steps).toBeGreaterThan(15);
});

const inode = (path: string): bigint => statSync(path, { bigint: true }).ino;

test.each<[string, boolean, () => unknown]>([
  ["it is unused", true, () => {}],
  ["a program has opened it", false, () => openSync(SPARE(), "r")],
  ["it has another name", false, () => linkSync(SPARE(), at("other"))],
  ["it was modified", false, () => writeFileSync(SPARE(), "x", { flag: "r+" })],
  ["its permissions were changed", false, () => chmodSync(SPARE(), 0o600)],
  [
    "another file replaced it",
    false,
    () => {
      writeFileSync(at("copy"), readFileSync(SPARE()));
      renameSync(at("copy"), SPARE());
    },
  ],
])("whether a build overwrites the image before the last one: if %s, %s", async (_, becomes, befalls) => {
  for (const word of ["one", "two"]) await build(pageOf(word));
  const held = befalls();
  const before = inode(SPARE());
  expect(await build(pageOf("three"))).toBe(false);
  expect(inode(IMAGE()) === before).toBe(becomes);
  expect(image().equals(await whole(pageOf("three")))).toBe(true);
  if (typeof held === "number") closeSync(held);
});

test("only one of two simultaneous builds reuses the old image, and both images are correct", async () => {
  for (const word of ["one", "two"]) await build(pageOf(word));
  const earlier = findKeptImages(IMAGE(), at("notes"));
  await build(pageOf("three"));
  const made = await makeIso(planOf(pageOf("four"), at("late.iso")), earlier);
  expect(made).toMatchObject({ ok: true, wholeBecause: "there is no last image in its place" });
  expect(readFileSync(at("late.iso")).equals(await whole(pageOf("four")))).toBe(true);
});

test("a link in place of the image is replaced, and its target is not modified", async () => {
  await build(pageOf("one"));
  renameSync(IMAGE(), at("archive.iso"));
  symlinkSync(at("archive.iso"), IMAGE());
  const archived = readFileSync(at("archive.iso"));
  for (const word of ["two", "three", "four"]) await build(pageOf(word));
  expect(readFileSync(at("archive.iso")).equals(archived)).toBe(true);
  expect(image().equals(await whole(pageOf("four")))).toBe(true);
});

test("no spare image for the next build is stored if the image is small, or if that build could not reuse it", async () => {
  for (const word of ["one", "two"]) await build(pageOf(word), 1 << 30);
  expect(existsSync(SPARE())).toBe(false);
  for (const word of ["three", "four"]) await build(pageOf(word));
  expect(existsSync(SPARE())).toBe(true);
  writeFileSync(at("root"), "another root");
  expect(await build(pageOf("five"))).toBe(true);
  expect(existsSync(SPARE())).toBe(false);
  expect(dirname(SPARE())).toBe(dirname(IMAGE()));
});
