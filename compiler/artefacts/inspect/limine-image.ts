// Describes an image that starts upstream's kernel: what it contains, and whether its loader settings and its
// attestation cover exactly this content. A machine that starts such an image checks no signature.

import { createHash } from "node:crypto";
import { MOST_DIFFERENCE_BYTES } from "../../../targets/attest/difference.ts";
import { decodeUpstreamManifest } from "../../../targets/capos-native/index.ts";
import { IMAGE_PATHS, LIMINE_CATALOGUE, LIMINE_PATHS } from "../../../targets/contract/artifact.ts";
import { type Description, formatTable } from "./description.ts";
import { describeOwnProvenance, describeParts } from "./documents.ts";
import { digestOf, type OpenedImage, readImageFile } from "./opened.ts";

export function describeLimineImage(image: OpenedImage, known: Uint8Array | undefined): Description {
  const digests = new Map(image.files.map((each) => [each.path, digestOf(image, each)]));
  const readSmall = (path: string) => readImageFile(image, path, MOST_DIFFERENCE_BYTES);
  const more = [
    describeParts(readSmall(IMAGE_PATHS.sbom)),
    describeOwnProvenance(readSmall(IMAGE_PATHS.attestation), known, digests, UNNAMED),
    describeUpstream(readSmall(IMAGE_PATHS.manifest)),
  ];
  const files = image.files.map(({ path, size }) => ({ path, size, sha256: digests.get(path) ?? "" }));
  return {
    kind: "upstream image",
    facts: { volume: image.volume, files, ...Object.assign({}, ...more.map(({ facts }) => facts)) },
    lines: [
      `image for upstream's kernel, volume ${image.volume}, ${image.size} bytes`,
      "trust   Limine finds corruption of kernel and manifest, and not a writer of the medium; nobody checks a signature",
      "",
      ...formatTable(files.map(({ path, size, sha256 }) => [sha256, `${size}`, path])),
      "",
      ...more.flatMap(({ lines }) => lines),
    ],
    faults: [...findLoadingFaults(image), ...more.flatMap(({ faults }) => faults)],
  };
}

/**
 * Files that the attestation does not cover. The writer creates the boot catalogue and fills in a table in Limine's
 * BIOS file; the attestation cannot contain its own digest.
 */
const UNNAMED = [LIMINE_CATALOGUE, LIMINE_PATHS.bios, IMAGE_PATHS.attestation];

const MOST_SETTINGS_BYTES = 64 * 1024;
const MOST_LOADED_BYTES = 256 * 1024 * 1024;
// Finds the lines of Limine's settings that load a file. A line may begin with blanks, written [ \t]: \s would match
// line ends too, and many empty lines would then take quadratic time.
const LOADED = /^[ \t]*(?:path|kernel_path|module_path): boot\(\):(\/[^#\s]+)#([0-9a-f]{128})$/gm;

/**
 * Returns the faults of the files that Limine loads. Limine stops if a file does not have the digest that its settings
 * state.
 */
function findLoadingFaults(image: OpenedImage): string[] {
  const settings = readImageFile(image, LIMINE_PATHS.settings, MOST_SETTINGS_BYTES);
  if (settings === undefined) return [`there are no settings of Limine at ${LIMINE_PATHS.settings}`];
  const text = Buffer.from(settings).toString("latin1");
  const loaded = new Map([...text.matchAll(LOADED)].map(([, path = "", digest = ""]) => [path, digest]));
  const unnamed = [LIMINE_PATHS.kernel, IMAGE_PATHS.manifest].filter((path) => !loaded.has(path));
  const others = [...loaded].filter(([path, digest]) => {
    const bytes = readImageFile(image, path, MOST_LOADED_BYTES);
    return bytes === undefined || createHash("blake2b512").update(bytes).digest("hex") !== digest;
  });
  return [
    ...unnamed.map((path) => `Limine is not told to load ${path} by its digest`),
    ...others.map(([path]) => `${path} is not what Limine's settings say: it would not start`),
  ];
}

function describeUpstream(bytes: Uint8Array | undefined): Description {
  const manifest = bytes === undefined ? undefined : decodeUpstreamManifest(bytes);
  if (manifest === undefined)
    return { kind: "upstream manifest", facts: {}, lines: [], faults: ["there is no manifest of upstream's in it"] };
  const { binaries, kernelParams } = manifest;
  const programs = binaries.map(({ name, data }) => ({ name, bytes: data.length }));
  const accounts = kernelParams.seedAccounts.map(({ name }) => name);
  return {
    kind: "upstream manifest",
    facts: { programs, accounts },
    lines: [
      `programs ${programs.map(({ name, bytes: size }) => `${name} (${size} bytes)`).join(", ") || "none"}`,
      `accounts ${accounts.join(", ") || "none"}`,
    ],
    faults: [],
  };
}
