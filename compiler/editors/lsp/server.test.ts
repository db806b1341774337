// Tests an editor and `capc lsp` as two programs that speak the protocol with each other.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  CancellationTokenSource,
  DefinitionRequest,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  DocumentHighlightRequest,
  type Hover,
  HoverRequest,
  type Location,
  LSPErrorCodes,
  MarkupContent,
  ReferencesRequest,
} from "vscode-languageserver-protocol/node";
import { Editor } from "./testing/client.ts";
import { folderOf, PEOPLE, ROOT } from "./testing/pages.ts";

const folder = folderOf();
let editor: Editor;
let root: string;

beforeAll(async () => {
  editor = await Editor.start(folder.path);
  root = await editor.open(folder.file("system.cap"));
});

beforeEach(() => editor.change(root, ROOT));

afterAll(async () => {
  expect(await editor.end()).toBe(0);
  folder.remove();
});

const codes = (diagnostics: readonly Diagnostic[]): unknown[] => diagnostics.map(({ code }) => code);
const words = (hover: Hover | null): string =>
  hover !== null && MarkupContent.is(hover.contents) ? hover.contents.value : "";
const textAt = ({ uri, range }: Location): string => {
  const lines = readFileSync(fileURLToPath(uri), "utf8").split("\n");
  return lines[range.start.line]?.slice(range.start.character, range.end.character) ?? "";
};

test("the handshake names the server, and states that positions count UTF-16 units", () => {
  expect(editor.said).toMatchObject({ serverInfo: { name: "capc" }, capabilities: { positionEncoding: "utf-16" } });
});

test("each finding has a code, a message, and a link to the page about its code, and disappears when the mistake is corrected", async () => {
  const broken = ROOT.replace("auto      readOnly", "auto      readOnyl").replace("service drafts", "service notes");
  await editor.change(root, broken);
  const found = await editor.diagnostics(root);
  const unknown = found.find(({ code }) => code === "unknown-name");
  expect(unknown).toMatchObject({ severity: 1, source: "capc", message: expect.stringContaining("readOnly") });
  const page = unknown?.codeDescription?.href ?? "";
  expect(readFileSync(fileURLToPath(page), "utf8")).toContain("# Unknown names");
  expect(codes(found)).toContain("duplicate-name");
  await editor.change(root, ROOT);
  expect(codes(await editor.diagnostics(root))).toEqual([]);
});

test("unused declarations are faded, and related places are named", async () => {
  await editor.change(root, ROOT.replace("  /// Looks", "  category spare : readOnly\n  /// Looks"));
  const faded = (await editor.diagnostics(root)).filter(({ tags }) => tags?.includes(1) === true);
  expect(codes(faded)).toEqual(["category-unused"]);
  await editor.change(root, ROOT.replace("auto      readOnly", "auto      readOnly\n      consent   readOnly"));
  const [conflict] = (await editor.diagnostics(root)).filter(({ code }) => code === "rule-conflict");
  expect(conflict?.relatedInformation?.[0]).toMatchObject({ message: "the other line: auto readOnly" });
});

test("an edit after characters of two UTF-16 units is applied at the right place", async () => {
  const { position } = editor.place(root, "// é 😀", "// é 😀".length);
  const text = " ß😀";
  await editor.change(root, ROOT.replace("// é 😀", "// é 😀 ß😀"), [
    { range: { start: position, end: position }, text },
  ]);
  await editor.diagnostics(root);
  const at = editor.place(root, '"/é😀" else', 1);
  const line = ROOT.split("\n")[at.position.line] ?? "";
  const found = await editor.connection.sendRequest(HoverRequest.type, editor.place(root, "notes.write where", 8));
  expect(found?.range?.start.character).toBe(line.indexOf("write where"));
});

test("findings about a page depend on the files that it uses; for an open file, the text in the editor counts", async () => {
  const people = await editor.open(folder.file("people.cap"), PEOPLE.replace("alice {", "alyce {"));
  const found = await editor.told(root, ({ diagnostics }) => codes(diagnostics).includes("unknown-name"));
  expect(codes(found)).toContain("unknown-name");
  await editor.change(people, `${PEOPLE}nonsense\n`);
  expect(codes(await editor.told(people, ({ diagnostics }) => diagnostics.length > 0))).toEqual(["syntax"]);
  await editor.close(people);
  await editor.told(root, ({ diagnostics }) => !codes(diagnostics).includes("unknown-name"));
});

test("a file that changed on the disk is read again when the editor reports it", async () => {
  const path = folder.file("alice.pub");
  const key = readFileSync(path, "utf8");
  rmSync(path);
  const changes = [{ uri: pathToFileURL(path).href, type: 3 as const }];
  await editor.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes });
  await editor.told(pathToFileURL(folder.file("people.cap")).href, ({ diagnostics }) =>
    codes(diagnostics).includes("file-unreadable"),
  );
  writeFileSync(path, key);
  await editor.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes });
  await editor.told(pathToFileURL(folder.file("people.cap")).href, ({ diagnostics }) => diagnostics.length === 0);
});

