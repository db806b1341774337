// capc explain: the page of a diagnostic.

import { nearest } from "../../../lang/diagnostics/index.ts";
import { type Command, JSON_OPTION } from "../command.ts";
import { type DiagnosticPage, diagnosticPages } from "../diagnostic-pages.ts";

export const explain: Command = {
  name: "explain",
  operands: ["CODE"],
  does: "say what a diagnostic means and why the rule is there; `explain all` lists the codes",
  options: [JSON_OPTION],
  run: async (typed, world) => {
    const pages = await diagnosticPages();
    const wanted = typed.operands[0] ?? "";
    const json = typed.switches.has("json");
    if (wanted === "all") {
      world.print(
        json
          ? `${JSON.stringify(pages)}\n`
          : pages.map(({ code, because }) => `${code}: ${because.join(" ")}\n`).join(""),
      );
      return 0;
    }
    const page = pages.find(({ code }) => code === wanted);
    if (page !== undefined) {
      world.print(json ? `${JSON.stringify(page)}\n` : draw(page));
      return 0;
    }
    const codes = pages.map(({ code }) => code);
    const near = nearest(wanted, codes);
    world.report(
      `capc explain: there is no code '${wanted}'; ${near === undefined ? "see capc explain all" : `did you mean ${near}?`}\n`,
    );
    return 2;
  },
};

function draw({ code, severity, because, readme, examples }: DiagnosticPage): string {
  const texts = examples.map(({ name, text }) => `${name}:\n\n${indent(text)}`);
  return [`${code} (${severity})`, because.join("\n"), ...(readme === undefined ? [] : [readme.trimEnd()]), ...texts]
    .map((part) => `${part}\n`)
    .join("\n");
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n");
}
