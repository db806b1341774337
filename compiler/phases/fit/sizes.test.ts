import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_TABLES_BYTES } from "../../../engine/lib/policy/index.ts";
import { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { MOST_MANIFEST_BYTES } from "../../../targets/contract/artifact.ts";
import { planManifest } from "../../../targets/manifest/manifest.ts";
import { compile } from "../../compile.ts";
import { BESIDE, compilePage, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { ELF, upstreamPage } from "../../dev/fixtures/upstream.ts";
import type { Policy } from "../policy/index.ts";
import { createMemoryHost } from "../source/index.ts";
import { buildLongestManifest, checkSizes, MOST_ARGUMENTS } from "./sizes.ts";

const INIT = new URL("../../../engine/image/init/src/", import.meta.url);

/** Returns the value of a numeric constant in init's source. */
function ofInit(file: string, name: string): number {
  const [, digits = ""] =
    new RegExp(`const ${name}: \\w+ = ([\\d_]+);`).exec(readFileSync(new URL(file, INIT), "utf8")) ?? [];
  return Number(digits.replaceAll("_", ""));
}

test("the limits of the check equal the limits in init's source", () => {
  expect(MOST_ARGUMENTS).toBe(ofInit("manifest/judge.rs", "MOST_ARGUMENTS"));
  expect(MOST_MANIFEST_BYTES).toBe(ofInit("manifest.rs", "MOST_BYTES"));
});

async function lowered(text: string) {
  const { policy, origins } = await compilePage(text);
  if (policy === undefined || origins === undefined) throw new Error("the page has errors");
  return { policy, origins };
}

const found = async (text: string, purpose: "build" | "check" = "build") => {
  const { policy, diagnostics } = await compile(createMemoryHost({ ...BESIDE, "/system.cap": text }), "/system.cap", {
    purpose,
  });
  return [policy !== undefined, ...diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)];
};

/** Settings of a machine that is large enough for all pages of this test. */
const machine = (boot: string): string =>
  `storage { disk "capos-data" }  image { target linux  machine vm  memory 64 GiB  boot ${boot} }`;

const backends = (count: number): string => {
  const names = Array.from({ length: count }, (_, index) => `b${index}`);
  const answering = names.map((name, index) => `${index === count - 1 ? "auto" : "consent"} ${name}`);
  return renderFactsPage({
    backends: names.map((name) => `backend ${name} { stub }`).join(" "),
    sessions: `session operator { kind operator  models { ${answering.join(" ")} }  permit { auto readOnly } }`,
    rest: machine("operator"),
  });
};

const LONG = "a_rather_long_name_of_a_service_";

/** Returns a page whose sessions may each read from every service. The page has `sessions × services` grants. */
const granting = (sessions: number, services: number): string =>
  renderFactsPage({
    services: Array.from({ length: services }, (_, at) => `service ${LONG}${at} : Files { state 1 MiB }`).join("\n"),
    sessions: Array.from(
      { length: sessions },
      (_, at) => `session s${at} { kind operator  models { auto canned }  permit { auto readOnly } }`,
    ).join("\n"),
    rest: machine("s0"),
  });

test("a page within the limits has no finding, even with the longest allowed command line", async () => {
  expect(await found(backends(125))).toEqual([true]);
  expect(await found(granting(50, 300))).toEqual([true]);
});

test("a build refuses a command line that is too long for init, a check warns, and both name the process", async () => {
  const message = "the command line of `gate.operator` would have 516 words; programs of the image accept at most 512";
  expect(await found(backends(126))).toEqual([false, `error image-too-large: ${message}`]);
  expect(await found(backends(126), "check")).toEqual([
    true,
    `warning image-too-large: ${message}: \`capc build\` refuses it`,
  ]);
});

test("if init would not accept the manifest, a build refuses and a check warns", async () => {
  const [builds, refusal] = await found(granting(100, 300));
  expect([builds, refusal]).toEqual([
    false,
    expect.stringMatching(/^error image-too-large: `manifest.bin` would have \d{7} /),
  ]);
  const [checks, warning] = await found(granting(100, 300), "check");
  expect([checks, warning]).toEqual([
    true,
    expect.stringMatching(/^warning image-too-large: .*: `capc build` refuses it$/),
  ]);
});

test("tables that are too large for gates are reported with their length", async () => {
  const { policy, origins } = await lowered(renderFactsPage({}));
  const [tool] = policy.tables.tools;
  if (tool === undefined) throw new Error("the page has a tool");
  const described = (bytes: number): Policy => ({
    ...policy,
    tables: { ...policy.tables, tools: [{ ...tool, name: "x".repeat(bytes) }, ...policy.tables.tools.slice(1)] },
  });
  const codes = (bytes: number) => checkSizes({ policy: described(bytes), origins }).map(({ message }) => message);
  expect(codes(MAX_TABLES_BYTES - 65_536)).toEqual([]);
  expect(codes(MAX_TABLES_BYTES)).toEqual([
    expect.stringMatching(/^`policy\/tables.bin` would have \d{8} bytes; .* 16777216 bytes$/),
  ]);
});

test("programs that are too large for upstream's kernel are reported with their length", async () => {
  const program = Buffer.concat([ELF, Buffer.alloc(900 * 1024)]);
  const codes = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `log${index}`);
    const text = upstreamPage({
      services: names.map((name) => `service ${name} : Logs { exec "${name}" }`).join("\n"),
    });
    const files = Object.fromEntries(names.map((name) => [`/${name}`, program]));
    const host = createMemoryHost({ ...files, "/system.cap": text });
    const { diagnostics } = await compile(host, "/system.cap", { purpose: "check" });
    return diagnostics.map(({ code, severity }) => `${severity} ${code}`);
  };
  expect(await codes(5)).toEqual([]);
  expect(await codes(6)).toEqual(["warning image-too-large"]);
});

test("the manifest of a real build is not longer than the placeholder that the check measures", async () => {
  const { policy, origins } = await lowered(renderFactsPage({}));
  const digest = (byte: number) => new Uint8Array(32).fill(byte);
  const root = {
    size: 2 ** 30,
    sha256: digest(9),
    verity: { contentBytes: 2n ** 29n, salt: digest(7), rootHash: digest(5) },
  };
  const [tables, sbom] = [digest(1), digest(2)];
  const built = encodeMessage(Manifest, planManifest(policy, { tables, sbom, root, origins, unproved: 3 }));
  const measured = encodeMessage(Manifest, buildLongestManifest({ policy, origins }, tables));
  expect(measured.length).toBeGreaterThanOrEqual(built.length);
  expect(measured.length).toBeLessThan(built.length + 64);
});
