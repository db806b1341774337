import { type DocumentSymbol, SymbolKind } from "vscode-languageserver/node";
import type { Span } from "../../../../lang/text/index.ts";
import type { FileTree, Item } from "../../../../lang/tree/index.ts";
import { rangeOf } from "../places.ts";

/** What a page declares, as the tree that it stands in. */
export function symbolsOf({ items }: Pick<FileTree, "items">): DocumentSymbol[] {
  return items.flatMap((item) => symbolOf(item) ?? []);
}

const KINDS = {
  system: SymbolKind.Package,
  category: SymbolKind.Enum,
  interface: SymbolKind.Interface,
  principal: SymbolKind.Constant,
  model: SymbolKind.File,
  backend: SymbolKind.Module,
  service: SymbolKind.Variable,
  session: SymbolKind.Class,
  task: SymbolKind.Event,
  worker: SymbolKind.Event,
  ingress: SymbolKind.Event,
  test: SymbolKind.Boolean,
} as const;

function symbolOf(item: Item): DocumentSymbol | undefined {
  switch (item.kind) {
    case "system":
      return drawn(item, item.name, symbolsOf({ items: item.items }));
    case "interface":
      return drawn(
        item,
        item.name,
        item.methods.map((method) => drawnAs(SymbolKind.Method, "method", method, method.name)),
      );
    case "task": {
      const phases = item.attributes.flatMap((attribute) => (attribute.kind === "phase" ? [attribute] : []));
      return drawn(
        item,
        item.name,
        phases.map((phase) => drawnAs(SymbolKind.Event, "phase", phase, phase.name)),
      );
    }
    case "test":
      return drawn(item, { text: item.title.value, span: item.title.span });
    case "category":
    case "principal":
    case "model":
    case "backend":
    case "service":
    case "session":
    case "worker":
    case "ingress":
      return drawn(item, item.name);
    default:
      return undefined;
  }
}

interface Named {
  readonly text: string;
  readonly span: Span;
}

function drawn(
  item: { readonly kind: keyof typeof KINDS; readonly span: Span },
  name: Named,
  children: DocumentSymbol[] = [],
): DocumentSymbol {
  return drawnAs(KINDS[item.kind], item.kind, item, name, children);
}

function drawnAs(
  kind: SymbolKind,
  detail: string,
  { span }: { readonly span: Span },
  name: Named,
  children: DocumentSymbol[] = [],
): DocumentSymbol {
  // An editor refuses a symbol without a name, and one whose name stands outside of it.
  const selected =
    name.span.start >= span.start && name.span.end <= span.end ? name.span : { ...span, end: span.start };
  return { name: name.text || detail, detail, kind, range: rangeOf(span), selectionRange: rangeOf(selected), children };
}
