export { principalId } from "./accounts.ts";
export { bootTree, type SmallFile } from "./boot-tree.ts";
export { type Loss, lossesOf, lossText } from "./losses.ts";
export {
  FIXED,
  MOST_UPSTREAM_BYTES,
  TABLES_BINARY,
  upstreamBytes,
  upstreamManifest,
  upstreamManifestIn,
} from "./manifest.ts";
export { LIFETIME_KINDS, profileOf, UPSTREAM_MS } from "./profiles.ts";
export { sshKeyOf } from "./ssh-keys.ts";
export { nativeTarget } from "./target.ts";
export { manifestText } from "./text.ts";
