import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Artifact } from "../contract/artifact.ts";
import { createOciLayout } from "./oci-layout.ts";

// Schemas of the documents, following the specification of image layouts.
const MediaType = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$",
});
const Digest = Type.String({ pattern: "^sha256:[a-f0-9]{64}$" });
const Annotations = Type.Record(Type.String({ minLength: 1 }), Type.String());
const CLOSED = { additionalProperties: false };
const Descriptor = Type.Object(
  {
    mediaType: MediaType,
    digest: Digest,
    size: Type.Integer({ minimum: 1 }),
    annotations: Type.Optional(Annotations),
    platform: Type.Optional(Type.Object({ architecture: Type.Literal("amd64"), os: Type.Literal("linux") }, CLOSED)),
  },
  CLOSED,
);
const versioned = <T extends string>(mediaType: T) => ({
  schemaVersion: Type.Literal(2),
  mediaType: Type.Literal(`application/vnd.oci.image.${mediaType}.v1+json`),
  annotations: Type.Optional(Annotations),
});
const Index = Type.Object({ ...versioned("index"), manifests: Type.Array(Descriptor, { minItems: 1 }) }, CLOSED);
const Manifest = Type.Object(
  { ...versioned("manifest"), config: Descriptor, layers: Type.Array(Descriptor, { minItems: 1 }) },
  CLOSED,
);
const Time = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" });
const Config = Type.Object(
  {
    created: Time,
    architecture: Type.Literal("amd64"),
    os: Type.Literal("linux"),
    config: Type.Object({}, CLOSED),
    rootfs: Type.Object({ type: Type.Literal("layers"), diff_ids: Type.Array(Digest, { minItems: 1 }) }, CLOSED),
    history: Type.Array(Type.Object({ created: Time, created_by: Type.String() }, CLOSED)),
  },
  CLOSED,
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-oci-"));
  writeFileSync(join(folder, "disk.iso"), Buffer.alloc(700_001, "disk"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function layout(sourceDateEpoch = 0): Promise<ReadonlyMap<string, Buffer>> {
  const scratch = mkdtempSync(join(folder, "scratch-"));
  const disk = { file: join(folder, "disk.iso"), name: "system.img" };
  const artifacts = await createOciLayout({
    disk,
    systemId: "lab",
    version: "1.2.0",
    sourceDateEpoch,
    scratch,
    folder: "x.oci",
  });
  return new Map(artifacts.map(({ path, bytes }) => [path, read(bytes)]));
}

function read(bytes: Artifact["bytes"]): Buffer {
  return bytes instanceof Uint8Array ? Buffer.from(bytes) : readFileSync(bytes.file);
}

function document<T extends TSchema>(shape: T, bytes: Buffer | undefined): Static<T> {
  const value: unknown = JSON.parse(bytes?.toString() ?? "null");
  expect([...Value.Errors(shape, value)]).toEqual([]);
  return Value.Parse(shape, value);
}

test("each document conforms to the specification, and every digest and size matches its blob", async () => {
  const files = await layout();
  const blob = ({ digest, size }: Static<typeof Descriptor>): Buffer => {
    const bytes = files.get(`x.oci/blobs/${digest.replace(":", "/")}`) ?? Buffer.alloc(0);
    expect([bytes.length, `sha256:${createHash("sha256").update(bytes).digest("hex")}`]).toEqual([size, digest]);
    return bytes;
  };
  expect(JSON.parse(files.get("x.oci/oci-layout")?.toString() ?? "")).toEqual({ imageLayoutVersion: "1.0.0" });
  const [entry, ...others] = document(Index, files.get("x.oci/index.json")).manifests;
  expect(others).toEqual([]);
  expect(entry?.annotations).toEqual({ "org.opencontainers.image.ref.name": "1.2.0" });
  const manifest = document(Manifest, entry && blob(entry));
  const config = document(Config, blob(manifest.config));
  expect(config.rootfs.diff_ids).toEqual(manifest.layers.map(({ digest }) => digest));
  for (const layer of manifest.layers) blob(layer);
  expect(files.size).toBe(5);
});

test("tar reads a layer with only the disk, owned by the user that QEMU runs as", async () => {
  const files = await layout(86_400);
  const layer = [...files.values()].find((bytes) => bytes.length > 700_001) ?? Buffer.alloc(0);
  const out = join(folder, "unpacked");
  mkdirSync(out);
  writeFileSync(join(folder, "layer.tar"), layer);
  const tar = (...words: readonly string[]): string =>
    execFileSync("tar", ["--numeric-owner", "-f", join(folder, "layer.tar"), ...words], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], TZ: "UTC", LC_ALL: "C" },
    });
  expect(tar("-tv").replaceAll(/ +/g, " ")).toBe(
    "dr-xr-xr-x 107/107 0 1970-01-02 00:00 disk/\n-r--r----- 107/107 700001 1970-01-02 00:00 disk/system.img\n",
  );
  tar("-x", "--no-same-owner", "-C", out);
  expect(readFileSync(join(out, "disk/system.img")).equals(readFileSync(join(folder, "disk.iso")))).toBe(true);
});

test("the same disk gives the same bytes, and a different time gives different bytes", async () => {
  const [one, two, later] = [await layout(), await layout(), await layout(1)];
  expect([...two]).toEqual([...one]);
  expect([...later.keys()]).not.toEqual([...one.keys()]);
});
