export type { Asset } from "./assets.ts";
export { diskHost } from "./disk.ts";
export type { FileRead, Host } from "./host.ts";
export { type Loaded, load, type Package } from "./load.ts";
export { memoryHost } from "./memory.ts";
export { STANDARD_MODULES } from "./standard.ts";
