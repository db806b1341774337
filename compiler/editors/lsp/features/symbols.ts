import { type DocumentSymbol, SymbolKind, type WorkspaceSymbol } from "vscode-languageserver/node";
import { compareCodeUnits, type Span } from "../../../../lang/text/index.ts";
import type { FileTree, Item } from "../../../../lang/tree/index.ts";
import { isStandard } from "../../../phases/source/index.ts";
import { convertToRange, type Names } from "../places.ts";
import type { Snapshot } from "../snapshot.ts";

/** Returns the declarations of a page as a tree, in the order of the page. */
export function listSymbols({ items }: Pick<FileTree, "items">): DocumentSymbol[] {
  return items.flatMap((item) => createSymbol(item) ?? []);
}

/** Maximum number of symbols that a search returns; an editor searches again with each letter. */
const MOST_FOUND = 500;

/** Returns declarations of the pages: those whose names contain the letters of the query in the same order, closer matches first. */
export function searchSymbols(snapshots: readonly Snapshot[], query: string, { uriOf }: Names): WorkspaceSymbol[] {
  const found = new Map<string, WorkspaceSymbol>();
  for (const { trees, fileOf } of snapshots)
    for (const tree of trees.values()) {
      if (isStandard(tree.source.path)) continue;
      const uri = uriOf(fileOf(tree.source));
      for (const { symbol, within } of flattenSymbols(listSymbols(tree), ""))
        found.set(`${uri} ${symbol.selectionRange.start.line} ${symbol.selectionRange.start.character}`, {
          name: symbol.name,
          kind: symbol.kind,
          location: { uri, range: symbol.selectionRange },
          containerName: within,
        });
    }
  const ranked = [...found.values()].flatMap((symbol) => {
    const rank = rankMatch(symbol.name.toLowerCase(), query.toLowerCase());
    return rank === undefined ? [] : [{ symbol, rank }];
  });
  return ranked
    .sort((left, right) => left.rank - right.rank || compareCodeUnits(left.symbol.name, right.symbol.name))
    .slice(0, MOST_FOUND)
    .map(({ symbol }) => symbol);
}

/** Returns each symbol with the name of the symbol that encloses it. */
function flattenSymbols(symbols: readonly DocumentSymbol[], within: string): FlatSymbol[] {
  return symbols.flatMap((symbol) => [{ symbol, within }, ...flattenSymbols(symbol.children ?? [], symbol.name)]);
}

interface FlatSymbol {
  readonly symbol: DocumentSymbol;
  readonly within: string;
}

/**
 * Returns 0 if the name begins with the query, 1 if it contains the query, 2 if it contains the query's letters in
 * order, otherwise `undefined`.
 */
function rankMatch(name: string, query: string): number | undefined {
  if (name.startsWith(query)) return 0;
  if (name.includes(query)) return 1;
  let at = 0;
  for (const letter of name) if (letter === query[at]) at += 1;
  return at === query.length ? 2 : undefined;
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

interface SymbolParts {
  readonly detail: string;
  readonly node: { readonly span: Span };
  readonly name: Named;
  readonly children?: DocumentSymbol[];
}

function drawSymbolAs(kind: SymbolKind, { detail, node: { span }, name, children = [] }: SymbolParts): DocumentSymbol {
  // An editor refuses a symbol without a name, and a symbol whose range does not contain its name.
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
