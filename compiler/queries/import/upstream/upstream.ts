// capc import upstream: converts the boot manifest of an upstream kernel to a page, with the programs beside it. The
// page is compiled before it is returned, and the manifest that it builds is compared with the original. If they are
// not equal, no page is returned. The bytes of the manifest are untrusted.

import { type IndexedTables, readTables } from "../../../../engine/lib/policy/index.ts";
import { PolicyTables } from "../../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../../engine/lib/wire/index.ts";
import type { SystemManifest } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { bug, type Diagnostic, isError, sortDiagnostics } from "../../../../lang/diagnostics/index.ts";
import { formatFile } from "../../../../lang/format/index.ts";
import { MAX_FILE_BYTES } from "../../../../lang/grammar/index.ts";
import { createSourceText, startOf } from "../../../../lang/text/index.ts";
import { createUpstreamManifest, TABLES_BINARY } from "../../../../targets/capos-native/index.ts";
import type { Policy } from "../../../../targets/contract/policy.ts";
import { compile } from "../../../compile.ts";
import { indexPolicyTables } from "../../../phases/policy/index.ts";
import { createMemoryHost } from "../../../phases/source/index.ts";
import { computeDifference } from "../../diff/index.ts";
import { notUpstreamManifest } from "../rules/not-upstream-manifest/codes.ts";
import { bootOf } from "./boot.ts";
import { compareManifests, findReordered, type UpstreamReading } from "./compare-manifests.ts";
import { Findings } from "./findings.ts";
import { readGraph } from "./graph.ts";
import { drawPage, listKeyPaths, PLACEHOLDER } from "./page.ts";
import { applyDefaults, checkFixed } from "./params.ts";
import { createClosedParts, type Parts } from "./parts.ts";
import { checkPeople, readPeople } from "./people.ts";
import { readParts } from "./policy.ts";
import { collectPrograms, type PageFile } from "./programs.ts";
import { type ReadManifest, readManifest } from "./read.ts";

