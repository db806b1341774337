export { type Loss, lossesOf, lossText } from "./losses.ts";
export { upstreamBytes, upstreamManifest } from "./manifest.ts";
export { type Native, nativeTarget } from "./target.ts";
export { manifestText } from "./text.ts";
