// capc doc: the reference page of a system, or of the standard library, from doc comments and from what the policy says.

import { bug } from "../../../lang/diagnostics/index.ts";
import { standardReference, systemReference } from "../../reference/index.ts";
import { reflectStandard } from "../../reflect/index.ts";
import { load, memoryHost, STANDARD_MODULES } from "../../source/index.ts";
import { COLOUR_OPTION, hasColour } from "../colour.ts";
import { type Command, refusing, type Typed } from "../command.ts";
import { compilePage, hasErrors, lawful } from "../page.ts";
import { tellFindings } from "../telling.ts";
import type { ExitStatus, World } from "../world.ts";

const refuse = refusing("doc");

/** `capc doc FILE|std` */
export const doc: Command = {
  name: "doc",
  operands: ["FILE|std"],
  does: "print the reference page of a system, or of the standard library, as Markdown",
  details: `Made from doc comments and from the policy that the page compiles to. The same page gives the same bytes.
The word std stands for the standard library; a page in a file of that name is ./std.`,
  options: [COLOUR_OPTION],
  run: async (typed, world) => {
    if (typed.operands[0] !== "std") return documentSystem(typed, world);
    world.print(await standardPage());
    return 0;
  },
};

async function documentSystem(typed: Typed, world: World): Promise<ExitStatus> {
  const result = await compilePage(typed.operands[0] ?? "", world, { purpose: "check" });
  if (result.kind === "unreadable") return refuse(world, 3, result.reason);
  const { compiled } = result;
  if (hasErrors(compiled)) {
    tellFindings(compiled.diagnostics, hasColour(typed, world), world);
    return 1;
  }
  const { model, policy } = lawful(compiled);
  world.print(systemReference(model, policy.tables));
  return 0;
}

/** Markdown, as `stdlib/REFERENCE.md` has it. */
async function standardPage(): Promise<string> {
  const uses = STANDARD_MODULES.map((name) => `use std.${name}\n`).join("");
  const { package: loaded, diagnostics } = await load(memoryHost({ "/all.cap": uses }), "/all.cap");
  if (diagnostics.length > 0) return bug(`the standard library has a finding: ${diagnostics[0]?.message}`);
  const modules = new Map(STANDARD_MODULES.flatMap((name) => [...loaded.modules].filter(([known]) => known === name)));
  return standardReference(modules, reflectStandard());
}
