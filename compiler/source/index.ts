export type { Asset } from "./assets.ts";
export { diskHost } from "./disk.ts";
export type { FileRead, Host } from "./host.ts";
export type { Import } from "./imports.ts";
export { type Loaded, load, type Package, usesOf } from "./load.ts";
export { type LockFile, MAX_LOCK_BYTES } from "./lock-file.ts";
export { memoryHost } from "./memory.ts";
export { isStandard, STANDARD_MODULES } from "./standard.ts";
export { utf8Text } from "./utf8.ts";
