// Reads one side of a diff from the disk: a page, policy tables, or an image. Untrusted bytes are parsed only by
// functions that other commands use too.

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { MAX_TABLES_BYTES, readTables } from "../../../engine/lib/policy/index.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import { computeSha256 } from "../../artefacts/inspect/description.ts";
import { openImage, readImageFile } from "../../artefacts/inspect/opened.ts";
import { IMAGE_NAME } from "../../artefacts/products/names.ts";
import { readBytes, useFile } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { computeMeaningDigest, indexPolicyTables } from "../../phases/policy/index.ts";
import { computeFlows } from "../../phases/prove/index.ts";
import { createDiskHost, type Host } from "../../phases/source/index.ts";
import { collectMachineFacts, type Rename, type Side } from "../../queries/diff/index.ts";
import { findLoosenings } from "../../rules/index.ts";
import { type CheckedPage, compilePage, hasErrors, requireLawful, type Viewpoint } from "../page.ts";
import { formatPath } from "../render-findings.ts";
import { compileRenamed } from "./rename-page.ts";

/** One side of a comparison, with the name that a person uses for it. */
export interface NamedSide extends Side {
  readonly name: string;
  /** Returns the SHA-256 of the side's policy tables, in hexadecimal. */
  readonly digest: () => string;
  /** Returns the digest of meaning of the side's policy tables, which is a SHA-256 in hexadecimal. */
  readonly meaning: () => string;
  /** Page of the side, if it was read from one. */
  readonly page?: PageSide;
  /**
   * Compiles the page again under other names. Returns `undefined` if the renamed page has errors, or if the standard
   * library declares one of the old names.
   */
  readonly rename?: (renames: readonly Rename[]) => Promise<NamedSide | undefined>;
}

/** A side that is a page: it has facts that an image or tables do not contain. */
export interface PageSide extends CheckedPage {
  readonly view: Pick<Viewpoint, "span">;
}

export type SideRead =
  | { readonly kind: "read"; readonly side: NamedSide }
  /** The page has errors. */
  | { readonly kind: "findings"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "refused"; readonly status: ExitStatus; readonly reason: string };

/** Reads a side. `word` names a page, its folder, tables, an image, or the folder of a build. */
export async function readSide(word: string, world: World): Promise<SideRead> {
  const path = resolveInFolder(resolve(world.folder, word));
  return path.endsWith(".cap") ? readPageSide(path, world) : readArtefactSide(path, world);
}

/** Returns the page of a folder, or the tables or the image of a build; any other path stays unchanged. */
export function resolveInFolder(path: string): string {
  if (!existsSync(path) || !statSync(path).isDirectory()) return path;
  const inside = [join(path, "system.cap"), join(path, "policy", "tables.bin"), join(path, IMAGE_NAME)];
  return inside.find((file) => existsSync(file)) ?? path;
}

async function readPageSide(path: string, world: World): Promise<SideRead> {
  const page = await compilePage(path, world, { purpose: "check", proofs: "left" });
  if (page.kind === "unreadable") return { kind: "refused", status: 3, reason: page.reason };
  const { compiled, view } = page;
  if (hasErrors(compiled)) return { kind: "findings", diagnostics: compiled.diagnostics };
  const name = formatPath(path, world);
  const side = createSide(name, { ...requireLawful(compiled), view });
  return { kind: "read", side: { ...side, rename: createRenamer(name, { host: createDiskHost(), path, view }) } };
}

/** The host and path of a page, for reading it again. */
interface PageOrigin {
  readonly host: Host;
  readonly path: string;
  readonly view: PageSide["view"];
}

export function createRenamer(name: string, { host, path, view }: PageOrigin): NonNullable<NamedSide["rename"]> {
  return async (renames) => {
    const page = await compileRenamed(host, path, renames);
    return page && createSide(name, { ...page, view });
  };
}

export function createSide(name: string, page: PageSide): NamedSide {
  const tables = indexPolicyTables(page.policy);
  const digest = () => computeSha256(encodeMessage(PolicyTables, page.policy.tables));
  return {
    name,
    digest,
    meaning: () => computeMeaningDigest(tables),
    tables,
    machine: collectMachineFacts(page),
    flows: (own = tables) => computeFlows(own, page.model),
    model: page.model,
    loosened: () => findLoosenings(page.model, page.trees),
    page,
  };
}

function readArtefactSide(path: string, world: World): SideRead {
  const name = formatPath(path, world);
  const read = readBytes(path, MAX_TABLES_BYTES);
  if (!read.ok) return { kind: "refused", status: 3, reason: read.reason };
  const { bytes, size } = read.value;
  const image = useFile(path, (readAt) => {
    const opened = openImage(readAt, size);
    return opened && { tables: readImageFile(opened, IMAGE_PATHS.tables, MAX_TABLES_BYTES) };
  });
  if (image !== undefined && image.tables === undefined)
    return { kind: "refused", status: 1, reason: `${name} is an image without policy tables` };
  if (image === undefined && size > bytes.length)
    return { kind: "refused", status: 1, reason: `${name} is ${NEITHER}` };
  const found = image?.tables ?? bytes;
  const tables = readTables(found);
  if (!tables.ok) return { kind: "refused", status: 1, reason: `${name} is ${NEITHER}: ${tables.reason}` };
  const side = {
    name,
    digest: () => computeSha256(found),
    meaning: () => computeMeaningDigest(tables.value),
    tables: tables.value,
    machine: undefined,
    flows: undefined,
  };
  return { kind: "read", side };
}

const NEITHER = "no page, no policy tables and no image";
