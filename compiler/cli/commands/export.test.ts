import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { runCommand } from "../memory-world.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/first-agent/system.cap", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "capc-export-"));
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(words, { folder });

test("YAML and JSON contain the same data", async () => {
  const yaml = await say("export", EXAMPLE);
  const json = await say("export", EXAMPLE, "--to", "json");
  expect([yaml.status, yaml.err, json.status, json.err]).toEqual([0, "", 0, ""]);
  expect(parse(yaml.out)).toEqual(JSON.parse(json.out));
  expect(parse(yaml.out)).toMatchObject({ form: "capc-page-1", items: [{ kind: "system", name: "first_agent" }] });
  expect((await say("export", EXAMPLE, "--json")).out).toBe(json.out);
});

test("export refuses a page with a syntax error instead of exporting a part of it", async () => {
  writeFileSync(join(folder, "bad.cap"), "system x { service }");
  const { status, out, err } = await say("export", "bad.cap");
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain("bad.cap:1:");
  writeFileSync(join(folder, "bytes.cap"), Uint8Array.of(0xff));
  expect(await say("export", "bytes.cap")).toMatchObject({ status: 1, err: expect.stringContaining("not-utf8") });
  expect(await say("export", "none.cap")).toMatchObject({ status: 3, out: "" });
});

test.each(["cedar", "rego", "claude", "codex", "gemini"])(
  "%s: prints the policy alone to standard output, and the report to standard error",
  async (target) => {
    const { status, out, err } = await say("export", EXAMPLE, "--to", target);
    expect(status).toBe(0);
    const made = JSON.parse((await say("export", EXAMPLE, "--to", target, "--json")).out);
    expect(made).toMatchObject({ target, system: "first_agent", losses: expect.any(Array) });
    expect(out).toBe(made.files[0].text);
    expect(err).toContain("quota-not-counted");
    expect(err).toMatch(new RegExp(`^${target}: \\d+ stricter than the page, \\d+ not held by it$`, "m"));
  },
);

test("writes all files and the report into the folder, and prints the report", async () => {
  const { status, out, err } = await say("export", EXAMPLE, "--to", "cedar", "--out", "made");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toContain("made/policies.cedar\nmade/schema.cedarschema\nmade/report.json\n");
  expect(out).toContain("forbidden Files.write where path under");
  const { files, ...report } = JSON.parse((await say("export", EXAMPLE, "--to", "cedar", "--json")).out);
  expect(JSON.parse(readFileSync(join(folder, "made/report.json"), "utf8"))).toEqual(report);
  for (const { name, text } of files) expect(readFileSync(join(folder, "made", name), "utf8")).toBe(text);
});

/** Page with only rules that every engine can express. */
const PLAIN = `system plain version "1.0.0" {
  use std.tools
  service notes : Files { state 1 MiB }
  backend canned { stub }
  session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

test("--strict ends with 1 if the target cannot express a line of the page, and otherwise with 0", async () => {
  expect(await say("export", EXAMPLE, "--to", "rego", "--strict")).toMatchObject({
    status: 1,
    err: expect.stringMatching(/capc export: rego does not hold \d+ things that the page says\n$/),
  });
  writeFileSync(join(folder, "plain.cap"), PLAIN);
  expect(await say("export", "plain.cap", "--to", "rego", "--strict")).toMatchObject({ status: 0 });
});

test("exports to an agent only the place that --at names, and refuses an unknown place", async () => {
  const visitor = await say("export", EXAMPLE, "--to", "claude", "--at", "visitor");
  expect(JSON.parse(visitor.out).permissions.allow).toEqual([
    "mcp__machine__show",
    "mcp__notes__list",
    "mcp__notes__read",
  ]);
  expect(await say("export", EXAMPLE, "--to", "claude", "--at", "nobody")).toMatchObject({
    status: 2,
    err: "capc export: there is no place 'nobody'; there are operator, visitor\n",
  });
  expect(await say("export", EXAMPLE, "--to", "cedar", "--at", "visitor")).toMatchObject({ status: 2, out: "" });
  expect(await say("export", EXAMPLE, "--strict")).toMatchObject({ status: 2, out: "" });
});

test("refuses to export a page with errors", async () => {
  writeFileSync(join(folder, "wrong.cap"), readFileSync(EXAMPLE, "utf8").replace("auto canned", "auto caned"));
  expect(await say("export", "wrong.cap", "--to", "gemini")).toMatchObject({ status: 1, out: "" });
  expect(await say("export", "none.cap", "--to", "gemini")).toMatchObject({ status: 3, out: "" });
});
