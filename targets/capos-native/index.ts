export { derivePrincipalId } from "./accounts.ts";
export { bootTree, type SmallFile } from "./boot-tree.ts";
export { collectLosses, type Loss, renderLoss } from "./losses.ts";
export {
  createUpstreamManifest,
  decodeUpstreamManifest,
  encodeUpstreamManifest,
  FIXED,
  MOST_UPSTREAM_BYTES,
  TABLES_BINARY,
} from "./manifest.ts";
export { createProfile, LIFETIME_KINDS, UPSTREAM_MS } from "./profiles.ts";
export { createSshKey } from "./ssh-keys.ts";
export { buildNative } from "./target.ts";
export { renderManifest } from "./text.ts";
