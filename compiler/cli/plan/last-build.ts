// Finds the last build of a page, in a folder or an image, and compares the page with it.

import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { decodeMessage, encodeMessage } from "../../../engine/lib/wire/index.ts";
import { CHECKED_WHOLE, IMAGE_PATHS, MOST_MANIFEST_BYTES } from "../../../targets/contract/artifact.ts";
import { planManifest } from "../../../targets/manifest/manifest.ts";
import { encodeHex } from "../../artefacts/inspect/description.ts";
import { openImage, readImageFile } from "../../artefacts/inspect/opened.ts";
import { IMAGE_NAME } from "../../artefacts/products/names.ts";
import { readBytes, useFile } from "../../host/files.ts";
import type { World } from "../../host/world.ts";
import { collectGraphFacts, type ImageGraph, renameInGraph } from "../../queries/diff/index.ts";
import { compareSides, type MachinesUnder } from "../diff/renames.ts";
import { reportOf } from "../diff/report.ts";
import type { NamedSide } from "../diff/side.ts";
import { type CheckedPage, nameOfSystem } from "../page.ts";
import { formatPath } from "../render-findings.ts";
import type { PlanChanges } from "./plan-report.ts";

/** Files that contain the tables of a build. A comparison needs one of them. */
const WITH_TABLES = [join("policy", "tables.bin"), IMAGE_NAME];

/** End of the path of a build's tables or image. If this end is removed, the path of the build's folder is left. */
const TABLES_OF_BUILD = /\/(?:policy\/tables\.bin|system\.iso)$/;

/**
 * Returns the folder of a page's last build, and whether it exists. The last build is the newest build in one of three
 * folders: the default folder of `capc build`, `build` beside the page, and `build/NAME` beside the page.
 */
export function findLastBuild(file: string, world: World): { readonly folder: string; readonly isThere: boolean } {
  const name = nameOfSystem(file, world);
  const standard = resolve(world.folder, "build", name);
  const beside = resolve(world.folder, dirname(file), "build");
  const built = [standard, beside, join(beside, name)].flatMap((folder) => {
    const times = WITH_TABLES.flatMap((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? []);
    return times.length === 0 ? [] : [{ folder, time: Math.max(...times) }];
  });
  const [newest] = built.sort((one, other) => other.time - one.time);
  return { folder: formatPath(newest?.folder ?? standard, world), isThere: newest !== undefined };
}

/** Returns the changes that a build of the page would make to an earlier build. `word` names the build as the user typed it. */
export async function compareWithBuild(
  built: NamedSide,
  page: CheckedPage,
  { after, word, world }: { readonly after: NamedSide; readonly word: string; readonly world: World },
): Promise<PlanChanges> {
  const found = built.page === undefined ? readManifest(resolve(world.folder, word), built.digest()) : undefined;
  const now = found === undefined ? after : omitStatements(after);
  const machines = found === undefined ? undefined : describeMachines(found, planGraph(page));
  const { before: build, changes, notCompared } = reportOf(await compareSides(built, now, machines), undefined);
  return {
    build: { ...build, name: build.name.replace(TABLES_OF_BUILD, "") },
    isSame: changes.length === 0,
    changes,
    notCompared: found === undefined ? notCompared : NOT_IN_A_BUILD,
  };
}

/** Facts of a page that cannot be compared with a build. */
const NOT_IN_A_BUILD = [
  "flows, assertions, tests, reasons; `capc diff` compares pages",
  "capc's own programs, contents of weights and credentials",
];

/** Returns a page without the facts that no build contains, so that they are not compared. */
function omitStatements(page: NamedSide): NamedSide {
  const { model: _, loosened: __, ...side } = page;
  return { ...side, flows: undefined };
}

function describeMachines(built: ImageGraph, planned: ImageGraph): MachinesUnder {
  return (renames) => {
    const named = renameInGraph(built, renames);
    return { before: collectGraphFacts(named, planned), after: collectGraphFacts(planned, named) };
  };
}

/** Placeholder for the digests of the root file system and of weights, which only a build knows and which are not compared. */
const NO_ROOT = { size: 0, sha256: new Uint8Array(32), verity: CHECKED_WHOLE };

function planGraph({ policy, origins }: CheckedPage): ImageGraph {
  return planManifest(policy, { tables: encodeMessage(PolicyTables, policy.tables), root: NO_ROOT, origins });
}

/** Returns the manifest beside the tables of a build, or `undefined` if it is missing or belongs to other tables. */
function readManifest(path: string, tables: string): Manifest | undefined {
  const bytes = findManifestBytes(path);
  const read = bytes && decodeMessage(Manifest, bytes);
  if (read?.ok !== true) return undefined;
  const blob = read.value.artefacts.find(({ name }) => name === "tables");
  return blob !== undefined && encodeHex(blob.sha256) === tables ? read.value : undefined;
}

function findManifestBytes(path: string): Uint8Array | undefined {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  // The tables are in a folder beside the manifest.
  const beside = isFolder ? path : resolve(path, "..", "..");
  const file = readBytes(join(beside, "manifest.bin"), MOST_MANIFEST_BYTES);
  if (file.ok && !path.endsWith(".iso")) return file.value.bytes;
  const image = isFolder ? join(path, IMAGE_NAME) : path;
  const size = readBytes(image, 0);
  if (!size.ok) return undefined;
  return useFile(image, (readAt) => {
    const opened = openImage(readAt, size.value.size);
    return opened && readImageFile(opened, IMAGE_PATHS.manifest, MOST_MANIFEST_BYTES);
  });
}
