import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { DESCRIPTION, packExtension } from "./pack.ts";

const packed = await packExtension();
const files = unzipSync(packed);
const textOf = (name: string): string => strFromU8(files[name] ?? new Uint8Array());

test("the extension is packed, the same bytes each time and in every zone", async () => {
  const before = process.env["TZ"];
  process.env["TZ"] = "Pacific/Auckland";
  try {
    expect(Buffer.compare(await packExtension(), packed)).toBe(0);
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
  expect(packed.length).toBeLessThan(1_000_000);
});

test("all that the description names is in it", () => {
  const { main, contributes } = JSON.parse(textOf("extension/package.json"));
  const [language] = contributes.languages;
  const [grammar] = contributes.grammars;
  for (const path of [main, language.configuration, grammar.path]) {
    expect(files[`extension/${path.replace("./", "")}`]?.length).toBeGreaterThan(0);
  }
  expect(language).toMatchObject({ id: "cap", extensions: [".cap"] });
  expect(textOf("extension/syntaxes/cap.tmLanguage.json")).toBe(
    readFileSync(new URL("../../../lang/spec/cap.tmLanguage.json", import.meta.url), "utf8"),
  );
  expect(JSON.parse(textOf("extension/syntaxes/cap.tmLanguage.json")).scopeName).toBe(grammar.scopeName);
});

test("the marketplace's files agree, and each file has a type", () => {
  const manifest = textOf("extension.vsixmanifest");
  expect(manifest).toContain(`Id="capc" Version="${DESCRIPTION.version}" Publisher="capc"`);
  for (const [, path = ""] of manifest.matchAll(/Path="([^"]+)"/g)) expect(files[path]?.length).toBeGreaterThan(0);
  const types = textOf("[Content_Types].xml");
  for (const name of Object.keys(files).filter((each) => each !== "[Content_Types].xml")) {
    expect(types).toContain(`Extension=".${name.split(".").at(-1)}"`);
  }
});

test("the client is one program that asks for nothing but VS Code and Node, and brings its licences", () => {
  const client = textOf("extension/dist/extension.cjs");
  const asked = [...client.matchAll(/require\("([^"]+)"\)/g)].map(([, name = ""]) => name);
  expect(asked).toContain("vscode");
  expect(asked.filter((name) => name !== "vscode" && !isBuiltin(name))).toEqual([]);
  expect(textOf("extension/ThirdPartyNotices.txt")).toContain("vscode-languageclient");
});

test("the version is that of capc", () => {
  const { version } = createRequire(import.meta.url)("../../../package.json");
  expect(DESCRIPTION.version).toBe(version);
});
