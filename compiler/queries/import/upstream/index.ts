export { MOST_MANIFEST_BYTES } from "./read.ts";
export { type ImportedManifest, importUpstream, type TablesWish } from "./upstream.ts";
