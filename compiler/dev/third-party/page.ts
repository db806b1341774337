// Renders THIRD-PARTY.md from the lock files: third-party parts that are committed, installed or put into images.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readLock } from "../../../engine/image/rootfs/inputs.ts";
import { collectLinkedLibraries } from "../../artefacts/products/linked.ts";
import { listCommitted } from "./committed.ts";

type Row = readonly string[];

/** Returns the page as Markdown. Throws if a lock file cannot be read. */
export function renderThirdParty(checkout: string): string {
  const inputs = readLock(checkout).files.filter(({ source }) => !source.startsWith("engine/"));
  const byPackage = [...Map.groupBy(inputs, ({ package: name, version }) => `${name}@${version}`).values()];
  const images = byPackage.flatMap((files): Row[] => {
    const [first] = files;
    return first === undefined
      ? []
      : [[first.package, first.version, first.licence, first.source, String(files.length), listFolders(files)]];
  });
  const linked = collectLinkedLibraries(checkout, readLock(checkout).files).map(
    ({ package: name, version, licence, within }): Row => [
      name,
      version,
      licence ?? "not stated",
      [...new Set((within ?? []).map(readLastName))].join(", "),
    ],
  );
  return `# Parts of others

capc itself is under the [MIT licence](LICENSE). This page lists the parts that others made, with their licences.
\`node compiler/dev/third-party/main.ts --write\` writes it from the lock files, and a test fails if it is stale.

Each image has its own list of parts, \`sbom.spdx.json\` (SPDX 2.3), with the digest of each file. \`capc inspect IMAGE\` shows it.
The terms of each package from Debian are in \`engine/prebuilt/licences\`.

## Files in images

[\`inputs.lock\`](engine/image/rootfs/inputs.lock) pins each file by SHA-256. An image contains only the files that its page needs: one of
the kernels, and llama.cpp only if the page runs weights. Sources of Debian's packages are Debian's source packages of the same name and
version.

${renderTable(["package", "version", "licence", "source", "files", "in"], images)}
## Libraries linked into programs of images

${renderTable(["library", "version", "licence", "in"], sortRows(linked))}
## Crates linked into init and the console

[\`Cargo.lock\`](engine/image/init/Cargo.lock) pins them. Their terms are in \`engine/prebuilt/licences/capos-init.txt\`. The source of each
is its archive on crates.io.

${renderTable(["crate", "version", "licence"], sortRows(readCrates(checkout)))}
## Other committed files

${renderTable(["path", "part", "version", "licence", "source", "for"], listCommitted(checkout))}
## npm packages that capc runs with

[\`package-lock.json\`](package-lock.json) pins them. \`make setup\` installs those for this platform, and \`make pack\` bundles their code. The
terms of each are in its own package.

${renderTable(["package", "version", "licence"], readPackages(checkout, "run"))}
## npm packages for development

\`make setup\` installs them too. They are neither in images nor in what \`make pack\` makes.

${renderTable(["package", "version", "licence"], readPackages(checkout, "develop"))}`;
}

function listFolders(files: readonly { readonly name: string }[]): string {
  const folders = files.map(({ name }) => name.slice(0, name.lastIndexOf("/")));
  const places = folders.map((folder) => folder.replace(/^(node_modules\/(?:@[^/]+\/)?[^/]+)\/.*/, "$1"));
  return [...new Set(places)].map((place) => `\`${place}\``).join(", ");
}

function readLastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function readCrates(checkout: string): readonly Row[] {
  const crates: readonly { readonly name: string; readonly version: string; readonly licence: string }[] = JSON.parse(
    readFileSync(join(checkout, "engine/prebuilt/licences/crates.json"), "utf8"),
  );
  return crates.map(({ name, version, licence }) => [name, version, licence]);
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

function readPackages(checkout: string, use: "run" | "develop"): readonly Row[] {
  const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    readFileSync(join(checkout, "package-lock.json"), "utf8"),
  );
  const rows = Object.entries(lock.packages).flatMap(([path, { version, license, dev }]): Row[] => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const isWanted = path !== "" && (dev === true) === (use === "develop");
    return isWanted ? [[name, version ?? "", license ?? "not stated"]] : [];
  });
  return sortRows([...new Map(rows.map((row) => [row.join(" "), row])).values()]);
}

function sortRows(rows: readonly Row[]): readonly Row[] {
  const keyOf = (row: Row): string => row.join("\n");
  return rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function renderTable(heads: Row, rows: readonly Row[]): string {
  const renderRow = (cells: Row): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return `${renderRow(heads)}|${"---|".repeat(heads.length)}\n${rows.map(renderRow).join("")}`;
}
