import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findSubjectFaults, readPushedCommits } from "./commits.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

test("each commit to be pushed has an imperative of at most 72 characters as its subject", () => {
  const { subjects, range } = readPushedCommits(CHECKOUT);
  process.stdout.write(`commit subjects: ${range}\n`);
  expect(findSubjectFaults(subjects), range).toEqual([]);
});

test.each([
  ["Bound the gate's per-turn audit writes", undefined],
  ["Bring back the label", undefined],
  ["Pass the label on", undefined],
  ["Re-read the log", undefined],
  [`Bound ${"x".repeat(67)}`, "has 73 characters, and 72 are the most"],
  ["Bound the writes.", "ends with a full stop"],
  ["bound the writes", "does not begin with a word in lower case behind a capital"],
  ["A gate bounds its writes", "does not begin with an imperative"],
  ["Bounded the writes", "does not begin with an imperative"],
  ["Bounds the writes", "does not begin with an imperative"],
  ["What the gate writes", "does not begin with an imperative"],
])("%s: %s", (subject, fault) => {
  expect(findSubjectFaults([subject])).toEqual(fault === undefined ? [] : [`${subject}: ${fault}`]);
});

function git(folder: string, ...words: string[]): void {
  const named = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
  const { status, stderr } = spawnSync("git", ["-C", folder, ...named, ...words], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

test("the check covers the commits of a branch since origin/main, the latest commits of main, or none in a folder without history", () => {
  const folder = mkdtempSync(join(tmpdir(), "capc-commits-"));
  try {
    const commit = (place: string, subject: string) => git(place, "commit", "--quiet", "--allow-empty", "-m", subject);
    const [upstream, clone] = [join(folder, "upstream"), join(folder, "clone")];
    git(folder, "init", "--quiet", "-b", "main", upstream);
    expect(readPushedCommits(folder)).toEqual({
      subjects: [],
      range: "no commits: there is no git, or no repository",
    });
    for (let each = 0; each < 25; each += 1) commit(upstream, `Add ${each}`);
    git(folder, "clone", "--quiet", upstream, clone);
    expect(readPushedCommits(clone)).toMatchObject({ range: "the latest 20 commits" });
    expect(readPushedCommits(clone).subjects.at(0)).toBe("Add 24");
    commit(clone, "Add one more");
    expect(readPushedCommits(clone)).toEqual({ subjects: ["Add one more"], range: "1 commits since origin/main" });
    const shallow = join(folder, "shallow");
    git(folder, "clone", "--quiet", "--depth", "2", `file://${upstream}`, shallow);
    expect(readPushedCommits(shallow)).toEqual({
      subjects: ["Add 24", "Add 23"],
      range: "the latest 2 commits of a shallow clone, which may have fewer",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
