export { MOST_MANIFEST_BYTES } from "./read.ts";
export { importUpstream, type TablesWish } from "./upstream.ts";
