// capc verify builds a page again, and compares the result with an image.

import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { bug, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { LIMINE_VOLUME_NAME } from "../../../targets/contract/artifact.ts";
import { type OpenedImage, openImage } from "../../artefacts/inspect/opened.ts";
import { judgeImage, renderVerdict, type Verdict } from "../../artefacts/verify/verdict.ts";
import { openFile, readBytes, useFile } from "../../host/files.ts";
import { useScratch } from "../../host/output.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { tellFindings } from "../render-findings.ts";
import { rebuild, type Sources } from "../verify/rebuild.ts";

const refuse = createRefuser("verify");

export const verify: Command = {
  name: "verify",
  operands: ["IMAGE"],
  does: "build an image again from its page, and list the differences",
  details: `The command builds the page again with the timestamp of the image. It compares every file of both
images, and then the two images byte by byte. The private key is not needed: the command copies the signatures
from the image and checks them with the image's public key. It also copies the list of keys that
init trusts and, without --previous, the record of differences. It does not check who owns the keys;
\`capc inspect\` shows the keys. Ends with 1 if anything differs.`,
  options: [
    { name: "source", value: "DIR", does: "the page, or its folder (required)" },
    {
      name: "previous",
      value: "OLD",
      does: "compute the record of differences again, from the same OLD as in the build",
    },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: runVerify,
};

async function runVerify(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const source = typed.values.get("source");
  if (source === undefined) return refuse(world, 2, "compared with what? --source DIR is missing");
  const path = resolve(world.folder, typed.operands[0] ?? "");
  const read = readBytes(path, 0);
  if (!read.ok) return refuse(world, 3, read.reason);
  const { readAt, close } = openFile(path);
  try {
    const image = openImage(readAt, read.value.size);
    if (image === undefined) return refuse(world, 1, `${path} is no image`);
    if (image.volume === LIMINE_VOLUME_NAME) return refuse(world, 2, `${path} ${UPSTREAM}`);
    const status = await useScratch(tmpdir(), (scratch) =>
      compare({ image, source: { page: source, previous: typed.values.get("previous") }, scratch }, typed, world),
    );
    return typeof status === "number" ? status : refuse(world, 3, status.reason);
  } finally {
    close();
  }
}

const UPSTREAM =
  "starts upstream's kernel, and carries no public key to build it again with: build the page with the same key, and compare the bytes";

/** An image, the sources that it should come from, and a folder to rebuild it in. */
interface ComparedImage {
  readonly image: OpenedImage;
  readonly source: Sources;
  readonly scratch: string;
}

async function compare(
  { image, source, scratch }: ComparedImage,
  typed: ParsedArguments,
  world: World,
): Promise<ExitStatus> {
  const built = await rebuild(image, source, scratch, world);
  if (built.kind === "findings") tellFindings(built.diagnostics, typed, world);
  if (built.kind !== "built") return refuse(world, built.status, built.reason);
  return useFile(built.file, (readBuilt) => {
    const other = openImage(readBuilt, built.size) ?? bug("what was built is no image");
    return tell(judgeImage(image, other, built.key), typed, world);
  });
}

function tell(verdict: Verdict, typed: ParsedArguments, world: World): ExitStatus {
  if (typed.switches.has("json")) world.print(`${JSON.stringify(verdict, undefined, 2)}\n`);
  else for (const line of renderVerdict(verdict)) world.print(`${escapeInvisible(line)}\n`);
  for (const fault of verdict.faults) world.report(`capc verify: ${escapeInvisible(fault)}\n`);
  return verdict.reproduced ? 0 : 1;
}
