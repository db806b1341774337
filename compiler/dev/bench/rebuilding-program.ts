// Does the work of `capc build` for a changed page, with weights that are larger than the weights of any example. It is
// a separate program, so that its start and end are counted. Its arguments are PAGE OUT WEIGHTS SHA256. The image stays
// in the folder OUT between runs.

import { dirname, join } from "node:path";
import { PRODUCTS } from "../../artefacts/products/emit.ts";
import { digestFile } from "../../artefacts/products/file-digest.ts";
import { findKeptImages, replaceImage } from "../../artefacts/products/kept-images.ts";
import { makeProducts } from "../../artefacts/products/make.ts";
import { IMAGE_NAME } from "../../artefacts/products/names.ts";
import { compilePage, listSources, requireProved } from "../../cli/page.ts";
import { useScratch, writeArtifacts } from "../../host/output.ts";
import { createProcessWorld } from "../../host/world.ts";

const [page = "", folder = "", file = "", sha256 = ""] = process.argv.slice(2);
const [image, notes] = [join(folder, IMAGE_NAME), join(dirname(folder), "notes")];
const compiled = await compilePage(page, createProcessWorld(), { purpose: "build", proofs: "demanded" });
if (compiled.kind === "unreadable") throw new Error(compiled.reason);
const { policy, origins } = requireProved(compiled.compiled);
let way = "";
const done = await useScratch(folder, async (scratch) => {
  const made = await makeProducts({
    policy,
    origins,
    emit: new Set(PRODUCTS),
    scratch,
    sourceDateEpoch: 0,
    progress: { step: () => {}, done: () => {} },
    sources: listSources(compiled),
    weights: [{ path: "boot/models/large.gguf", bytes: { file, sha256 } }],
    explain: (words) => {
      way = words;
    },
    earlier: findKeptImages(image, notes),
  });
  if (!made.ok) return made;
  const place = () => writeArtifacts(folder, scratch, made.artifacts);
  const written = made.frame === undefined ? place() : replaceImage(image, { notes, frame: made.frame, place });
  for (const { path } of made.artifacts) digestFile(join(folder, path));
  return written;
});
if (!done.ok) throw new Error(done.reason);
process.stdout.write(`${way}\n`);
