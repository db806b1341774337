// Loads Node's cryptography at its first use. Programs that need no cryptography at the start, such as the loop, then start with less
// work.

/** Returns the module `node:crypto`. */
export function loadCrypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto");
}
