// Validates the lists of parts in images with SPDX's own tools, for `make test-images`. These tools check the whole
// specification; the unit tests only use a schema of this project. The Makefile installs the tools, pinned by the
// digests in requirements.txt.

import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CHECKOUT, createClaim, type Result, runHere, type Stage, type StageResult } from "../stage.ts";

const TOOL = join(CHECKOUT, "build/spdx/bin/pyspdxtools");

/** Returns the stages that validate the SBOMs of images. Earlier stages built these images. */
export function createSpdxStages(images: readonly string[]): readonly Stage[] {
  const lists = images.map((image) => join(CHECKOUT, dirname(image), "sbom.spdx.json"));
  return [...lists.map(createAcceptedStage), ...lists.slice(0, 1).map(createRefusedStage)];
}

function createAcceptedStage(list: string): Stage {
  const name = `parts of ${basename(dirname(list))}`;
  return { name, run: async () => createClaim(name, await validateList(list)) };
}

/**
 * Returns a stage whose SBOM is invalid, because one package has no name. The tool must refuse this SBOM, which shows
 * that the tool validates.
 */
function createRefusedStage(list: string): Stage {
  const name = "parts without a name";
  return {
    name,
    run: async (): Promise<Result> => {
      const spoiled = join(dirname(list), "spoiled.spdx.json");
      const { packages, ...rest } = JSON.parse(readFileSync(list, "utf8"));
      const [{ name: _, ...first }, ...others] = packages;
      writeFileSync(spoiled, JSON.stringify({ ...rest, packages: [first, ...others] }));
      const ended = await validateList(spoiled);
      return createClaim(name, { ...ended, status: ended.status === 1 && /\bname\b/i.test(ended.complaints) ? 0 : 1 });
    },
  };
}

function validateList(list: string): Promise<StageResult> {
  return runHere(TOOL, ["--infile", list], { quiet: true });
}
