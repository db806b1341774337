import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { CAPABILITIES } from "../lsp/capabilities.ts";
import { DESCRIPTION, packExtension } from "./pack.ts";

const packed = await packExtension();
const files = unzipSync(packed);
const textOf = (name: string): string => strFromU8(files[name] ?? new Uint8Array());

test("the extension is packed with the same bytes each time and in every time zone", async () => {
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

test("every file that the extension's package.json names is in the package", () => {
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

test("the manifest for marketplaces has the version of package.json, and each file has a type", () => {
  const manifest = textOf("extension.vsixmanifest");
  expect(manifest).toContain(`Id="capc" Version="${DESCRIPTION.version}" Publisher="capc"`);
  for (const [, path = ""] of manifest.matchAll(/Path="([^"]+)"/g)) expect(files[path]?.length).toBeGreaterThan(0);
  const types = textOf("[Content_Types].xml");
  for (const name of Object.keys(files).filter((each) => each !== "[Content_Types].xml")) {
    expect(types).toContain(`Extension=".${name.split(".").at(-1)}"`);
  }
});

test("the client is one program that loads only VS Code and Node, and contains the licences of its packages", () => {
  const client = textOf("extension/dist/extension.cjs");
  const asked = [...client.matchAll(/require\("([^"]+)"\)/g)].map(([, name = ""]) => name);
  expect(asked).toContain("vscode");
  expect(asked.filter((name) => name !== "vscode" && !isBuiltin(name))).toEqual([]);
  expect(textOf("extension/ThirdPartyNotices.txt")).toContain("vscode-languageclient");
});

test("the extension has the version of capc", () => {
  const { version } = createRequire(import.meta.url)("../../../package.json");
  expect(DESCRIPTION.version).toBe(version);
});

test("the client registers each command that the extension's package.json offers, and none that the server executes", () => {
  const { contributes } = JSON.parse(textOf("extension/package.json"));
  const offered = contributes.commands.map(({ command }: { command: string }) => command);
  const registered = [...textOf("extension/dist/extension.cjs").matchAll(/registerCommand\("(capc\.\w+)"/g)];
  expect(registered.map(([, command]) => command)).toEqual(offered);
  // `vscode-languageclient` registers the commands that the server executes. A second registration would fail.
  const executed = CAPABILITIES.executeCommandProvider?.commands ?? [];
  expect(executed.length).toBeGreaterThan(0);
  expect(executed.filter((command) => offered.includes(command))).toEqual([]);
  for (const command of ["capc.runTest"]) expect(executed).toContain(command);
});
