// Writes an image layout of the Open Container Initiative with one layer, which contains the disk image in /disk.
// KubeVirt starts virtual machines from such a layout, and registries can store it.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Artifact } from "../contract/artifact.ts";
import { writeTar } from "./tar.ts";

interface LayoutPlan {
  /** `file` is the path of the disk image on this machine, `name` its name in the layer. */
  readonly disk: { readonly file: string; readonly name: string };
  readonly systemId: string;
  readonly version: string;
  readonly sourceDateEpoch: number;
  /** Folder for temporary files, in which the layer is written. */
  readonly scratch: string;
  /** The layout's own folder, below the output folder. */
  readonly folder: string;
}

const TYPES = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar",
} as const;

/** KubeVirt runs QEMU as this user and group, and requires that they own the disk. */
const QEMU = 107;
const PLATFORM = { architecture: "amd64", os: "linux" } as const;

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** Returns the files of the layout. The files are not compressed, because two versions of a compressor would give two digests. */
export async function createOciLayout(plan: LayoutPlan): Promise<readonly Artifact[]> {
  const { folder, systemId, version, disk } = plan;
  const layerFile = `${plan.scratch}/layer.tar`;
  const size = writeTar(layerFile, plan.sourceDateEpoch, [
    { path: "disk/", mode: 0o555, owner: QEMU },
    { path: `disk/${disk.name}`, mode: 0o440, owner: QEMU, file: disk.file },
  ]);
  const layer = { mediaType: TYPES.layer, digest: await digestOfFile(layerFile), size };
  const created = `${new Date(plan.sourceDateEpoch * 1000).toISOString().slice(0, 19)}Z`;
  const config = encodeJson(TYPES.config, {
    created,
    ...PLATFORM,
    config: {},
    rootfs: { type: "layers", diff_ids: [layer.digest] },
    history: [{ created, created_by: "capc build" }],
  });
  const annotations = { "org.opencontainers.image.title": systemId, "org.opencontainers.image.version": version };
  const manifest = encodeJson(TYPES.manifest, {
    schemaVersion: 2,
    mediaType: TYPES.manifest,
    config: config.descriptor,
    layers: [layer],
    annotations,
  });
  const entry = {
    ...manifest.descriptor,
    platform: PLATFORM,
    annotations: { "org.opencontainers.image.ref.name": version },
  };
  const index = encodeJson(TYPES.index, { schemaVersion: 2, mediaType: TYPES.index, manifests: [entry] });
  const createBlob = (digest: string, bytes: Artifact["bytes"]): Artifact => ({
    path: `${folder}/blobs/${digest.replace(":", "/")}`,
    bytes,
  });
  return [
    { path: `${folder}/oci-layout`, bytes: Buffer.from('{"imageLayoutVersion":"1.0.0"}') },
    { path: `${folder}/index.json`, bytes: index.bytes },
    createBlob(manifest.descriptor.digest, manifest.bytes),
    createBlob(config.descriptor.digest, config.bytes),
    createBlob(layer.digest, { file: layerFile }),
  ];
}

function encodeJson(mediaType: string, value: unknown): { readonly bytes: Buffer; readonly descriptor: Descriptor } {
  const bytes = Buffer.from(JSON.stringify(value));
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  return { bytes, descriptor: { mediaType, digest, size: bytes.length } };
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece);
  return `sha256:${hash.digest("hex")}`;
}
