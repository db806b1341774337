// Builds the image of a page again. The time, the key and the note about failed proofs come from the image that is verified.

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import { readUefiProgram } from "../../artefacts/inspect/boot-modes.ts";
import { type OpenedImage, readCreationTime, readDifference } from "../../artefacts/inspect/opened.ts";
import { readUnproved } from "../../artefacts/inspect/unproved.ts";
import { makeProducts } from "../../artefacts/products/make.ts";
import { IMAGE_NAME } from "../../artefacts/products/names.ts";
import type { Order } from "../../artefacts/products/order.ts";
import { createProgress } from "../../artefacts/products/progress.ts";
import { findImageKey } from "../../artefacts/verify/image-key.ts";
import { type ExitStatus, isInterrupted, type World } from "../../host/world.ts";
import { recordSince } from "../diff/record.ts";
import { type CheckedPage, compilePage, hasErrors, listSources, requireProved } from "../page.ts";
import { countUnproved, createProofReport } from "../proofs/report.ts";

type Rebuilt =
  | { readonly kind: "built"; readonly file: string; readonly size: number; readonly key: SigningKey }
  | { readonly kind: "failed"; readonly status: ExitStatus; readonly reason: string }
  | {
      readonly kind: "findings";
      readonly status: ExitStatus;
      readonly reason: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** Sources from which a page is built again, as the user typed them. */
export interface Sources {
  readonly page: string;
  /** Earlier state of the system. If it is absent, the rebuilt image gets the record of differences of the verified image. */
  readonly previous: string | undefined;
}

/** Builds the page again; `scratch` receives the results. */
export async function rebuild(
  image: OpenedImage,
  { page: source, previous }: Sources,
  scratch: string,
  world: World,
): Promise<Rebuilt> {
  const signer = findImageKey(image);
  if (!signer.ok) return { kind: "failed", status: 1, reason: signer.reason };
  const proofs = readUnproved(image) !== undefined ? "told" : "demanded";
  const page = await compilePage(resolvePage(source, world), world, { purpose: "build", boots: true, proofs });
  if (page.kind === "unreadable") return { kind: "failed", status: 3, reason: page.reason };
  const { diagnostics } = page.compiled;
  if (hasErrors(page.compiled))
    return { kind: "findings", status: 1, reason: "the page has errors, so it gives no image", diagnostics };
  const made = requireProved(page.compiled);
  const recorded = await recordFor({ image, previous, file: resolvePage(source, world), page: made }, world);
  if ("kind" in recorded) return recorded;
  const progress = createProgress(world);
  const outcome = await makeProducts({
    policy: made.policy,
    origins: made.origins,
    emit: new Set(["iso"]),
    scratch,
    sourceDateEpoch: readCreationTime(image),
    progress,
    unproved: countUnproved(createProofReport(made)),
    key: signer.key,
    warn: (sentence) => world.report(`capc verify: WARNING, not as locked: ${sentence}\n`),
    alsoTrust: signer.trust.keys.map(({ publicKey }) => publicKey),
    sources: listSources(page),
    ...readSignedProgram(image),
    ...recorded,
  });
  progress.done();
  if (await isInterrupted(world)) return { kind: "failed", status: 3, reason: "interrupted" };
  if (!outcome.ok) return { kind: "failed", status: 3, reason: outcome.reason };
  const built = outcome.artifacts.find(({ path }) => path === IMAGE_NAME)?.bytes;
  if (built === undefined || built instanceof Uint8Array)
    return { kind: "failed", status: 3, reason: "no image was built" };
  return { kind: "built", file: built.file, size: statSync(built.file).size, key: signer.key };
}

/**
 * Returns the UEFI program of the image with its Secure Boot signature, which is copied like all signatures of the
 * image.
 */
function readSignedProgram(image: OpenedImage): { readonly signedProgram?: Buffer } {
  const program = readUefiProgram(image);
  return program === undefined ? {} : { signedProgram: program };
}

/** The sources of a record of differences: the image, the earlier state, and the page. */
interface RecordSource {
  readonly image: OpenedImage;
  readonly previous: string | undefined;
  readonly file: string;
  readonly page: CheckedPage;
}

/**
 * Makes the record of differences again if the earlier state is named. Otherwise returns the image's own record, whose
 * signature is verified.
 */
async function recordFor(
  { image, previous, file, page }: RecordSource,
  world: World,
): Promise<Pick<Order, "difference"> | Exclude<Rebuilt, { kind: "built" }>> {
  if (previous === undefined) {
    const difference = readDifference(image);
    return difference === undefined ? {} : { difference };
  }
  const found = await recordSince(previous, file, page, world);
  if (found.kind === "compared") return { difference: found.difference };
  if (found.kind === "refused") return { kind: "failed", status: found.status, reason: found.reason };
  return { ...found, status: 1, reason: "what was before has errors, so it gives no record" };
}

function resolvePage(source: string, world: World): string {
  const page = join(resolve(world.folder, source), "system.cap");
  return existsSync(page) ? page : source;
}
