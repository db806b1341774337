// capc prove prints the proofs of a page's assertions, and of assertions on the command line.

import { resolve } from "node:path";
import { escapeInvisible, isError } from "../../../lang/diagnostics/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";
import { placeText } from "../../host/output.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import type { Proof } from "../../phases/prove/index.ts";
import { notEnforcedYet } from "../../rules/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { compilePage, hasErrors, type PageCompiled, requireProved } from "../page.ts";
import { readAsked } from "../proofs/command-line-assertions.ts";
import { countUnproved, createProofReport, selectAsked } from "../proofs/report.ts";
import { renderScript } from "../proofs/script.ts";
import { reportLines } from "../proofs/text.ts";
import { formatPath, tellOnly } from "../render-findings.ts";

const refuse = createRefuser("prove");

/** `capc prove FILE [ASSERTION…]` */
export const prove: Command = {
  name: "prove",
  operands: ["FILE", "[ASSERTION…]"],
  does: "prove the assertions of a page, or only the given assertions",
  details: `Proves the assertions of the page and the assertions that every page inherits, or only the given
assertions. Write each assertion as on a page, in quotes for the shell: 'assert never flow secret to
frontier'. Ends with 1 if an assertion is refuted or undetermined. A counterexample is shown as
conversations, call by call.
--script writes the conversations of the first refuted assertion. To run them, make an image with
\`capc build --unproved\`, and use \`capc run IMAGE --unproved --script FILE\`. In a script each
session has only one conversation. If the counterexample has several conversations of one session,
the machine must start several times: the command then also writes FILE-2 and so on. Run these
scripts in order, with the same data disk.`,
  options: [
    { name: "script", value: "FILE", does: "write the counterexample of an assertion as a .chat script" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: provePage,
};

async function provePage(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [file = "", ...texts] = typed.operands;
  const asked = texts.length === 0 ? undefined : await readAsked(texts);
  if (asked?.kind === "other") return refuse(world, 2, "what is asked is written as a page writes it: 'assert …'");
  if (asked?.kind === "wrong") {
    tellOnly(asked.diagnostics, typed, world);
    return 2;
  }
  const options = { purpose: "check", proofs: "told", ...(asked && { asked: asked.tree }) } as const;
  const page = await compilePage(file, world, options);
  if (page.kind === "unreadable") return refuse(world, 3, page.reason);
  if (hasErrors(page.compiled)) return tellErrors(page, asked?.tree, typed, world);
  return tellProofs(page, asked?.tree, typed, world);
}

/**
 * Reports the errors of a page; nothing is proved about a page with errors. If only an assertion on the command line
 * has errors, that is a usage error.
 */
function tellErrors(page: PageCompiled, asked: FileTree | undefined, typed: ParsedArguments, world: World): ExitStatus {
  const { diagnostics } = page.compiled;
  tellOnly(diagnostics, typed, world);
  return diagnostics.filter(isError).every(({ span }) => span.source === asked?.source) ? 2 : 1;
}

function tellProofs(page: PageCompiled, asked: FileTree | undefined, typed: ParsedArguments, world: World): ExitStatus {
  const { compiled, view } = page;
  const all = requireProved(compiled);
  const isAsked = ({ span }: Proof): boolean => asked === undefined || span?.source === asked.source;
  const results = all.proofs.results.filter(isAsked);
  const built = asked === undefined && compiled.diagnostics.every(({ code }) => code !== notEnforcedYet.code);
  const shown = { ...all, proofs: { ...all.proofs, results } };
  const whole = createProofReport(shown, { place: view.span, built });
  const report = asked === undefined ? whole : selectAsked(whole);
  if (typed.switches.has("json")) world.print(`${JSON.stringify(report)}\n`);
  else for (const line of reportLines(report)) world.print(`${escapeInvisible(line)}\n`);
  const file = typed.values.get("script");
  const written = file === undefined ? 0 : writeScript(shown, file, world);
  return written === 0 && countUnproved(report) > 0 ? 1 : written;
}

/**
 * Writes the script of the first counterexample. Returns 2, not 1, if there is no counterexample or no machine can play
 * it, because 1 means that an assertion is not proved.
 */
function writeScript({ policy, proofs }: ReturnType<typeof requireProved>, file: string, world: World): ExitStatus {
  const refuted = proofs.results.find(({ verdict }) => verdict.kind === "refuted");
  if (refuted?.verdict.kind !== "refuted") return refuse(world, 2, "nothing is refuted: there is no script to write");
  const scripted = renderScript(policy, refuted.words, refuted.verdict.witness);
  if (!scripted.ok) return refuse(world, 2, `no script can play \`${refuted.words}\`: ${scripted.reason}`);
  for (const [index, text] of scripted.value.entries()) {
    const path = resolve(world.folder, index === 0 ? file : `${file}-${index + 1}`);
    const placed = placeText(path, text);
    if (!placed.ok) return refuse(world, 3, placed.reason);
    world.report(
      `capc prove: ${escapeInvisible(formatPath(path, world))} plays \`${escapeInvisible(refuted.words)}\`\n`,
    );
  }
  return 0;
}
