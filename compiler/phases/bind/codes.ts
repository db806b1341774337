import {
  type Diagnostic,
  type DiagnosticKind,
  defineDiagnostic,
  findNearest,
} from "../../../lang/diagnostics/index.ts";
import type { Span } from "../../../lang/text/index.ts";

/** Diagnostic for a name that is not defined. */
export interface UnknownName extends Diagnostic {
  /** Known name that the author probably meant; `undefined` if no known name is similar. */
  readonly near: string | undefined;
}

/**
 * Stores the suggested name also in a field of its own, because repeated.ts uses it to find all uses of one misspelt
 * name.
 */
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
  because: "If a rule with a misspelt name were accepted, it would forbid or allow nothing.",
  help: ({ near, hint }) => (near === undefined ? hint : `did you mean \`${near}\`?`),
});

export const unknownName = keepNear(nameUnknown);

export const duplicateName = defineDiagnostic<{ what: string; name: string; where: string }>({
  code: "duplicate-name",
  severity: "error",
  say: ({ what, name, where }) => `the ${what} \`${name}\` is declared already, at ${where}`,
  because: "If a name has two declarations, it is not clear which one is valid.",
});

export const duplicateEntry = defineDiagnostic<{ what: string; where: string }>({
  code: "duplicate-entry",
  severity: "error",
  say: ({ what, where }) => `${what} is a duplicate of the entry at ${where}`,
  because: "The order of entries has no meaning on a page, so no rule decides which of two entries is valid.",
});

export const declarationCycle = defineDiagnostic<{ what: string; name: string }>({
  code: "declaration-cycle",
  severity: "error",
  say: ({ what, name }) => `\`${name}\` depends on itself: these ${what} form a cycle`,
  because: "A declaration inherits from its base, and the base from its own base. This chain must end.",
  help: () => "remove the base of one declaration in the cycle, or name a base outside of the cycle",
});

export const misplacedFunction = defineDiagnostic<{ name: string; why: string; instead: string }>({
  code: "misplaced-function",
  severity: "error",
  say: ({ name, why }) => `\`${name}\` cannot be used here: ${why}`,
  because:
    "Functions nest in one order: `every` or `some`, then a property such as `size`, then `urls` or `addresses`.",
  help: ({ instead }) => instead,
});

export const mixedSet = defineDiagnostic<{ name: string }>({
  code: "set-mixed",
  severity: "error",
  say: ({ name }) => `the set \`${name}\` mixes values of different kinds`,
  because: "An argument is either a text or a number, and never equals a value of another kind.",
  help: () => "write a set of texts, or a set of numbers",
});

export const wrongUnit = defineDiagnostic<{ unit: string; what: string; known: readonly string[] }>({
  code: "wrong-unit",
  severity: "error",
  say: ({ unit, what }) => `\`${unit}\` is not a unit of ${what}`,
  because: "An amount with an unclear unit could be wrong by a factor of a thousand.",
  help: ({ known }) => `write one of ${known.join(", ")}`,
});

export const wrongAmount = defineDiagnostic<{ amount: string; wanted: string }>({
  code: "wrong-amount",
  severity: "error",
  say: ({ amount, wanted }) => `\`${amount}\` is not ${wanted}`,
  because: "capc stores amounts as exact integers of the smallest unit.",
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
  because: "Only a fixed list of words is valid here.",
  help: ({ known, near }) =>
    `${near === undefined ? "" : `did you mean \`${near}\`? `}write one of ${known.join(", ")}`,
});

/** Reports a word that is not in a list of allowed words; the fix is the most similar allowed word. */
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
  say: ({ name, fault }) => `\`${name}\` cannot have this condition: ${fault}`,
  because:
    "If a condition is about a record or a call that does not exist, it never holds. Its rule would then always decide by its `else`.",
  help: () =>
    "write a condition about the arguments of a call in parentheses after the method, and one about the records of a list in square brackets after the field",
});

export const redactionUnfit = defineDiagnostic<{ name: string; fault: string; instead: string }>({
  code: "redaction-unfit",
  severity: "error",
  say: ({ name, fault }) => `the redaction \`${name}\` cannot be enforced: ${fault}`,
  because:
    "A redaction that cannot find its text does not mask the text. A backend that is not cleared for the text would then receive it.",
  help: ({ instead }) => instead,
});

export const auditUnfit = defineDiagnostic<{ fault: string; instead: string }>({
  code: "audit-unfit",
  severity: "error",
  say: ({ fault }) => `the \`audit\` block is not valid: ${fault}`,
  because:
    "The audit log outlives the conversations. It must be clear which text it keeps and which text it does not keep.",
  help: ({ instead }) => instead,
});

