// capc build converts a page to tables, manifest and image. It writes all of these files or none.

import { join, resolve } from "node:path";
import type { SecureBootKey } from "../../../engine/image/uefi/sign.ts";
import { accept, type Result } from "../../../engine/lib/result/result.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { DifferencePredicate } from "../../../targets/attest/difference.ts";
import type { ResourceDigest } from "../../../targets/attest/statement.ts";
import { type Loss, renderLoss } from "../../../targets/capos-native/index.ts";
import type { Artifact } from "../../../targets/contract/artifact.ts";
import { WRITERS, type Writer } from "../../../targets/iso/writer.ts";
import { computeFingerprint, encodeHex } from "../../artefacts/inspect/description.ts";
import { isImageNeeded, PRODUCTS, type Product, readEmit } from "../../artefacts/products/emit.ts";
import { readSourceDateEpoch } from "../../artefacts/products/epoch.ts";
import { digestFile, renderDigestLine } from "../../artefacts/products/file-digest.ts";
import { FORMATS, type Format, readFormats } from "../../artefacts/products/formats.ts";
import { findKeptImages, replaceImage } from "../../artefacts/products/kept-images.ts";
import { makeProducts, type Signer as Signed } from "../../artefacts/products/make.ts";
import { IMAGE_NAME, LAYOUT_FOLDER } from "../../artefacts/products/names.ts";
import { createProgress } from "../../artefacts/products/progress.ts";
import { readWriter } from "../../artefacts/products/writer.ts";
import { useScratch, type WriteResult, writeArtifacts } from "../../host/output.ts";
import { ensureStateFolder } from "../../host/state-folder.ts";
import { type ExitStatus, isInterrupted, type World } from "../../host/world.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { recordSince } from "../diff/record.ts";
import { PASSPHRASE_OPTION } from "../keys/passphrase.ts";
import { readImageSigner, type Signer } from "../keys/signer.ts";
import {
  type CheckedPage,
  compilePage,
  convertFindingsToJson,
  hasErrors,
  listSources,
  nameOfSystem,
  requireProved,
} from "../page.ts";
import { countUnproved, createProofReport, type ProofReport } from "../proofs/report.ts";
import { reportText } from "../proofs/text.ts";
import { formatPath, tellFindings } from "../render-findings.ts";

const refuse = createRefuser("build");

