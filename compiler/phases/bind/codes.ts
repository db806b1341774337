import {
  type Diagnostic,
  type DiagnosticKind,
  defineDiagnostic,
  findNearest,
} from "../../../lang/diagnostics/index.ts";
import type { Span } from "../../../lang/text/index.ts";

/** Diagnostic for a name that is not defined. */
export interface UnknownName extends Diagnostic {
  /** Name that was probably meant; `undefined` if no known name is similar. */
  readonly near: string | undefined;
}

/** Stores the suggested name as a field too, because repeated.ts uses it to find all uses of one misspelt name. */
function keepNear<F extends Pick<UnknownName, "near">>(kind: DiagnosticKind<F>) {
  const at = (...[span, facts, more]: Parameters<typeof kind.at>): UnknownName => {
    return { ...kind.at(span, facts, more), near: facts.near };
  };
  return { ...kind, at };
}

const nameUnknown = defineDiagnostic<{ what: string; name: string; near: string | undefined; hint?: string }>({
  code: "unknown-name",
  severity: "error",
  say: ({ what, name }) => `there is no ${what} named \`${name}\``,
  because: "A misspelt name in a rule that forbids something would forbid nothing.",
  help: ({ near, hint }) => (near === undefined ? hint : `did you mean \`${near}\`?`),
});

export const unknownName = keepNear(nameUnknown);

export const duplicateName = defineDiagnostic<{ what: string; name: string; where: string }>({
  code: "duplicate-name",
  severity: "error",
  say: ({ what, name, where }) => `the ${what} \`${name}\` is declared already, at ${where}`,
  because: "If one name has two declarations, a reader cannot tell which one holds.",
});

export const duplicateEntry = defineDiagnostic<{ what: string; where: string }>({
  code: "duplicate-entry",
  severity: "error",
  say: ({ what, where }) => `${what} is written already, at ${where}`,
  because: "An entry that may stand once must stand once: order has no meaning on a page.",
});

export const declarationCycle = defineDiagnostic<{ what: string; name: string }>({
  code: "declaration-cycle",
  severity: "error",
  say: ({ what, name }) => `\`${name}\` is built on itself: these ${what} stand in a circle`,
  because: "A chain of inheritance must end.",
  help: () => "let one of them stand on nothing, or on something outside of the circle",
});

export const misplacedFunction = defineDiagnostic<{ name: string; why: string; instead: string }>({
  code: "misplaced-function",
  severity: "error",
  say: ({ name, why }) => `\`${name}\` cannot stand here: ${why}`,
  because:
    "Functions nest in one order: `every` or `some`, then a property such as `size`, then `urls` or `addresses`.",
  help: ({ instead }) => instead,
});

export const mixedSet = defineDiagnostic<{ name: string }>({
  code: "set-mixed",
  severity: "error",
  say: ({ name }) => `the set \`${name}\` holds a value of another kind`,
  because: "An argument is a text or a number: values of another kind are equal to none, and were surely meant to be.",
  help: () => "write a set of texts, or a set of numbers",
});

export const wrongUnit = defineDiagnostic<{ unit: string; what: string; known: readonly string[] }>({
  code: "wrong-unit",
  severity: "error",
  say: ({ unit, what }) => `\`${unit}\` is not a unit of ${what}`,
  because: "An amount without a certain unit could be off by a factor of a thousand.",
  help: ({ known }) => `write one of ${known.join(", ")}`,
});

export const wrongAmount = defineDiagnostic<{ amount: string; wanted: string }>({
  code: "wrong-amount",
  severity: "error",
  say: ({ amount, wanted }) => `\`${amount}\` is not ${wanted}`,
  because: "Amounts are kept as exact integers of the smallest unit.",
});

interface WrongWord {
  readonly word: string;
  readonly what: string;
  readonly known: readonly string[];
}

const notInList = defineDiagnostic<WrongWord & { near: string | undefined }>({
  code: "wrong-word",
  severity: "error",
  say: ({ word, what }) => `\`${word}\` is not a valid ${what}`,
  because: "The words that may stand here are a closed list.",
  help: ({ known, near }) =>
    `${near === undefined ? "" : `did you mean \`${near}\`? `}write one of ${known.join(", ")}`,
});

/** Suggests the nearest word of the list. */
export const wrongWord = {
  ...notInList,
  at: (span: Span, facts: WrongWord): Diagnostic => {
    const near = findNearest(facts.word, facts.known);
    const fix = near === undefined ? undefined : { span, replacement: near, guess: facts.known };
    return notInList.at(span, { ...facts, near }, { fix });
  },
};

export const sourceUnfit = defineDiagnostic<{ name: string; fault: string }>({
  code: "source-unfit",
  severity: "error",
  say: ({ name, fault }) => `\`${name}\` cannot be asked so: ${fault}`,
  because:
    "A condition on a record or a call that is not there would never hold, and its line would say its `else` for ever.",
  help: () => "ask a call in round brackets behind the method, a record in square brackets behind the field",
});

