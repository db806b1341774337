import { readFileSync } from "node:fs";

/** The version in package.json, the one place where it stands. */
export function readCapcVersion(): string {
  const read: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return read !== null && typeof read === "object" && "version" in read ? String(read.version) : "unknown";
}
