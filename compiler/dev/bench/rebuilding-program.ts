// What `capc build` does for a page that was changed, with weights beside it that no page makes yet: a program of its own so that
// its start and its end are counted. PAGE OUT WEIGHTS: the folder OUT keeps the image from run to run.

import { dirname, join } from "node:path";
import { PRODUCTS } from "../../artefacts/products/emit.ts";
import { keptImages, replaceImage } from "../../artefacts/products/kept-images.ts";
import { makeProducts } from "../../artefacts/products/make.ts";
import { IMAGE_NAME } from "../../artefacts/products/names.ts";
import { told } from "../../artefacts/products/told.ts";
import { compilePage, proved, sourcesOf } from "../../cli/page.ts";
import { withScratch, writeArtifacts } from "../../host/output.ts";
import { worldOfThisProcess } from "../../host/world.ts";

const [page = "", folder = "", file = "", sha256 = ""] = process.argv.slice(2);
const [image, notes] = [join(folder, IMAGE_NAME), join(dirname(folder), "notes")];
const compiled = await compilePage(page, worldOfThisProcess(), { purpose: "build", proofs: "demanded" });
if (compiled.kind === "unreadable") throw new Error(compiled.reason);
const { policy, origins } = proved(compiled.compiled);
let way = "";
const done = await withScratch(folder, async (scratch) => {
  const made = await makeProducts({
    policy,
    origins,
    emit: new Set(PRODUCTS),
    scratch,
    sourceDateEpoch: 0,
    progress: { step: () => {}, done: () => {} },
    sources: sourcesOf(compiled),
    weights: [{ path: "boot/models/large.gguf", bytes: { file, sha256 } }],
    explain: (words) => {
      way = words;
    },
    earlier: keptImages(image, notes),
  });
  if (!made.ok) return made;
  const place = () => writeArtifacts(folder, scratch, made.artifacts);
  const written = made.frame === undefined ? place() : replaceImage(image, notes, made.frame, place);
  for (const { path } of made.artifacts) told(join(folder, path));
  return written;
});
if (!done.ok) throw new Error(done.reason);
process.stdout.write(`${way}\n`);