export const timerUnfit = defineDiagnostic<{ name: string; fault: string; instead: string }>({
  code: "timer-unfit",
  severity: "error",
  say: ({ name, fault }) => `the ingress \`${name}\` is not valid: ${fault}`,
  because:
    "A timer starts work without a person. The page must state when, by which clock, and what becomes of missed runs.",
  help: ({ instead }) => instead,
});

export const parameterUnfit = defineDiagnostic<{ name: string; fault: string; instead: string }>({
  code: "parameter-unfit",
  severity: "error",
  say: ({ name, fault }) => `the parameter \`${name}\` cannot be used: ${fault}`,
  because:
    "A person types the value of a parameter, and conditions compare it, so capc must know the type of the value.",
  help: ({ instead }) => instead,
});

export const parameterOutside = defineDiagnostic<{ name: string }>({
  code: "parameter-outside-task",
  severity: "error",
  say: ({ name }) => `\`task.${name}\` is used outside of a task`,
  because: "Only a task has parameter values. Outside of the task the condition could never be evaluated.",
  help: () => "write the rule in the task or in one of its phases",
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
  say: ({ what }) => `only the standard library may contain ${what}`,
  because: "This declaration applies to every page, so it must not differ from page to page.",
  help: () => "write `category NAME : PARENT`",
});

export const wrongCase = defineDiagnostic<{ what: string; name: string; wanted: string }>({
  code: "wrong-case",
  severity: "error",
  say: ({ what, name, wanted }) => `\`${name}\` is not a valid name of a ${what}: such a name begins with ${wanted}`,
  because:
    "In a permission rule `Files.read` means the method of every service with the interface, and `files.read` the method of one service.",
});

export const wrongKey = defineDiagnostic<{ path: string; reason: string }>({
  code: "wrong-key",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` does not contain a usable public key: ${reason}`,
  because:
    "Step-up accepts only Ed25519 keys, in a file or on a security key. A private key must never be in an image.",
  help: () => "make one with `ssh-keygen -t ed25519` or `-t ed25519-sk`, and name the file that ends in .pub",
});

export const noSystem = defineDiagnostic<{ count: number }>({
  code: "no-system",
  severity: "error",
  say: ({ count }) => (count === 0 ? "the page declares no system" : "the page declares more than one system"),
  because: "The signature of the image covers the name of the system, so the package must declare exactly one system.",
  help: ({ count }) =>
    count === 0
      ? 'write `system NAME version "1.0.0" { … }` around the declarations of the root page'
      : "keep one system; the root page can import its other parts from files with `use`",
});

export const tooManyLevels = defineDiagnostic<{ what: string; limit: number }>({
  code: "too-many-levels",
  severity: "error",
  say: ({ what, limit }) => `there are more than ${limit} ${what}`,
  because: "The gate compares labels at every call, so the number of levels and compartments is limited.",
});

export const noSuchTool = defineDiagnostic<{ name: string; near: string | undefined }>({
  code: "rule-never-matches",
  severity: "error",
  say: ({ name }) => `no tool is named \`${name}\``,
  because: "A rule without a tool has no effect, so its author surely meant another name.",
  help: ({ near }) => (near === undefined ? undefined : `did you mean \`${near}\`?`),
});

export const notATool = defineDiagnostic<{ name: string; reason: string }>({
  code: "not-a-tool",
  severity: "error",
  say: ({ name, reason }) => `the method \`${name}\` cannot become a tool: ${reason}`,
  because: "Arguments and results of tools are sent as JSON, which cannot contain capabilities or raw pointers.",
});

export const ambiguousName = defineDiagnostic<{ name: string; meant: readonly string[] }>({
  code: "ambiguous-name",
  severity: "error",
  say: ({ name, meant }) => `\`${name}\` could be ${meant.map((one) => `\`${one}\``).join(" or ")}`,
  because: "Two readers could understand the name differently, so neither could rely on the rule.",
  help: ({ meant }) => `write \`${meant[0]}\``,
});

export const abstractSession = defineDiagnostic<{ name: string }>({
  code: "abstract-session",
  severity: "error",
  say: ({ name }) => `the session \`${name}\` is abstract, so it cannot run`,
  because: "An abstract session only serves as a base for other sessions, and has no row in the policy tables.",
  help: () => "name a session that is not abstract, such as a session that `extends` this one",
});
