import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { joined, split } from "./parts.ts";

test("what was split is joined to the same bytes, and not at all where one of them changed", () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-parts-"));
  try {
    const file = join(folder, "agent.gguf");
    const bytes = Uint8Array.from({ length: 2500 }, (_, index) => (index * 7) % 256);
    writeFileSync(file, bytes);
    const there = join(folder, "agent");
    expect(split(file, there, 1000).parts.map((part) => part.bytes)).toEqual([1000, 1000, 500]);
    expect(readdirSync(there).sort()).toEqual(["agent.gguf.1", "agent.gguf.2", "agent.gguf.3", "weights.json"]);
    const again = join(folder, "again.gguf");
    expect(joined(there, again)).toEqual({ ok: true, bytes: 2500 });
    expect(readFileSync(again)).toEqual(Buffer.from(bytes));
    rmSync(again);
    const second = readFileSync(join(there, "agent.gguf.2"));
    second.writeUInt8(second.readUInt8(0) ^ 1, 0);
    writeFileSync(join(there, "agent.gguf.2"), second);
    expect(joined(there, again)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("not those of agent.gguf"),
    });
    expect([existsSync(again), existsSync(`${again}.part`)]).toEqual([false, false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
