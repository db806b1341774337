// Loads Node's cryptography at its first use. Programs that do not need it at the start, such as the loop, then start with less work.

/** Returns the module `node:crypto`. */
export function loadCrypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto");
}
