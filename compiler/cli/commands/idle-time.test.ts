// Tests that `per idle`, a limit of idle time, appears in every output that shows the other time limits of a page.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "../memory-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-idle-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PAGE = `system sample version "1.0.0" {
  use std.tools
  principal alice { ssh "alice.pub" }
  service notes : Files { state 1 MiB }
  backend canned { stub }
  session operator {
    kind operator
    principals alice
    login key
    models { auto canned }
    permit { auto readOnly  consent mutatingLocal  stepUp destructive }
    timeout { 15 min per idle }
  }
  task tidy in operator { only notes.read, notes.list  timeout { 90 s per idle } }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;
writeFileSync(
  join(folder, "alice.pub"),
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBHVdrV0g0QPSle+BMRXY8NTsvMISvXo/dY48NfrIDg7 a\n",
);
writeFileSync(join(folder, "sample.cap"), PAGE);
writeFileSync(join(folder, "longer.cap"), PAGE.replace("15 min", "16 min"));
writeFileSync(join(folder, "endless.cap"), PAGE.replace("timeout { 15 min per idle }", ""));

async function say(...words: string[]): Promise<string> {
  const { status, out, err } = await runCommand(words, { folder });
  expect({ status, err }).toMatchObject({ status: 0 });
  return out;
}

test("the reference shows the idle limit of a session, and the shorter idle limit of its task", async () => {
  const out = await say("doc", "sample.cap");
  expect(out.match(/- time limits: .*/g)).toEqual(["- time limits: 900 s per idle", "- time limits: 90 s per idle"]);
});

test("the report for reviewers shows the idle limit", async () => {
  await say("report", "sample.cap", "--out", "report.html");
  const report = readFileSync(join(folder, "report.html"), "utf8");
  expect(report).toContain("<div>15 min per idle</div>");
  expect(report).toContain("<div>90 s per idle</div>");
});

test.each(["yaml", "json"])("export to %s and import keep the idle limit", async (form) => {
  writeFileSync(join(folder, `sample.${form}`), await say("export", "sample.cap", "--to", form));
  expect(await say("import", `sample.${form}`)).toContain("15 min per idle");
});

test.each(["cedar", "rego", "claude", "codex", "gemini"])(
  "an export for %s lists the idle limit as lost",
  async (target) => {
    const words = target === "cedar" || target === "rego" ? [] : ["--at", "operator"];
    const { out, err } = await runCommand(["export", "sample.cap", "--to", target, "--out", target, ...words], {
      folder,
    });
    expect(out + err).toContain("No session locks after the page's idle time.");
  },
);

test("a longer idle limit is a widening, and so is the removal of an idle limit", async () => {
  const { out, status } = await runCommand(["diff", "sample.cap", "longer.cap", "--deny-widening"], { folder });
  expect(status).toBe(1);
  expect(out).toContain("widened   operator: milliseconds per idle\n            900000 → 960000\n");
  expect((await runCommand(["diff", "sample.cap", "endless.cap"], { folder })).out).toContain("900000 → none\n");
  expect((await runCommand(["diff", "endless.cap", "sample.cap"], { folder })).out).toContain(
    "narrowed  operator: milliseconds per idle\n",
  );
});
