/** A path that a schema imports, and the position of its text with its quotes. */
interface SchemaImport {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = /#[^\n]*|"(?:[^"\\]|\\[\s\S])*"|\b(?:import|embed)\b|->\s*stream\b|[^\s]/g;
/**
 * Schema that the compiler needs for the result of a streaming method, although the importing schema does not name it.
 */
const STREAM = "/capnp/stream.capnp";

/**
 * Returns the imports of a Cap'n Proto schema: the texts after the keyword `import` or `embed`. These imports decide
 * which files the Cap'n Proto compiler can read. If this function misreads an import, the compiler reports a missing
 * file, but cannot read any other file.
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
