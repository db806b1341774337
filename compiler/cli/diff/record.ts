// Records how the meaning of a page differs from that of its earlier state, for the attestation of the image. The
// record must be equal on every machine and in every folder, so it contains no paths.

import type { DifferencePredicate } from "../../../targets/attest/difference.ts";
import type { World } from "../../host/world.ts";
import type { CheckedPage } from "../page.ts";
import { diffAsJson } from "./json.ts";
import { compareSides } from "./renames.ts";
import { reportOf } from "./report.ts";
import { createSide, type NamedSide, type SideRead } from "./side.ts";
import { readPreviousSide } from "./sides.ts";

/**
 * Records the differences of a page from an earlier state. `word` is the user's name for the earlier state, and `page`
 * is the compiled content of `file`.
 */
export async function recordSince(
  word: string,
  file: string,
  page: CheckedPage,
  world: World,
): Promise<
  Exclude<SideRead, { kind: "read" }> | { readonly kind: "compared"; readonly difference: DifferencePredicate }
> {
  const read = await readPreviousSide(word, file, world);
  return read.kind === "read" ? { kind: "compared", difference: await createDifferenceRecord(read.side, page) } : read;
}

/** Creates the record. `previous` is identified by its content, not by the name that the user gave it. */
async function createDifferenceRecord(previous: NamedSide, page: CheckedPage): Promise<DifferencePredicate> {
  const after = createSide("this one", { ...page, view: { span: (span) => span } });
  const compared = await compareSides({ ...previous, name: "the previous one" }, after);
  const named = { ...compared, before: { ...compared.before, name: "the previous one" } };
  const { changes, cells, alike, notCompared } = diffAsJson(reportOf(named, undefined));
  const { systemId: system, version } = previous.tables;
  return { previous: { system, version, tables: previous.digest() }, changes, cells, alike, notCompared };
}