type ImportedManifest =
  | {
      readonly ok: true;
      readonly page: string;
      /** Files that the page names, below its folder. */
      readonly files: readonly PageFile[];
      readonly findings: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** `read`: the import converts the policy in the manifest. `left`: the page forbids every call. */
export type TablesWish = "read" | "left";

/** Imports a manifest. `name` is the manifest's name in messages. */
export async function importUpstream(name: string, bytes: Uint8Array, wish: TablesWish): Promise<ImportedManifest> {
  const result = readManifest(name, bytes);
  if (!result.ok) {
    const at = startOf(name);
    return { ok: false, diagnostics: [notUpstreamManifest.at(at, { what: name, reason: result.reason })] };
  }
  const { value: read } = result;
  const findings = new Findings(read.listing);
  const before = checkManifest(read, findings);
  const files = collectPrograms(before.manifest, before.graph, findings);
  const { parts, tables } = chooseParts(before.manifest, wish, findings);
  const drawn = await draw(before, { parts, carriesTables: tables !== undefined, programs: files }, findings);
  if (drawn.policy !== undefined) compareWith(drawn.policy, before, tables, findings);
  const all = sortDiagnostics([...drawn.diagnostics, ...findings.all]);
  if (all.some(isError)) return { ok: false, diagnostics: all };
  return { ok: true, page: drawn.page, files: drawn.files, findings: all };
}

/** Reports the values that no page can express, and returns the manifest with all values that upstream reads. */
function checkManifest(read: ReadManifest, findings: Findings): UpstreamReading {
  const manifest = applyDefaults(read);
  if (manifest.schemaVersion !== 1)
    findings.reportWrong("$.schemaVersion", "upstream's crate 0.1.0 knows version 1 alone");
  checkFixed(read, manifest, findings);
  checkPeople(manifest.kernelParams, findings);
  return { manifest, graph: readGraph(manifest.initConfig, findings) };
}

interface PartsRead {
  readonly parts: Parts;
  /**
   * Tables in the manifest. The tables of the page must have the same meaning. `undefined` if the manifest contains no
   * tables, or they are not converted.
   */
  readonly tables: IndexedTables | undefined;
}

function chooseParts(manifest: SystemManifest, wish: TablesWish, findings: Findings): PartsRead {
  const carried = manifest.binaries.find(({ name }) => name === TABLES_BINARY);
  const closeParts = (): PartsRead => ({
    parts: createClosedParts(readPeople(manifest.kernelParams, findings)),
    tables: undefined,
  });
  if (carried === undefined) return closeParts();
  if (wish === "left") {
    findings.reportDifference("$.binaries", "the policy's tables are left out, and every call is forbidden");
    return closeParts();
  }
  const tables = readTables(carried.data);
  if (!tables.ok) {
    findings.reportUnread(TABLES_BINARY, tables.reason);
    return closeParts();
  }
  const known = findings.all.length;
  const parts = readParts(tables.value, findings);
  // If the tables have parts that no page can express, the import continues with placeholders, to find other faults too.
  return parts === undefined || findings.all.length > known ? closeParts() : { parts, tables: tables.value };
}

interface DrawnPage {
  readonly page: string;
  readonly files: readonly PageFile[];
  readonly policy: Policy | undefined;
  /** Diagnostics from compiling the page. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The parts from which a page is written. `carriesTables` states that the manifest contains tables. */
interface PageParts {
  readonly parts: Parts;
  readonly carriesTables: boolean;
  readonly programs: readonly PageFile[];
}

async function draw(
  { manifest, graph }: UpstreamReading,
  { parts, carriesTables, programs }: PageParts,
  findings: Findings,
): Promise<DrawnPage> {
  const none = { page: "", files: [], policy: undefined, diagnostics: [] };
  // A page must have a session. Another finding has reported its absence.
  if (parts.sessions.length === 0) return none;
  const params = manifest.kernelParams;
  const boot = bootOf(parts.sessions, params);
  const text = drawPage({ graph, params, parts, boot, carriesTables });
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
    findings.reportUnsayable(
      "$",
      `a page has ${MAX_FILE_BYTES} bytes at most, and this would have more`,
      "say less in one manifest",
    );
    return none;
  }
  const form = await formatFile(createSourceText(NOT_WRITTEN, text));
  const page = form.ok ? form.value : text;
  const files = [...programs, ...createKeyFiles(parts)];
  const named = Object.fromEntries(files.map(({ path, bytes }) => [`/${path}`, bytes]));
  const host = createMemoryHost({ ...named, [`/${NOT_WRITTEN}`]: page });
  const { policy, diagnostics } = await compile(host, `/${NOT_WRITTEN}`, { advice: "left" });
  return { page, files, policy, diagnostics };
}

/** Name of the page in messages if no page can be written for the manifest. */
const NOT_WRITTEN = "the page of it";

function createKeyFiles({ principals }: Parts): readonly PageFile[] {
  return principals.flatMap((principal) => {
    const paths = listKeyPaths(principal);
    return principal.keys.map((key, index) => ({
      path: paths[index] ?? bug("a key without a path"),
      bytes: Buffer.from(`${key} ${principal.name}\n`),
    }));
  });
}

/**
 * Reports the values that differ in the manifest that is built from the page, and differences between the policy of the
 * page and the tables. Must be called after all other checks, because values that they reported are not compared again.
 */
function compareWith(
  policy: Policy,
  before: UpstreamReading,
  tables: IndexedTables | undefined,
  findings: Findings,
): void {
  if (tables !== undefined) compareTables(policy, tables, findings);
  // A value with an error would also differ from the original manifest, and would be reported a second time. So after
  // an error the values are not compared.
  if (findings.all.some(isError)) return;
  // The tables are left out of this manifest, because their bytes contain the positions of lines. `compareTables`
  // compares the meaning of the tables.
  const manifest = createUpstreamManifest(policy, new Uint8Array());
  const after = { manifest, graph: readGraph(manifest.initConfig, findings) };
  for (const { path, expected } of compareManifests(before, after))
    findings.reportUnsayable(path, `the page gives ${expected}`, "change the manifest's source");
  const others = findReordered(before, after);
  if (others.includes(SERVICES)) findings.reportUnsayable(SERVICES, ...orderOf(after));
  tellChoices(policy, before, tables, findings);
  for (const path of others.filter((each) => each !== SERVICES))
    findings.reportDifference(path, "the page gives them in another order; upstream's crate finds them by their names");
}

const SERVICES = "$.initConfig.services";

/**
 * Returns the texts of the finding about services in another order than the page gives. The order matters, because init
 * starts services in the order of the list.
 */
function orderOf({ graph }: UpstreamReading): readonly [why: string, instead: string] {
  const names = graph.services.map(({ name }) => name).join(", ");
  return [
    "services of a page start after those whose exports they hold, and otherwise in the order of their names",
    `write them in this order: ${names}`,
  ];
}

function tellChoices(
  policy: Policy,
  { graph }: UpstreamReading,
  tables: IndexedTables | undefined,
  findings: Findings,
): void {
  const { boot } = policy.image;
  findings.reportDifference(
    "$",
    'no manifest names its kernel: for an image the page wants `kernel "FILE"`, for a manifest nothing',
  );
  if (policy.tables.rows.length > 1)
    findings.reportDifference(
      "$.kernelParams.resourceProfiles",
      `the manifest does not say which session boots; the page says ${boot}`,
    );
  if (policy.storage !== undefined)
    findings.reportDifference(
      "$.kernelParams.seedAccounts",
      `passphrases want a disk on a page, which says ${policy.storage.disk}`,
    );
  for (const { name } of policy.services.filter(({ implementation }) => implementation !== "own-native"))
    findings.reportDifference(
      SERVICES,
      `no program answers for ${name}, which the page leaves to the runtime of \`target linux\``,
    );
  if (tables === undefined && graph.services.length > 0)
    findings.reportDifference(
      SERVICES,
      `no manifest says what its programs answer to: each stands there as ${PLACEHOLDER}, and no session may call any`,
    );
}

function isSameTables(one: IndexedTables, other: IndexedTables): boolean {
  const [left, right] = [one, other].map((tables) => encodeMessage(PolicyTables, tables));
  return left !== undefined && right !== undefined && Buffer.compare(left, right) === 0;
}

function compareTables(policy: Policy, tables: IndexedTables, findings: Findings): void {
  const made = indexPolicyTables(policy);
  const makeSide = (one: IndexedTables) => ({ tables: one, machine: undefined, flows: undefined });
  const { cells, facts } = computeDifference(makeSide(tables), makeSide(made));
  for (const { at } of cells)
    for (const { place, tools } of at)
      findings.reportUnread(`${place.session} ${tools.join(", ")}`, "the lines decide otherwise");
  for (const { what, places, before = "nothing", after = "nothing" } of facts)
    findings.reportUnread(`${places.join(", ")} ${what}`.trim(), `it was ${before}, and comes back as ${after}`);
  if (cells.length + facts.length > 0 || isSameTables(tables, made)) return;
  findings.reportDifference(
    "$.binaries",
    "the policy's tables are other bytes: they decide the same, by rules with other words at other places, which /why and the audit name",
  );
}
