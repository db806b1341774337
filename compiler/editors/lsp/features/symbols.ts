import { type DocumentSymbol, SymbolKind } from "vscode-languageserver/node";
import type { Span } from "../../../../lang/text/index.ts";
import type { FileTree, Item } from "../../../../lang/tree/index.ts";
import { convertToRange } from "../places.ts";

/** Returns the declarations of a page as a tree, in the order of the page. */
export function listSymbols({ items }: Pick<FileTree, "items">): DocumentSymbol[] {
  return items.flatMap((item) => createSymbol(item) ?? []);
}

const KINDS = {
  system: SymbolKind.Package,
  category: SymbolKind.Enum,
  let: SymbolKind.Constant,
  interface: SymbolKind.Interface,
  principal: SymbolKind.Constant,
  model: SymbolKind.File,
  backend: SymbolKind.Module,
  service: SymbolKind.Variable,
  session: SymbolKind.Class,
  task: SymbolKind.Event,
  worker: SymbolKind.Event,
  ingress: SymbolKind.Event,
  redaction: SymbolKind.Constant,
  test: SymbolKind.Boolean,
} as const;

function createSymbol(item: Item): DocumentSymbol | undefined {
  switch (item.kind) {
    case "system":
      return drawSymbol(item, item.name, listSymbols({ items: item.items }));
    case "interface":
      return drawSymbol(
        item,
        item.name,
        item.methods.map((method) =>
          drawSymbolAs(SymbolKind.Method, { detail: "method", node: method, name: method.name }),
        ),
      );
    case "task": {
      const phases = item.attributes.flatMap((attribute) => (attribute.kind === "phase" ? [attribute] : []));
      return drawSymbol(
        item,
        item.name,
        phases.map((phase) => drawSymbolAs(SymbolKind.Event, { detail: "phase", node: phase, name: phase.name })),
      );
    }
    case "test":
      return drawSymbol(item, { text: item.title.value, span: item.title.span });
    case "category":
    case "let":
    case "principal":
    case "model":
    case "backend":
    case "service":
    case "session":
    case "worker":
    case "ingress":
    case "redaction":
      return drawSymbol(item, item.name);
    default:
      return undefined;
  }
}

interface Named {
  readonly text: string;
  readonly span: Span;
}

function drawSymbol(
  item: { readonly kind: keyof typeof KINDS; readonly span: Span },
  name: Named,
  children: DocumentSymbol[] = [],
): DocumentSymbol {
  return drawSymbolAs(KINDS[item.kind], { detail: item.kind, node: item, name, children });
}

/** The parts of a symbol: its detail, node, name and children. */
interface SymbolParts {
  readonly detail: string;
  readonly node: { readonly span: Span };
  readonly name: Named;
  readonly children?: DocumentSymbol[];
}

function drawSymbolAs(kind: SymbolKind, { detail, node: { span }, name, children = [] }: SymbolParts): DocumentSymbol {
  // An editor refuses a symbol without a name, and one whose name is outside of it.
  const selected =
    name.span.start >= span.start && name.span.end <= span.end ? name.span : { ...span, end: span.start };
  return {
    name: name.text || detail,
    detail,
    kind,
    range: convertToRange(span),
    selectionRange: convertToRange(selected),
    children,
  };
}
