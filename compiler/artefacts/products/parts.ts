// Collects the third-party parts of an image and the programs that it runs, for its SBOM and its attestation.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "../../../engine/image/rootfs/assemble.ts";
import { type Input, readLock } from "../../../engine/image/rootfs/inputs.ts";
import { MODULES, PREBUILT } from "../../../engine/image/rootfs/prebuilt.ts";
import type { Part } from "../../../targets/attest/sbom.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import { readCapcVersion } from "../../host/version.ts";
import { computeSha256, encodeHex } from "../inspect/description.ts";
import { collectLinkedLibraries } from "./linked.ts";
import type { WeightsInImage } from "./weights.ts";

interface PartsPlan {
  readonly checkout: string;
  readonly policy: Policy;
  /** Programs of the root file system. */
  readonly programs: readonly Program[];
  /** Digests of the files that differ from inputs.lock, by name. */
  readonly found: ReadonlyMap<string, string>;
  readonly weights?: ReadonlyMap<string, WeightsInImage>;
}

/**
 * Returns the files of inputs.lock that this image contains, with the libraries and crates in them. Also returns the
 * programs of the root file system, and the files that the page added.
 */
export function collectParts({ checkout, policy, programs, found, weights }: PartsPlan): readonly Part[] {
  const capc = readCapcVersion();
  const engine = programs.map((program) => ({
    name: program.path,
    package: "capc",
    version: capc,
    sha256: program.sha256,
    licence: "MIT",
    source: `${program.entry} of capc ${capc}`,
  }));
  const own = policy.services.flatMap(({ name, implementation, own: program }) => {
    const path = implementation === "own-native" ? `services/${name}` : `capos/services/${name}.js`;
    return program === undefined ? [] : [createOwnPart(name, path, program.bytes, policy)];
  });
  const models = [...(weights ?? [])].map(([model, { sha256: digest, id }]) =>
    createWeightsPart(model, id, encodeHex(digest)),
  );
  const inputs = selectInputs(checkout, policy, found);
  const linked = collectLinkedLibraries(
    checkout,
    inputs.filter(({ name }) => !found.has(name)),
  );
  return [...inputs.map(createPart), ...readCrates(checkout), ...linked, ...engine, ...own, ...models];
}

/**
 * Returns the files of inputs.lock that this image contains. For a file that differs from inputs.lock, only its digest
 * is known.
 */
export function selectInputs(
  checkout: string,
  { image, storage, network, ...policy }: Policy,
  found: ReadonlyMap<string, string>,
): readonly Input[] {
  const { machine, console, firmware } = image;
  const { first, second, sha, crypt, keys, net } = MODULES[machine];
  const encrypted = (storage?.encrypted ?? false) ? crypt : [];
  const typed = console === "screen" ? keys : [];
  const networked = network === undefined ? [] : net;
  const modules = new Set([...first, ...second, ...sha, ...encrypted, ...typed, ...networked]);
  const folder = PREBUILT.modules(machine);
  const isThere = ({ name }: Input): boolean => {
    if (name.startsWith("kernel/"))
      return (
        name === PREBUILT.kernel(machine) ||
        (name.startsWith(`${folder}/`) && modules.has(name.slice(folder.length + 1)))
      );
    if (name.startsWith("node_modules/@node-llama-cpp/")) return hasLocalModels(policy);
    if (name.startsWith("isolinux/")) return firmware.includes("bios");
    return name !== PREBUILT.stub || firmware.includes("uefi");
  };
  return readLock(checkout)
    .files.filter(isThere)
    .map((input) => ({ ...input, ...overrideMismatch(found.get(input.name)) }));
}

/** Returns whether the image contains the engine of local models. */
export function hasLocalModels({ backends, embedders }: Pick<Policy, "backends" | "embedders">): boolean {
  return embedders.length > 0 || backends.some(({ kind }) => kind === "cpu");
}

function overrideMismatch(sha256: string | undefined): Partial<Input> {
  if (sha256 === undefined) return {};
  return { sha256, version: "not as locked", source: "unknown", licence: "NOASSERTION" };
}

function createPart(input: Input): Part {
  const purl = derivePurl(input);
  return {
    name: input.name,
    package: input.package,
    version: input.version,
    sha256: input.sha256,
    licence: input.licence,
    source: `source: ${input.source}`,
    ...(purl === undefined ? {} : { purl }),
  };
}

/** An entry in the form that engine/image/init/crates.ts writes. */
interface Crate {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly sha256: string;
}

/**
 * Returns the third-party crates that are linked into init and the console. Init and the console are built from one
 * library, and each uses a part of it.
 */
function readCrates(checkout: string): readonly Part[] {
  const crates: readonly Crate[] = JSON.parse(
    readFileSync(join(checkout, "engine/prebuilt/licences/crates.json"), "utf8"),
  );
  return crates.map(({ name, version, licence, sha256 }) => ({
    name: `crate/${name}`,
    package: name,
    version,
    sha256,
    licence,
    source: "the crate's archive, by whose checksum engine/image/init/Cargo.lock pins it",
    purl: `pkg:cargo/${name}@${version}`,
    within: [PREBUILT.init, PREBUILT.console],
  }));
}

/**
 * Returns the package URL of an input, or `undefined` if it was built from the sources here or differs from
 * inputs.lock.
 */
export function derivePurl({ name, package: from, version, source }: Input): string | undefined {
  if (source.startsWith("engine/") || source === "unknown") return undefined;
  if (name.startsWith("node_modules/")) return `pkg:npm/${from}@${version}`;
  return `pkg:deb/debian/${from}@${encodeURIComponent(version)}?arch=amd64`;
}

/**
 * Returns the entry of the parts list for a model's weights. The entry has no licence, because the statement of a
 * licence in a file of weights is not binding.
 */
function createWeightsPart(model: string, id: string, digest: string): Part {
  const source = "the page's own package, with a hash tree behind it";
  return { name: IMAGE_PATHS.weights(model).slice(1), package: model, version: id, sha256: digest, source };
}

function createOwnPart(service: string, name: string, bytes: Uint8Array, { tables }: Policy): Part {
  return {
    name,
    package: `${tables.systemId}-${service}`,
    version: tables.version,
    sha256: computeSha256(bytes),
    source: "the page's own package",
  };
}
