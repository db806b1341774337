import { posix } from "node:path";
import { createDiskHost } from "./disk.ts";
import type { Host } from "./host.ts";

/**
 * Returns a host with files in memory, for tests and for editors, whose newest text is not on the disk. Paths are
 * absolute, for example `/a/b.cap`.
 */
export function createMemoryHost(files: Readonly<Record<string, string | Uint8Array>>, today = "2026-01-01"): Host {
  const encodeContent = (content: string | Uint8Array): Uint8Array =>
    typeof content === "string" ? new TextEncoder().encode(content) : content;
  const held = new Map(Object.entries(files).map(([path, content]) => [posix.resolve("/", path), content]));
  return {
    realPath: async (path) => (held.has(posix.resolve("/", path)) ? posix.resolve("/", path) : undefined),
    readFile: async (path, limit) => {
      const content = held.get(path);
      if (content === undefined) return { ok: false, reason: "there is no such file" };
      const bytes = encodeContent(content);
      if (bytes.length > limit) return { ok: false, reason: `it has ${bytes.length} bytes, at most ${limit} are read` };
      return { ok: true, value: bytes };
    },
    readHead: async (path, most) => {
      const content = held.get(path);
      if (content === undefined) return { ok: false, reason: "there is no such file" };
      const bytes = encodeContent(content);
      return { ok: true, head: bytes.subarray(0, most), bytes: bytes.length };
    },
    readStandard: createDiskHost(today).readStandard,
    today,
  };
}