export const build: Command = {
  name: "build",
  operands: ["FILE"],
  does: "compile a page to policy tables, a signed manifest and an image",
  details: `Writes manifest.bin and its signature, policy/tables.bin and system.iso. Beside them it writes the
files that the manifest names: canned replies, programs of services, and sbom.spdx.json, the list of
the image's parts. It also writes the provenance of the image, attestation.intoto.json, and the proofs
as proofs.json and proofs.txt. If the build fails, it writes none of these files.
engine/image/rootfs/inputs.lock pins prebuilt files, Node and the programs that write the image.
cap.lock pins the imports of a page. With --locked the build fails if a file differs from
inputs.lock. It always fails if an import differs from cap.lock. The same page gives the same bytes.
The only time in the outputs is the value of SOURCE_DATE_EPOCH, or 0.`,
  options: [
    { name: "out", value: "DIR", does: "output folder (default: build/NAME, where NAME is the page's folder)" },
    { name: "emit", value: "LIST", does: `write only these outputs: ${PRODUCTS.join(",")}` },
    {
      name: "format",
      value: "LIST",
      does: `write the image in these formats too: ${FORMATS.join(",")} (iso is always written)`,
    },
    { name: "secure-boot-key", value: "FILE", does: "private key (PEM) that signs the UEFI boot program" },
    {
      name: "secure-boot-cert",
      value: "FILE",
      does: "certificate (PEM) of --secure-boot-key; enrol it in the firmware of each machine",
    },
    {
      name: "unproved",
      does: "build an image for tests even if proofs fail; `capc run` boots it only with --unproved",
    },
    { name: "locked", does: "fail if a file or program differs from inputs.lock (default: warn)" },
    {
      name: "key",
      value: "FILE",
      does: "sign with this key, made by `capc keys new NAME --image`, not with the development key",
    },
    PASSPHRASE_OPTION,
    {
      name: "also-trust",
      value: "LIST",
      does: "public keys of later images that machines with this image also accept (to change keys)",
    },
    {
      name: "previous",
      value: "OLD",
      does: "put a signed record of the differences from OLD (see capc diff) into the image",
    },
    { name: "trust-weights", value: "LIST", does: "public keys of those who may sign model weights" },
    {
      name: "iso-writer",
      value: "WRITER",
      does: `${WRITERS.join(" or ")}: write the image with the xorriso of capc (wasm) or of the system (native)`,
    },
    { name: "verbose", does: "report whether the build reused the last image, and if not, the reason" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: runBuild,
};

async function runBuild(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const emit = readEmit(typed.values.get("emit"));
  if (!emit.ok) return refuse(world, 2, emit.reason);
  const formats = readFormats(typed.values.get("format"));
  if (!formats.ok) return refuse(world, 2, formats.reason);
  const secureBoot = readSigner(typed, world);
  if (!secureBoot.ok) return refuse(world, 2, secureBoot.reason);
  const epoch = readSourceDateEpoch(world);
  if (!epoch.ok) return refuse(world, 2, epoch.reason);
  const chosen = readWriter(typed.values.get("iso-writer"));
  if (!chosen.ok) return refuse(world, 2, chosen.reason);
  const signer = readImageSigner(typed, world);
  if (!signer.ok) return refuse(world, 3, signer.reason);
  const file = typed.operands[0] ?? "";
  const folder = resolve(world.folder, typed.values.get("out") ?? join("build", nameOfSystem(file, world)));
  const isUnproved = typed.switches.has("unproved");
  const [boots, proofs] = [isImageNeeded(emit.value), isUnproved ? "told" : "demanded"] as const;
  const page = await compilePage(file, world, { purpose: "build", boots, proofs });
  if (page.kind === "unreadable") return refuse(world, 3, page.reason);
  const json = typed.switches.has("json");
  if (!json || hasErrors(page.compiled)) tellFindings(page.compiled.diagnostics, typed, world);
  if (hasErrors(page.compiled)) {
    if (json) world.print(`${JSON.stringify(convertFindingsToJson(page.compiled))}\n`);
    return 1;
  }
  const made = requireProved(page.compiled);
  if (made.policy.image.trust === "sealed" && emit.value.has("iso") && secureBoot.value.secureBoot === undefined)
    return refuse(world, 2, `${UNSEALED}; nothing was written`);
  const report = createProofReport(made);
  const unproved = countUnproved(report);
  if (unproved > 0 && !isUnproved) return refuse(world, 1, `${describeBrokenImage(report)}; nothing was written`);
  if (unproved > 0) world.report(`${renderUnproved(unproved)}\n`);
  const previous = await computeDifference(typed, emit.value, made, world);
  if (typeof previous === "number") return previous;
  const [verbose, locked] = [typed.switches.has("verbose"), typed.switches.has("locked")];
  const sources = listSources(page);
  return await write(
    made,
    {
      signer: signer.value,
      ...chosen.value,
      ...secureBoot.value,
      folder,
      emit: emit.value,
      formats: formats.value,
      epoch: epoch.value,
      json,
      verbose,
      locked,
      report,
      sources,
      ...previous,
    },
    world,
  );
}

/**
 * Returns the paths of the Secure Boot key and its certificate; empty if neither is given. Fails if only one of them is
 * given.
 */
function readSigner(typed: ParsedArguments, world: World): Result<{ readonly secureBoot?: SecureBootKey }> {
  const [key, certificate] = ["secure-boot-key", "secure-boot-cert"].map((name) => typed.values.get(name));
  if (key === undefined && certificate === undefined) return accept({});
  if (key === undefined || certificate === undefined)
    return {
      ok: false,
      reason:
        "--secure-boot-key and --secure-boot-cert belong together: the key signs, the certificate says whose it is",
    };
  return accept({ secureBoot: { key: resolve(world.folder, key), certificate: resolve(world.folder, certificate) } });
}

/**
 * Describes the failed assertions about the graph of processes. A failed proof about conversations has ended the build
 * before, as an error of the page.
 */
function describeBrokenImage({ assertions }: ProofReport): string {
  const failed = assertions.filter(({ verdict }) => verdict !== "proved");
  return failed.map(({ assertion, sentence }) => `${assertion} does not hold: ${sentence}`).join("; ");
}

/**
 * Message for a sealed page without a Secure Boot key. The firmware would refuse an image of this page that is not
 * signed. If the firmware checks no signatures, init refuses the image.
 */
const UNSEALED = "the page asks to be sealed: give --secure-boot-key and --secure-boot-cert";

function renderUnproved(count: number): string {
  return `capc build: UNPROVED: assertions that do not hold: ${count}. The image says so at each start, and capc run wants --unproved`;
}

interface Wish {
  readonly signer: Signer;
  readonly folder: string;
  readonly emit: ReadonlySet<Product>;
  readonly formats: ReadonlySet<Format>;
  readonly secureBoot?: SecureBootKey;
  readonly epoch: number;
  readonly writer: Writer;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly locked: boolean;
  readonly report: ProofReport;
  readonly sources: readonly ResourceDigest[];
  readonly difference?: DifferencePredicate;
}

/**
 * Returns the difference from the earlier system that `--previous` names. Returns an empty object if the option is
 * missing. On failure, returns the exit status.
 */
async function computeDifference(
  typed: ParsedArguments,
  emit: ReadonlySet<Product>,
  page: CheckedPage,
  world: World,
): Promise<Pick<Wish, "difference"> | ExitStatus> {
  const word = typed.values.get("previous");
  if (word === undefined) return {};
  if (!isImageNeeded(emit))
    return refuse(world, 2, "--previous is for the image and its attestation, and neither is emitted");
  const found = await recordSince(word, typed.operands[0] ?? "", page, world);
  if (found.kind === "compared") return found;
  if (found.kind === "refused")
    return refuse(world, found.status, `${escapeInvisible(found.reason)}; nothing was written`);
  tellFindings(found.diagnostics, typed, world);
  return refuse(world, 1, "what was before has errors; nothing was written");
}

/** Returns the proofs as JSON for programs and as text for people. */
function createProofArtifacts(report: ProofReport): readonly Artifact[] {
  return [
    { path: "proofs.json", bytes: Buffer.from(`${JSON.stringify(report, undefined, 2)}\n`) },
    { path: "proofs.txt", bytes: Buffer.from(reportText(report)) },
  ];
}

async function write({ policy, origins }: CheckedPage, wish: Wish, world: World): Promise<ExitStatus> {
  const progress = createProgress(world);
  const { emit, formats, epoch: sourceDateEpoch, writer, report } = wish;
  const proofs = createProofArtifacts(report);
  const image = join(wish.folder, IMAGE_NAME);
  const notes = join(ensureStateFolder(), "cache/images");
  const written = await useScratch(wish.folder, async (scratch) => {
    const order = {
      policy,
      origins,
      emit,
      formats,
      ...(wish.secureBoot === undefined ? {} : { secureBoot: wish.secureBoot }),
      scratch,
      sourceDateEpoch,
      writer,
      progress,
      proofs,
      sources: wish.sources,
      ...(wish.difference === undefined ? {} : { difference: wish.difference }),
      unproved: countUnproved(report),
      locked: wish.locked,
      ...wish.signer,
      warn: (sentence: string) => world.report(`capc build: WARNING, not as locked: ${sentence}\n`),
      caution: (sentence: string) => world.report(`capc build: WARNING: ${sentence}\n`),
      remark: (sentence: string) => world.report(`capc build: WARNING, no prefilled state for ${sentence}\n`),
      explain: (words: string) => (wish.verbose ? world.report(`capc build: ${words}\n`) : undefined),
      earlier: findKeptImages(image, notes),
    };
    const made = await makeProducts(order);
    // Ctrl-C also stops the programs that make an image. Their failure is then not an error.
    if (await isInterrupted(world)) return { ok: false as const, reason: "interrupted" };
    if (!made.ok) return made;
    const replaced = formats.has("oci-layout") ? [LAYOUT_FOLDER] : [];
    const place = (): WriteResult => writeArtifacts(wish.folder, scratch, made.artifacts, replaced);
    const outcome = made.frame === undefined ? place() : replaceImage(image, { notes, frame: made.frame, place });
    return outcome.ok
      ? { ok: true as const, paths: made.artifacts.map(({ path }) => path), losses: made.losses, signer: made.signer }
      : outcome;
  });
  progress.done();
  if (!written.ok) return refuse(world, 3, `${written.reason}; nothing was written`);
  tellResult(written, wish, world);
  return 0;
}

interface Output {
  readonly paths: readonly string[];
  /** Properties of the page that the target cannot express; `undefined` if the target can express every page. */
  readonly losses: readonly Loss[] | undefined;
  /** Signer of the image; absent if nothing is signed. */
  readonly signer: Signed | undefined;
}

function tellResult({ paths, losses, signer }: Output, wish: Wish, world: World): void {
  const files = paths.map((path) => ({
    path: formatPath(join(wish.folder, path), world),
    ...digestFile(join(wish.folder, path)),
  }));
  if (wish.json) {
    const signed = signer === undefined ? {} : { signer: describeSigner(signer) };
    const lost = losses === undefined ? {} : { notExpressed: losses };
    world.print(`${JSON.stringify({ files, ...signed, ...lost })}\n`);
    return;
  }
  if (signer !== undefined) world.report(`capc build: ${renderSigner(signer)}\n`);
  for (const loss of losses ?? []) world.report(`capc build: not expressed: ${renderLoss(loss)}\n`);
  for (const { path, ...file } of files) world.print(renderDigestLine(path, file));
}

function describeSigner({ publicKey, development }: Signed): object {
  return { fingerprint: computeFingerprint(publicKey), publicKey: encodeHex(publicKey), development };
}

function renderSigner({ publicKey, development }: Signed): string {
  const fingerprint = computeFingerprint(publicKey);
  if (!development) return `signed with the key ${fingerprint}`;
  return `signed with the development key of this checkout, ${fingerprint}; --key FILE signs with a key of your own`;
}