export const redactionUnfit = defineDiagnostic<{ name: string; fault: string; instead: string }>({
  code: "redaction-unfit",
  severity: "error",
  say: ({ name, fault }) => `the redaction \`${name}\` cannot be enforced: ${fault}`,
  because: "Text that was to be masked, and is not found, would go to a backend that must not hear it.",
  help: ({ instead }) => instead,
});

export const parameterUnfit = defineDiagnostic<{ name: string; fault: string; instead: string }>({
  code: "parameter-unfit",
  severity: "error",
  say: ({ name, fault }) => `the parameter \`${name}\` cannot be used: ${fault}`,
  because: "A person types the value of a parameter, and conditions compare it: both need one certain type.",
  help: ({ instead }) => instead,
});

export const parameterOutside = defineDiagnostic<{ name: string }>({
  code: "parameter-outside-task",
  severity: "error",
  say: ({ name }) => `\`task.${name}\` stands outside of a task`,
  because: "Only a task that a person begins has values, and elsewhere the condition could never be evaluated.",
  help: () => "write the line into the task or into one of its phases",
});

const schemaUnknown = defineDiagnostic<{ name: string; near: string | undefined }>({
  code: "unknown-schema",
  severity: "error",
  say: ({ name }) => `no schema defines an interface \`${name}\``,
  because: "An interface is described by a Cap'n Proto schema or an MCP list; the page only adds facts to its methods.",
  help: ({ near }) => (near === undefined ? undefined : `did you mean \`${near}\`?`),
});

export const unknownSchema = keepNear(schemaUnknown);

export const standardOnly = defineDiagnostic<{ what: string }>({
  code: "standard-only",
  severity: "error",
  say: ({ what }) => `${what} may stand in the standard library only`,
  because: "A rule for every page must not differ from page to page.",
  help: () => "write `category NAME : PARENT`",
});

export const wrongCase = defineDiagnostic<{ what: string; name: string; wanted: string }>({
  code: "wrong-case",
  severity: "error",
  say: ({ what, name, wanted }) => `the name of a ${what} begins with ${wanted}: \`${name}\` does not`,
  because:
    "In a permission line `Files.read` is a method of every service, `files.read` of one: case tells them apart.",
});

export const wrongKey = defineDiagnostic<{ path: string; reason: string }>({
  code: "wrong-key",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` holds no usable public key: ${reason}`,
  because:
    "Step-up accepts Ed25519 keys alone, in software or on a security key; a private key must never enter an image.",
  help: () => "make one with `ssh-keygen -t ed25519` or `-t ed25519-sk`, and name the file that ends in .pub",
});

export const noSystem = defineDiagnostic<{ count: number }>({
  code: "no-system",
  severity: "error",
  say: ({ count }) => (count === 0 ? "the page declares no system" : "the page declares more than one system"),
  because: "The name of the system is signed with everything else.",
  help: ({ count }) =>
    count === 0
      ? 'write `system NAME version "1.0.0" { … }` around the declarations of the root page'
      : "keep one of them; `use` brings in files with parts of it",
});

export const tooManyLevels = defineDiagnostic<{ what: string; limit: number }>({
  code: "too-many-levels",
  severity: "error",
  say: ({ what, limit }) => `there are more than ${limit} ${what}`,
  because: "Labels are compared with every call and have to stay small.",
});

export const noSuchTool = defineDiagnostic<{ name: string; near: string | undefined }>({
  code: "rule-never-matches",
  severity: "error",
  say: ({ name }) => `no tool is named \`${name}\``,
  because: "A line that names no tool permits or forbids nothing, and was surely meant to.",
  help: ({ near }) => (near === undefined ? undefined : `did you mean \`${near}\`?`),
});

export const notATool = defineDiagnostic<{ name: string; reason: string }>({
  code: "not-a-tool",
  severity: "error",
  say: ({ name, reason }) => `no tool can be made of the method \`${name}\`: ${reason}`,
  because: "Arguments and results of tools travel as JSON; capabilities and raw pointers cannot.",
});

export const ambiguousName = defineDiagnostic<{ name: string; meant: readonly string[] }>({
  code: "ambiguous-name",
  severity: "error",
  say: ({ name, meant }) => `\`${name}\` could be ${meant.map((one) => `\`${one}\``).join(" or ")}`,
  because: "A line that two readers understand differently protects neither of them.",
  help: ({ meant }) => `write \`${meant[0]}\``,
});

export const abstractSession = defineDiagnostic<{ name: string }>({
  code: "abstract-session",
  severity: "error",
  say: ({ name }) => `the session \`${name}\` is abstract: nobody can be in it`,
  because: "An abstract session is there to be built on, and has no row in the tables.",
  help: () => "name a session that extends it; one that is `from` it is another",
});
