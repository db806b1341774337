// capc doc prints the reference page of a system or of the standard library, from doc comments and from the policy.

import { bug } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { reflectStandard } from "../../phases/reflect/index.ts";
import { createMemoryHost, load, STANDARD_MODULES } from "../../phases/source/index.ts";
import { renderStandardReference, renderSystemReference } from "../../queries/reference/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { compilePage, hasErrors, requireLawful } from "../page.ts";
import { tellOnly } from "../render-findings.ts";

const refuse = createRefuser("doc");

/** `capc doc FILE|std` */
export const doc: Command = {
  name: "doc",
  operands: ["FILE|std"],
  does: "print the reference page of a system, or of the standard library, as Markdown",
  details: `The reference is made from doc comments and the compiled policy. The same page gives the same bytes.
The word std means the standard library; write ./std for a page in a file of that name.`,
  options: [COLOUR_OPTION, { ...JSON_OPTION, does: "print the Markdown as a JSON value" }],
  run: async (typed, world) => {
    if (typed.operands[0] !== "std") return describeSystem(typed, world);
    print(await renderLibrary(), typed, world);
    return 0;
  },
};

function print(markdown: string, typed: ParsedArguments, world: World): void {
  world.print(typed.switches.has("json") ? `${JSON.stringify({ markdown })}\n` : markdown);
}

async function describeSystem(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const result = await compilePage(typed.operands[0] ?? "", world, { purpose: "check" });
  if (result.kind === "unreadable") return refuse(world, 3, result.reason);
  const { compiled } = result;
  if (hasErrors(compiled)) {
    tellOnly(compiled.diagnostics, typed, world);
    return 1;
  }
  const { model, policy } = requireLawful(compiled);
  print(renderSystemReference(model, policy.tables), typed, world);
  return 0;
}

/** Returns the Markdown of `stdlib/REFERENCE.md`. */
async function renderLibrary(): Promise<string> {
  const uses = STANDARD_MODULES.map((name) => `use std.${name}\n`).join("");
  const { package: loaded, diagnostics } = await load(createMemoryHost({ "/all.cap": uses }), "/all.cap");
  if (diagnostics.length > 0) return bug(`the standard library has a finding: ${diagnostics[0]?.message}`);
  const modules = new Map(STANDARD_MODULES.flatMap((name) => [...loaded.modules].filter(([known]) => known === name)));
  return renderStandardReference(modules, reflectStandard());
}
