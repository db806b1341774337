// Tests of the record of differences from an earlier image: a build writes and signs it, `capc inspect` shows it, and
// `capc verify` recomputes it.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEnvelope } from "../../../targets/attest/dsse.ts";
import { recordSince } from "../../cli/diff/record.ts";
import { createMemoryWorld, runCommand } from "../../cli/memory-world.ts";
import { compilePage, requireLawful } from "../../cli/page.ts";
import { computeSha256 } from "../inspect/description.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/first-agent", import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-difference-"));
  for (const name of ["old", "page"]) cpSync(EXAMPLE, join(folder, name), { recursive: true });
  const page = join(folder, "page/system.cap");
  const text = readFileSync(page, "utf8");
  const wider = text.replace("100 calls per login", "101 calls per login");
  expect(wider).not.toBe(text);
  writeFileSync(page, wider);
  const built = await runCommand(["build", "page/system.cap", "--out", "out", "--previous", "old"], { folder });
  expect(built.status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the record of differences contains digests of the new manifest and tables, the earlier system and the changes", () => {
  const read = readEnvelope(readFileSync(join(folder, "out/difference.intoto.json")));
  const { subject, predicateType, predicate } = JSON.parse(read?.payload.toString("utf8") ?? "");
  expect(predicateType).toBe("urn:capos:capc:difference:1");
  const digests = ["manifest.bin", "policy/tables.bin"].map((name) => [
    `capos/${name}`,
    computeSha256(readFileSync(join(folder, "out", name))),
  ]);
  expect(subject.map(({ name, digest }: never) => [name, Object.values(digest)[0]]).sort()).toEqual(digests);
  expect(predicate.previous).toMatchObject({ system: "first_agent", tables: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(predicate.changes).toContainEqual(
    expect.objectContaining({ direction: "widened", what: "quota of calls per login", after: "101" }),
  );
  expect(JSON.stringify(predicate)).not.toContain(folder);
});

test("`capc inspect` shows the record of differences, and the attestation covers it", async () => {
  const { status, out, err } = await runCommand(["inspect", "out/system.iso"], { folder });
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toMatch(
    /^changed since first_agent \S+ \(tables [0-9a-f]{12}…\): \d+ widened, 0 moved, 0 narrowed, signed by the image's signer$/m,
  );
  const facts = JSON.parse((await runCommand(["inspect", "out/system.iso", "--json"], { folder })).out);
  expect(facts).toMatchObject({ differenceHolds: true, difference: { previous: { system: "first_agent" } } });
  expect(facts.provenance.subject).toContainEqual(expect.objectContaining({ name: "capos/difference.intoto.json" }));
});

test("`capc verify` accepts the signed record of differences, and recomputes it if --previous is given", async () => {
  const verify = (...words: string[]) =>
    runCommand(["verify", "out/system.iso", "--source", "page", ...words], { folder });
  const { status, out, err } = await verify();
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toMatch(/^changed since first_agent /m);
  expect(await verify("--previous", "old/system.cap")).toMatchObject({ status: 0, err: "" });
  const other = await verify("--previous", "page", "--json");
  expect(other.status).toBe(1);
  expect(other.err).toContain("/capos/difference.intoto.json differs: ");
  expect(JSON.parse(other.out).difference).toMatchObject({ holds: true });
});

test("the record of differences does not depend on the folder of the pages", async () => {
  const records = ["", "elsewhere"].map(async (below) => {
    mkdirSync(join(folder, below), { recursive: true });
    for (const name of below === "" ? [] : ["old", "page"])
      cpSync(join(folder, name), join(folder, below, name), { recursive: true });
    const world = createMemoryWorld({ folder: join(folder, below) });
    const page = await compilePage("page/system.cap", world, { purpose: "check", proofs: "left" });
    if (page.kind !== "compiled") throw new Error("no page");
    return recordSince("old", "page/system.cap", requireLawful(page.compiled), world);
  });
  const [one, other] = await Promise.all(records);
  expect(one).toMatchObject({ kind: "compared" });
  expect(JSON.stringify(one)).toBe(JSON.stringify(other));
});

test.each([
  [["--previous", "nowhere"], 3, "nothing was written"],
  [["--previous", "old", "--emit", "tables"], 2, "neither is emitted"],
])("a build with %s is refused", async (words, status, reason) => {
  const refused = await runCommand(["build", "page/system.cap", "--out", "none", ...words], { folder });
  expect(refused).toMatchObject({ status, err: expect.stringContaining(reason) });
});
