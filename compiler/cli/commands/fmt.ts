// capc fmt formats pages in the one canonical form. Comments stay.

import { resolve } from "node:path";
import { formatFile } from "../../../lang/format/index.ts";
import { MAX_FILE_BYTES } from "../../../lang/grammar/index.ts";
import { replaceText } from "../../host/output.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { tellFindings } from "../render-findings.ts";
import { readPageSource, readSourceIn, type SourceResult } from "../tree.ts";

const refuse = createRefuser("fmt");

/** `capc fmt [FILE…]` */
export const fmt: Command = {
  name: "fmt",
  operands: ["[FILE…]"],
  does: "format pages and keep their comments",
  details: `Lists each file that it changes. With --check it writes nothing, lists the files that would change,
and ends with 1 if it would change a file. A file with a syntax error is not changed.`,
  options: [
    { name: "check", does: "write nothing; list the files that would change" },
    { name: "stdin", does: "read one page from standard input and print it" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: async (typed, world) => {
    const isPiped = typed.switches.has("stdin");
    if (isPiped !== (typed.operands.length === 0))
      return refuse(world, 2, isPiped ? "--stdin takes no file" : "FILE is missing; see capc fmt --help");
    return isPiped ? formatInput(typed, world) : formatFiles(typed, world);
  },
};

const NOT_FORMED = "capc fmt: the files above are not formatted; run capc fmt without --check to format them\n";

type Formed =
  | { readonly kind: "formed"; readonly text: string; readonly changed: boolean }
  | { readonly kind: "refused"; readonly status: ExitStatus };

async function formatFiles(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const isCheck = typed.switches.has("check");
  const changed: string[] = [];
  let status: ExitStatus = 0;
  for (const file of typed.operands) {
    const formed = await formatResult(readPageSource(file, world, "mixed"), typed, world);
    if (formed.kind === "refused") status = pickWorse(status, formed.status);
    else if (formed.changed) {
      const written = isCheck ? ({ ok: true } as const) : replaceText(resolve(world.folder, file), formed.text);
      if (written.ok) changed.push(file);
      else status = pickWorse(status, refuse(world, 3, written.reason));
    }
  }
  const names = changed.map((file) => `${file}\n`).join("");
  const isJson = typed.switches.has("json");
  world.print(isJson ? `${JSON.stringify({ changed })}\n` : names);
  if (isCheck && !isJson && changed.length > 0) world.report(NOT_FORMED);
  return isCheck && changed.length > 0 ? pickWorse(status, 1) : status;
}

async function formatInput(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const bytes = await world.readInput(MAX_FILE_BYTES);
  const formed = await formatResult(readSourceIn("standard input", bytes, "mixed"), typed, world);
  if (formed.kind === "refused") return formed.status;
  if (typed.switches.has("json"))
    world.print(`${JSON.stringify({ changed: formed.changed ? ["standard input"] : [] })}\n`);
  else if (!typed.switches.has("check")) world.print(formed.text);
  return typed.switches.has("check") && formed.changed ? 1 : 0;
}

/**
 * Returns the formatted text. If the file was refused, its error was already reported, and the exit status is returned.
 */
async function formatResult(result: SourceResult, typed: ParsedArguments, world: World): Promise<Formed> {
  if (result.kind === "unreadable") return { kind: "refused", status: refuse(world, 3, result.reason) };
  const outcome = result.kind === "read" ? await formatFile(result.source) : { ok: false as const, ...result };
  if (!outcome.ok) {
    tellFindings(outcome.diagnostics, typed, world);
    return { kind: "refused", status: 1 };
  }
  const before = result.kind === "read" ? result.bytes : new Uint8Array();
  return { kind: "formed", text: outcome.value, changed: !Buffer.from(outcome.value).equals(before) };
}

function pickWorse(left: ExitStatus, right: ExitStatus): ExitStatus {
  return left > right ? left : right;
}