test("hovering shows the decision, in the words of `capc why`, for each session that the place concerns", async () => {
  const line = await editor.connection.sendRequest(HoverRequest.type, editor.place(root, "notes.write where", 7));
  expect(words(line)).toContain("Write a text file");
  expect(words(line)).toContain(
    '`operator`: **consent**: consent by the else of "forbidden notes.write where path under',
  );
  expect(words(line)).toContain("`night`: **consent**");
  const why = spawnSync(
    process.execPath,
    [
      fileURLToPath(new URL("../../cli/capc.mjs", import.meta.url)),
      "why",
      folder.file("system.cap"),
      "night notes.delete",
    ],
    { encoding: "utf8" },
  );
  const reason = why.stdout.split("\n")[1]?.trim() ?? "nothing";
  const inNight = await editor.connection.sendRequest(HoverRequest.type, editor.place(root, "notes.delete", 8));
  expect(words(inNight)).toContain(reason);
  expect(words(inNight)).not.toContain("`operator`");
  const phase = await editor.connection.sendRequest(HoverRequest.type, editor.place(root, "readOnly, notes.write", 18));
  expect(words(phase)).toContain("`operator.triage.mend`: **consent**");
});

test("hovering over a declaration shows its doc comment, and over a word of the language its meaning", async () => {
  const hoverAt = (text: string) => editor.connection.sendRequest(HoverRequest.type, editor.place(root, text, 1));
  expect(words(await hoverAt("notes :"))).toContain("Where notes lie.");
  expect(words(await hoverAt("version"))).toContain("A machine does not start an image whose version is older");
  expect(words(await hoverAt("vm "))).toContain("A virtual machine");
  expect(await hoverAt('"1.0.0"')).toBeNull();
});

test("hovering on a page with errors says that no decision is available", async () => {
  await editor.change(root, ROOT.replace("boot operator", "boot nobody"));
  const hover = await editor.connection.sendRequest(HoverRequest.type, editor.place(root, "notes.delete", 8));
  expect(words(hover)).toContain("Nothing is decided while the pages have errors.");
});

test.each([
  ["a principal of another page", "principals alice", 12, "alice", "people.cap"],
  ["a task", "operator.triage", 10, "triage", "system.cap"],
  ["its session", "operator.triage", 2, "operator", "system.cap"],
  ["a phase", "enter mend", 7, "mend", "system.cap"],
  ["a category", "2 destructive", 4, "destructive", "stdlib/categories.cap"],
  ["a method", "notes.list", 7, "list", "stdlib/tools.cap"],
  ["a compartment", "secret:{hr}", 9, "hr", "system.cap"],
  ["the session that boots", "boot operator", 6, "operator", "system.cap"],
  ["a used page", "./people.cap", 4, "", "people.cap"],
  ["a module", "std.tools", 6, "", "stdlib/tools.cap"],
])("the definition of %s is found", async (_, at, into, name, file) => {
  const found = await editor.connection.sendRequest(DefinitionRequest.type, editor.place(root, at, into));
  const [location] = found as Location[];
  expect(location?.uri.endsWith(file)).toBe(true);
  expect(location && textAt(location)).toBe(name);
});

test("all uses of a name are found on every page, with and without the declaration", async () => {
  const at = editor.place(root, "service notes", 9);
  const ask = (includeDeclaration: boolean) =>
    editor.connection.sendRequest(ReferencesRequest.type, { ...at, context: { includeDeclaration } });
  const all = (await ask(true)) ?? [];
  expect(all.map(textAt)).toEqual(Array(5).fill("notes"));
  expect(await ask(false)).toHaveLength(4);
  expect(await editor.connection.sendRequest(DocumentHighlightRequest.type, at)).toHaveLength(5);
});

test("a cancelled request is answered as cancelled, and the next one is answered", async () => {
  const source = new CancellationTokenSource();
  await editor.change(root, `${ROOT}\n`);
  const hover = editor.connection.sendRequest(HoverRequest.type, editor.place(root, "notes :", 1), source.token);
  source.cancel();
  await expect(hover).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled });
  await editor.change(root, ROOT);
  expect(await editor.connection.sendRequest(HoverRequest.type, editor.place(root, "notes :", 1))).not.toBeNull();
});

test("a request about a file that is not on this machine, or not open, gets an empty answer", async () => {
  const position = { line: 0, character: 0 };
  for (const uri of ["untitled:a.cap", "file://elsewhere/a.cap", "file:///not/there.cap", "nonsense"]) {
    expect(await editor.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position })).toBeNull();
  }
  expect(existsSync("/not/there.cap")).toBe(false);
});
