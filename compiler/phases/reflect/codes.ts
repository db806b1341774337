import { defineDiagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { isModule } from "../source/index.ts";

/** Beginning of the Cap'n Proto compiler's message about a missing file. */
export const IMPORT_FAILED = "Import failed";

export const importInvalid = defineDiagnostic<{ path: string; reason: string }>({
  code: "import-invalid",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be imported: ${reason}`,
  because: "Tools are made of what their interface says, and this file says nothing that can be relied on.",
  help: ({ reason }) =>
    reason.startsWith(IMPORT_FAILED)
      ? "import files of the package by a relative path, capc's annotations as `/std/annotations.capnp`, and Cap'n Proto's own as `/capnp/c++.capnp`"
      : undefined,
});

export const importName = defineDiagnostic<{ name: string; reason: string }>({
  code: "import-name",
  severity: "error",
  say: ({ name, reason }) => `an import cannot be known as \`${name}\`: ${reason}`,
  because: "Behind this name the page finds the interfaces of the import, and of no other.",
});

export const importFact = defineDiagnostic<{ method: string; said: string; what: string }>({
  code: "import-fact",
  severity: "error",
  say: ({ method, said, what }) => `the schema says of \`${method}\` that its ${what} is ${JSON.stringify(said)}`,
  because: "An annotation holds as if the page said it, so it must be something that the page could say.",
  help: ({ what }) => `correct the annotation, or write the ${what} on the page as well as there`,
});

export const toolLeftOut = defineDiagnostic<{ tool: string; reason: string }>({
  code: "tool-left-out",
  severity: "warning",
  say: ({ tool, reason }) => `\`${tool}\` is not a tool: ${reason}`,
  because:
    "Arguments and results travel as JSON and are checked by their shape; a tool without a shape is never called.",
});

export const toolRenamed = defineDiagnostic<{ tool: string; listed: string }>({
  code: "tool-renamed",
  severity: "warning",
  say: ({ tool, listed }) => `\`${tool}\` is the tool that the server calls \`${listed}\``,
  because: "A page writes identifiers, and models call functions of letters, digits, `_` and `-` alone.",
  help: ({ tool }) =>
    `write \`${tool.slice(tool.indexOf(".") + 1)}\` where the page speaks of it; calls go to the server under its own name`,
});

const MAX_TOLD_ARGUMENTS = 12;

/** Renders the first arguments, and the number of others. */
function joinArguments(told: readonly string[]): string {
  const more = told.length - MAX_TOLD_ARGUMENTS;
  return told.slice(0, MAX_TOLD_ARGUMENTS).join(", ") + (more > 0 ? ` and ${more} more arguments` : "");
}

export const argumentLeftOut = defineDiagnostic<{
  tool: string;
  omitted: readonly { readonly name: string; readonly reason: string }[];
}>({
  code: "argument-left-out",
  severity: "warning",
  say: ({ tool, omitted }) => {
    const told = omitted.map(({ name, reason }) => `\`${escapeInvisible(name)}\` (${escapeInvisible(reason)})`);
    return `no call of \`${tool}\` can have ${joinArguments(told)}`;
  },
  because: "An optional argument that takes no value is not offered to the model, and is refused where it is named.",
  help: () => "calls omit this argument; if a call needs it, the server's list must describe a value that it accepts",
});

export const limitUnchecked = defineDiagnostic<{
  tool: string;
  unheld: readonly { readonly path: string; readonly rules: readonly string[] }[];
}>({
  code: "limit-unchecked",
  severity: "warning",
  say: ({ tool, unheld }) => {
    const told = unheld.map(
      ({ path, rules }) =>
        `${path === "" ? "all arguments together" : `\`${path}\``} (${rules.map(describeRule).join(", ")})`,
    );
    return `the gate does not hold \`${tool}\` to all that its list says: ${joinArguments(told)}`;
  },
  because:
    "A shape holds types, choices, ranges of integers and lengths in bytes; the model is told the rest, and the server may check it.",
  help: () => "if a limit matters, write a condition on the argument, or leave the limit to the server",
});

const TOLD: Readonly<Record<string, string>> = {
  null: "null is refused",
  additionalProperties: "members that it does not describe are refused",
  json: "any JSON is taken",
};

/** Describes a rule in messages. Some rules are described by their effect in the gate, which accepts less or does not check the content. */
function describeRule(rule: string): string {
  return TOLD[rule] ?? rule;
}

export const importNotPinned = defineDiagnostic<{ path: string; page: string }>({
  code: "import-not-pinned",
  severity: "error",
  say: ({ path }) => `\`${path}\` is not pinned in cap.lock`,
  because: "A changed import can change what a tool does; cap.lock pins the version that a person has read.",
  help: ({ page }) => `read it, then run \`capc check --update-lock ${page}\``,
});

export const importChanged = defineDiagnostic<{ path: string; changes: readonly string[]; page: string }>({
  code: "import-changed",
  severity: "error",
  say: ({ path, changes }) => `\`${path}\` is not what cap.lock pins: ${changes.join("; ")}`,
  because: "A tool that changes after somebody has read it is how permission for one thing becomes another.",
  help: ({ page }) => `read the change, then run \`capc check --update-lock ${page}\``,
});

export const lockUnreadable = defineDiagnostic<{ reason: string; page: string }>({
  code: "lock-unreadable",
  severity: "error",
  say: ({ reason }) => `cap.lock cannot be used: ${reason}`,
  because: "Without cap.lock it is not known which imports a person has read.",
  help: ({ page }) => `take it from version control, or read all imports and run \`capc check --update-lock ${page}\``,
});

export const programUnfit = defineDiagnostic<{ path: string; reason: string }>({
  code: "program-unfit",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be loaded in the image: ${reason}`,
  because: "A program is one file, taken as it is: a service whose program cannot be loaded would only ever fail.",
  help: ({ path }) =>
    isModule(path)
      ? "write one module of plain JavaScript that imports `node:` modules alone and exports its functions as default"
      : "name a JavaScript module, or a program for x86-64 Linux that was linked statically",
});
