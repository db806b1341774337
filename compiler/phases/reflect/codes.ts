import { defineDiagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { isModule } from "../source/index.ts";

/** Beginning of the Cap'n Proto compiler's message about a missing file. */
export const IMPORT_FAILED = "Import failed";

export const importInvalid = defineDiagnostic<{ path: string; reason: string }>({
  code: "import-invalid",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be imported: ${reason}`,
  because: "The compiler makes tools from the interface in this file, so it must be able to read the file.",
  help: ({ reason }) =>
    reason.startsWith(IMPORT_FAILED)
      ? "import files of the package by a relative path, capc's annotations as `/std/annotations.capnp`, and Cap'n Proto's own as `/capnp/c++.capnp`"
      : undefined,
});

export const importName = defineDiagnostic<{ name: string; reason: string }>({
  code: "import-name",
  severity: "error",
  say: ({ name, reason }) => `an import cannot be named \`${name}\`: ${reason}`,
  because: "The page refers to the interfaces of the import by this name, so the name must be valid and unique.",
});

export const importFact = defineDiagnostic<{ method: string; said: string; what: string }>({
  code: "import-fact",
  severity: "error",
  say: ({ method, said, what }) =>
    `the schema declares ${JSON.stringify(said)} as the ${what} of \`${method}\`, which is not valid`,
  because: "An annotation in a schema has the same effect as a line on the page, so its value must be valid on a page.",
  help: ({ what }) => `correct the annotation, or remove it and write the ${what} on the page`,
});

export const toolLeftOut = defineDiagnostic<{ tool: string; reason: string }>({
  code: "tool-left-out",
  severity: "warning",
  say: ({ tool, reason }) => `\`${tool}\` is not a tool: ${reason}`,
  because:
    "Arguments and results are sent as JSON and checked against a schema. A tool whose schema cannot be checked is never called.",
});

export const toolRenamed = defineDiagnostic<{ tool: string; listed: string }>({
  code: "tool-renamed",
  severity: "warning",
  say: ({ tool, listed }) => `the page names the server's tool \`${listed}\` differently: \`${tool}\``,
  because: "Names on a page, and names of tools for a model, may contain only letters, digits, `_` and `-`.",
  help: ({ tool }) =>
    `write \`${tool.slice(tool.indexOf(".") + 1)}\` on the page; capc uses the name of the server when it calls the tool`,
});

const MAX_TOLD_ARGUMENTS = 12;

/** Renders arguments for a message: the first `MAX_TOLD_ARGUMENTS`, and the number of the remaining ones. */
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
  because:
    "No value of this optional argument can be checked. It is not offered to the model, and a call with it is refused.",
  help: () =>
    "leave the argument out of calls; if calls need it, the list of the server must describe the values in a form that the gate can check",
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
    return `the gate's checks of \`${tool}\` differ from the list of the server: ${joinArguments(told)}`;
  },
  because:
    "The gate checks types, choices, ranges of integers and lengths in bytes. The model reads the other limits in the description, and the server may check them.",
  help: () =>
    "if one of these limits is important, write a condition about the argument in a rule, or rely on the check of the server",
});

const TOLD: Readonly<Record<string, string>> = {
  null: "null is refused",
  additionalProperties: "members that it does not describe are refused",
  json: "any JSON is taken",
};

/**
 * Describes a rule of a JSON Schema in messages. For some rules, the text states the effect in the gate instead: the
 * gate accepts less than the schema, or does not check the content.
 */
function describeRule(rule: string): string {
  return TOLD[rule] ?? rule;
}

export const importNotPinned = defineDiagnostic<{ path: string; page: string }>({
  code: "import-not-pinned",
  severity: "error",
  say: ({ path }) => `\`${path}\` is not pinned in cap.lock`,
  because: "A changed import can change the effect of a tool; cap.lock pins the version that a person has read.",
  help: ({ page }) => `read the file, then run \`capc check --update-lock ${page}\``,
});

export const importChanged = defineDiagnostic<{ path: string; changes: readonly string[]; page: string }>({
  code: "import-changed",
  severity: "error",
  say: ({ path, changes }) => `\`${path}\` differs from the version that cap.lock pins: ${changes.join("; ")}`,
  because: "If a tool changes after its review, a permission for the old tool would apply to the new one.",
  help: ({ page }) => `read the change, then run \`capc check --update-lock ${page}\``,
});

export const lockUnreadable = defineDiagnostic<{ reason: string; page: string }>({
  code: "lock-unreadable",
  severity: "error",
  say: ({ reason }) => `cap.lock cannot be used: ${reason}`,
  because: "Without cap.lock, capc does not know which version of an import a person has read.",
  help: ({ page }) =>
    `restore it from version control, or read all imports and run \`capc check --update-lock ${page}\``,
});

export const programUnfit = defineDiagnostic<{ path: string; reason: string }>({
  code: "program-unfit",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be loaded in the image: ${reason}`,
  because: "The image contains the program file unchanged. If it cannot be loaded, every call of the service fails.",
  help: ({ path }) =>
    isModule(path)
      ? "write one module of plain JavaScript that imports `node:` modules alone and exports its functions as default"
      : "name a JavaScript module, or a program for x86-64 Linux that was linked statically",
});
