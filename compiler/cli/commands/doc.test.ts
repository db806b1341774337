import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "../memory-world.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "capc-doc-"));
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["doc", ...words], { folder });

// Not current? To update the page, run `node compiler/cli/capc.mjs doc std > stdlib/REFERENCE.md` and read the changes.
test("the committed reference of the standard library is current", async () => {
  const { status, out, err } = await say("std");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  await expect(out).toMatchFileSnapshot(join(CHECKOUT, "stdlib/REFERENCE.md"));
});

const PAGE = `/// Keeps notes, <b>and</b> no more.
///
/// # Not a heading
system sample version "1.0.0" {
  use std.tools
  /// Who is asked.
  principal alice { ssh "alice.pub" }
  /// Answers | from a list.
  backend canned { stub  clearance internal }
  service notes : Files { state 1 MiB  label internal/reviewed }
  /// Who sits at the console.
  session operator {
    kind operator
    principals alice
    clearance internal
    models { auto canned }
    permit { auto readOnly  consent Files.write where path under "/a" else forbidden }
    when integrity <= untrusted { atLeast stepUp mutatingLocal }
    suppress notes.delete
    quota { 5 calls per turn }
  }
  session trainee extends operator { permit { stepUp mutatingLocal } }
  /// Looks first, and writes then.
  task tidy in operator {
    /// Only looks.
    phase look { only readOnly }
    phase write after consent { only Files.* }
  }
  assert never trifecta
  test "reading is free" { as operator  call notes.read { path: "a" } expect auto }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;
writeFileSync(
  join(folder, "alice.pub"),
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBHVdrV0g0QPSle+BMRXY8NTsvMISvXo/dY48NfrIDg7 a\n",
);
writeFileSync(join(folder, "sample.cap"), PAGE);

test("the reference contains a page's places, gates, limits, labels and descriptions, and only those", async () => {
  const { status, out } = await say("sample.cap");
  expect(status).toBe(0);
  const lines = out.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# sample 1.0.0",
      "Keeps notes, \\<b\\>and\\</b\\> no more.",
      "\\# Not a heading",
      "### Session operator",
      "Who sits at the console.",
      "- quotas: `quota 5 calls per turn`",
      "#### Task tidy",
      "Looks first, and writes then.",
      "##### Phase look",
      "- entered behind: `consent`",
      "- `when integrity <= untrusted: atLeast stepUp mutatingLocal`",
      "| `canned` | stub | `internal` | Answers \\| from a list. |",
      "- `assert never trifecta`",
      "- reading is free (2 steps)",
    ]),
  );
  expect(out).toContain(
    "| `notes.write` | mutatingLocal | consent or forbidden | `consent Files.write where path under",
  );
  // The stricter of two modes counts: the mode of a session, and the mode of its parent session. So a weaker mode of the
  // parent session is not listed.
  expect(out).toContain("| `notes.write` | mutatingLocal | stepUp or forbidden | `consent Files.write where");
  expect(out).not.toContain("notes.delete");
  expect((await say("sample.cap")).out).toBe(out);
});

test("doc refuses a page with an error", async () => {
  writeFileSync(join(folder, "wrong.cap"), PAGE.replace("auto canned", "auto something"));
  expect(await say("wrong.cap")).toMatchObject({ status: 1, out: "", err: expect.stringContaining("something") });
  expect(await say("none.cap")).toMatchObject({ status: 3, out: "" });
});
