/** A path that a schema imports, and where its text stands, quotes included. */
interface SchemaImport {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = /#[^\n]*|"(?:[^"\\]|\\[\s\S])*"|\b(?:import|embed)\b|->\s*stream\b|[^\s]/g;
/** Schema that the compiler reads for the result of a streaming method; no text of the schema names it. */
const STREAM = "/capnp/stream.capnp";

/**
 * The imports of a Cap'n Proto schema: a text behind the word. Only to know which files belong to it: the compiler sees
 * no others, so that what this misreads is missing there and never too much.
 */
export function findImports(text: string): readonly SchemaImport[] {
  const imports: SchemaImport[] = [];
  let after = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.startsWith("#")) continue;
    if (after && token.length > 1 && token.startsWith('"')) {
      imports.push({ path: token.slice(1, -1), start: index, end: index + token.length });
    }
    if (token.startsWith("->")) imports.push({ path: STREAM, start: index, end: index + token.length });
    after = token === "import" || token === "embed";
  }
  return imports;
}
