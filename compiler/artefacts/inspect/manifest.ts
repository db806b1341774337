// Describes the signed graph of processes: the grants of each process, and for each grant its provider and the line of
// the page.

import { type Blob, Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { findUnproved } from "../../../targets/contract/artifact.ts";
import { computeSha256, convertToPlain, type Description, encodeHex, formatTable } from "./description.ts";
import { computeMachineFacts, limitWords, renderMachine } from "./machine.ts";

export function describeManifest(bytes: Uint8Array): Description | undefined {
  const read = decodeMessage(Manifest, bytes);
  // Bytes that are all zero decode as a manifest with default values, so a manifest without a system id is refused.
  if (!read.ok || read.value.systemId === "") return undefined;
  const manifest = read.value;
  const disk = manifest.storage.disk;
  const unproved = findUnproved(manifest.kernelParameters);
  const machine = computeMachineFacts(manifest);
  return {
    kind: "manifest",
    facts: { sha256: computeSha256(bytes), unproved: unproved ?? null, machine, manifest: convertToPlain(manifest) },
    lines: [
      `manifest of ${manifest.systemId} ${manifest.version}, schema version ${manifest.schemaVersion}, ${bytes.length} bytes`,
      `sha256  ${computeSha256(bytes)}`,
      ...(unproved === undefined ? [] : [`UNPROVED: assertions of its page that do not hold: ${unproved}`]),
      ...(manifest.trust === "sealed" ? ["sealed  it starts only where Secure Boot is on"] : []),
      `boots   session ${manifest.session}; data disk ${disk === "" ? "none" : `${disk}, ${describeEncryption(manifest)}`}`,
      `kernel  ${manifest.kernelParameters.join(" ")}`,
      ...renderMachine(machine),
      ...describeNetwork(manifest),
      "",
      ...formatTable(
        [manifest.root, ...manifest.artefacts].map((blob) => [
          blob.name,
          blob.path,
          `${blob.size}`,
          encodeHex(blob.sha256),
        ]),
      ),
      ...[manifest.root, ...manifest.artefacts].flatMap(describeTree),
      ...manifest.processes.flatMap((each) => ["", ...describeProcess(each)]),
    ],
    faults: [],
  };
}

function describeTree({ name, verity }: Blob): string[] {
  return verity.rootHash.length === 0
    ? []
    : [`${name} is checked block by block, root hash ${encodeHex(verity.rootHash)}`];
}

function describeEncryption(manifest: Manifest): string {
  const { encrypted, create } = manifest.storage;
  return `${encrypted ? "" : "not "}encrypted${create ? ", made of a blank disk where there is none" : ""}`;
}

/** Returns the lines about the network, or none for a system without egress. */
function describeNetwork({ network }: Manifest): string[] {
  switch (network.which) {
    case "none":
      return [];
    case "dhcp":
      return ["network for egress alone, at an address by DHCP"];
    case "fixed": {
      const { address, prefix, router, resolvers } = network.fixed;
      const beside = [...(router === "" ? [] : [`router ${router}`]), ...resolvers.map((one) => `name server ${one}`)];
      return [`network for egress alone, ${[`at ${address}/${prefix}`, ...beside].join(", ")}`];
    }
  }
}

function describeProcess(process: Manifest["processes"][number]): string[] {
  const grants = process.grants.map((grant) => [
    `  holds ${grant.name}`,
    `interface ${grant.interfaceId.toString(16)}`,
    `of ${grant.provider}`,
    grant.origin,
  ]);
  const files = process.files.map((file) => [`  holds ${file.name}`, describeFile(file), "", ""]);
  return [
    `${process.name}  uid ${process.uid}  ${[process.exec, ...process.arguments].join(" ")}`,
    `  ${limitWords(process)}`,
    ...formatTable([...grants, ...files]).map((line) => line.trimEnd()),
  ];
}

/** Returns a sentence about one file that a process receives at its start. */
export function describeFile(file: Manifest["processes"][number]["files"][number]): string {
  switch (file.which) {
    case "blob":
      return `artefact ${file.blob}, read-only`;
    case "directory":
      return `directory ${file.directory} of the data disk`;
    case "key":
      return `key ${file.key}, born on the data disk`;
    case "partition":
      return "the audit partition of the data disk";
    case "states":
      return `prefilled states ${file.states}, read-only, checked at each read`;
    case "terminal":
      return "the terminal";
    case "weights":
      return `weights ${file.weights}, read-only, checked at each read`;
  }
}
