import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { said } from "../memory-world.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/first-agent/system.cap", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "capc-export-"));
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => said(words, { folder });

test("YAML and JSON say the same", async () => {
  const yaml = await say("export", EXAMPLE);
  const json = await say("export", EXAMPLE, "--to", "json");
  expect([yaml.status, yaml.err, json.status, json.err]).toEqual([0, "", 0, ""]);
  expect(parse(yaml.out)).toEqual(JSON.parse(json.out));
  expect(parse(yaml.out)).toMatchObject({ form: "capc-page-1", items: [{ kind: "system", name: "first_agent" }] });
  expect((await say("export", EXAMPLE, "--json")).out).toBe(json.out);
});

test("what has a syntax error is not exported in part", async () => {
  writeFileSync(join(folder, "bad.cap"), "system x { service }");
  const { status, out, err } = await say("export", "bad.cap");
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain("bad.cap:1:");
  writeFileSync(join(folder, "bytes.cap"), Uint8Array.of(0xff));
  expect(await say("export", "bytes.cap")).toMatchObject({ status: 1, err: expect.stringContaining("not-utf8") });
  expect(await say("export", "none.cap")).toMatchObject({ status: 3, out: "" });
});
