import { type SemanticTokens, SemanticTokensBuilder, type SemanticTokensLegend } from "vscode-languageserver/node";
import type { Naming } from "../../../phases/bind/index.ts";
import type { PositionContext } from "../position-context.ts";

// Classifies names, which the grammar for editors cannot do. The grammar colours words and texts; this module knows which names are
// services, sessions or methods. Names without a meaning get no colour.

const TYPES = [
  "class",
  "interface",
  "method",
  "enum",
  "enumMember",
  "variable",
  "event",
  "namespace",
  "parameter",
] as const;
const MODIFIERS = ["declaration", "defaultLibrary"] as const;

export const LEGEND: SemanticTokensLegend = { tokenTypes: [...TYPES], tokenModifiers: [...MODIFIERS] };

export function computeColours({ snapshot, tree }: PositionContext): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  let reached = 0;
  for (const naming of snapshot.namings.inFile(tree.source.path)) {
    const { span, declares } = naming;
    const kind = typeOf(naming);
    // Editors require tokens in order, each on one line, without overlap.
    if (kind === undefined || span.start < reached || span.end <= span.start) continue;
    reached = span.end;
    const { line, column } = tree.source.position(span.start);
    const library = snapshot.namings.of(naming).some((one) => one.declares && one.span.source.path.startsWith("std/"));
    builder.push(
      line - 1,
      column - 1,
      span.end - span.start,
      TYPES.indexOf(kind),
      (declares ? 1 : 0) | (library ? 2 : 0),
    );
  }
  return builder.build();
}

function typeOf({ what }: Naming): (typeof TYPES)[number] | undefined {
  if (what.startsWith("method of ")) return "method";
  if (what.startsWith("argument of ") || what.startsWith("parameter of ")) return "parameter";
  if (what.startsWith("phase of ")) return "event";
  switch (what) {
    case "session":
      return "class";
    case "interface":
      return "interface";
    case "category":
      return "enum";
    case "confidentiality level":
    case "integrity level":
    case "compartment":
      return "enumMember";
    case "service":
    case "set":
    case "principal":
    case "model":
      return "variable";
    case "task":
    case "worker":
    case "ingress":
      return "event";
    case "redaction":
      return "variable";
    case "import":
    case "backend":
      return "namespace";
    default:
      return undefined;
  }
}
