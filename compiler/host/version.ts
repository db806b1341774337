import { readFileSync } from "node:fs";

/** Returns the version in package.json, its only source. */
export function readCapcVersion(): string {
  const read: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return read !== null && typeof read === "object" && "version" in read ? String(read.version) : "unknown";
}
