// Tests every request that the server advertises, with a client that starts the program.

import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CodeActionRequest,
  type CodeLens,
  CodeLensRequest,
  CodeLensResolveRequest,
  CompletionRequest,
  DocumentFormattingRequest,
  DocumentRangeFormattingRequest,
  DocumentSymbolRequest,
  ExecuteCommandRequest,
  FoldingRangeRequest,
  InlayHintRequest,
  PrepareRenameRequest,
  RenameRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
  WorkspaceSymbolRequest,
} from "vscode-languageserver-protocol/node";
import { Editor } from "./testing/client.ts";
import { folderOf, ROOT } from "./testing/pages.ts";

const folder = folderOf();
const text = ROOT.replace("permit {", "permit   {").replace("stepUp    destructive", "stepUp    destructve");
let editor: Editor;
let uri: string;
let textDocument: { readonly uri: string };

beforeAll(async () => {
  editor = await Editor.start(folder.path);
  uri = await editor.open(folder.file("system.cap"), text);
  textDocument = { uri };
});

afterAll(async () => {
  expect(await editor.end()).toBe(0);
  folder.remove();
});

const ALL = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };

test("a quick fix is returned with its finding", async () => {
  const found = await editor.diagnostics(uri);
  const diagnostics = found.filter(({ code }) => code === "unknown-name");
  const range = diagnostics[0]?.range ?? ALL;
  const actions = await editor.connection.sendRequest(CodeActionRequest.type, {
    textDocument,
    range,
    context: { diagnostics },
  });
  expect(actions?.[0]).toMatchObject({
    kind: "quickfix",
    diagnostics: [{ code: "unknown-name" }],
    edit: { changes: { [uri]: [{ newText: "destructive" }] } },
  });
});

test("formatting returns edits, also for a range", async () => {
  const options = { tabSize: 2, insertSpaces: true };
  const edits = await editor.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options });
  expect(edits?.length).toBeGreaterThan(0);
  const first = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const few = await editor.connection.sendRequest(DocumentRangeFormattingRequest.type, {
    textDocument,
    options,
    range: first,
  });
  expect(few).toEqual([]);
});

test("completion works while the page has errors", async () => {
  await editor.change(uri, text.replace("forbidden notes.write", "forbidden notes."));
  const found = await editor.connection.sendRequest(CompletionRequest.type, editor.place(uri, "forbidden notes.", 16));
  const items = Array.isArray(found) ? found : (found?.items ?? []);
  expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(["read", "write"]));
  await editor.change(uri, ROOT);
});

test("symbols, foldings, colours and hints are returned", async () => {
  expect(await editor.connection.sendRequest(DocumentSymbolRequest.type, { textDocument })).toMatchObject([
    { name: "house" },
  ]);
  expect((await editor.connection.sendRequest(FoldingRangeRequest.type, { textDocument }))?.length).toBeGreaterThan(3);
  expect(
    (await editor.connection.sendRequest(SemanticTokensRequest.type, { textDocument }))?.data.length,
  ).toBeGreaterThan(50);
  const hints = await editor.connection.sendRequest(InlayHintRequest.type, { textDocument, range: ALL });
  expect(hints?.map(({ label }) => label)).toContain("2 consent: drafts.write, notes.write");
});

test("renaming changes all pages that use the name, and refuses a duplicate name or a name of a schema with a reason", async () => {
  const at = editor.place(uri, "principals alice", 12);
  expect(await editor.connection.sendRequest(PrepareRenameRequest.type, at)).toMatchObject({
    start: { line: at.position.line },
  });
  const edit = await editor.connection.sendRequest(RenameRequest.type, { ...at, newName: "ada" });
  expect(Object.keys(edit?.changes ?? {}).map((each) => each.split("/").at(-1))).toEqual(
    expect.arrayContaining(["system.cap", "people.cap"]),
  );
  const notes = editor.place(uri, "service notes", 9);
  await expect(editor.connection.sendRequest(RenameRequest.type, { ...notes, newName: "drafts" })).rejects.toThrow(
    /duplicate-name/,
  );
  await expect(
    editor.connection.sendRequest(PrepareRenameRequest.type, editor.place(uri, ": Files", 3)),
  ).rejects.toThrow(/schema/);
});

test("signatures, and symbols of all pages, are returned", async () => {
  await editor.change(uri, ROOT.replace("call notes.list {}", 'call notes.write { path: "a", '));
  const help = await editor.connection.sendRequest(SignatureHelpRequest.type, editor.place(uri, '"a", ', 5));
  expect(help).toMatchObject({
    signatures: [{ label: "notes.write { path: text, content: text }" }],
    activeParameter: 1,
  });
  await editor.change(uri, ROOT);
  const find = async (query: string) => {
    const found = await editor.connection.sendRequest(WorkspaceSymbolRequest.type, { query });
    return (found ?? []).map(
      ({ name, location, containerName }) => `${containerName} ${name} ${location.uri.split("/").at(-1)}`,
    );
  };
  expect(await find("ali")).toEqual([" alice people.cap"]);
  expect(await find("oprtr")).toEqual(["house operator system.cap"]);
  expect(await find("look")).toEqual(["triage look system.cap"]);
  // Names that the standard library declares are not found by a search in the project.
  expect(await find("Files")).toEqual([]);
  expect((await find("")).length).toBeGreaterThan(8);
});

/** The page, with a test that passes. */
const TESTED = ROOT.replace("call notes.list {} expect auto", 'call notes.list { path: "/" } expect auto').replace(
  "answer yes expect auto",
  "answer yes expect consent",
);

/** Returns the lenses of the page with their titles, as an editor draws them. */
async function drawnLenses(): Promise<CodeLens[]> {
  const lenses = (await editor.connection.sendRequest(CodeLensRequest.type, { textDocument })) ?? [];
  return Promise.all(
    lenses.map((lens) =>
      lens.command === undefined ? editor.connection.sendRequest(CodeLensResolveRequest.type, lens) : lens,
    ),
  );
}

const execute = ({ command }: CodeLens): Promise<unknown> =>
  editor.connection.sendRequest(ExecuteCommandRequest.type, {
    command: command?.command ?? "",
    arguments: command?.arguments ?? [],
  });

test("lenses show the decisions of each session, and run each test", async () => {
  await editor.change(uri, TESTED);
  const lenses = await drawnLenses();
  expect(lenses.map(({ command }) => command?.title)).toEqual([
    "4 auto, 2 consent, 2 stepUp",
    "4 auto, 2 consent, 1 stepUp, 1 forbidden",
    "run test",
  ]);
  const [operator, , single] = lenses;
  expect(operator?.range).toMatchObject({ start: editor.place(uri, "operator {", 0).position });
  await execute(operator ?? { range: ALL });
  expect(editor.messages.at(-1)).toBe(
    "operator: auto: drafts.list, drafts.read, notes.list, notes.read; consent: drafts.write, notes.write; stepUp: drafts.delete, notes.delete",
  );
  const done = await execute(single ?? { range: ALL });
  expect(done).toMatchObject({ passed: 1, failed: 0, tests: [{ title: "two steps", passed: true }] });
  expect(editor.messages.at(-1)).toBe("capc test: passed: two steps");
  expect(editor.refreshes).toBeGreaterThan(0);
  expect((await drawnLenses()).at(-1)?.command?.title).toBe("passed; run test");
});

test("a test that fails has a finding at its step until the page changes", async () => {
  const before = editor.messages.length;
  await editor.change(uri, TESTED.replace("} expect auto", "} expect forbidden"));
  const single = (await drawnLenses()).at(-1);
  expect(await execute(single ?? { range: ALL })).toMatchObject({ passed: 0, failed: 1 });
  expect(editor.messages.slice(before)).toEqual([
    expect.stringContaining('"two steps": expected forbidden, found auto'),
  ]);
  const [found] = await editor.told(uri, ({ diagnostics }) => diagnostics.some(({ code }) => code === "test-failed"));
  expect(found).toMatchObject({ code: "test-failed", range: { start: editor.place(uri, "call notes.list").position } });
  expect((await drawnLenses()).at(-1)?.command?.title).toBe("FAILED; run test");
  await editor.change(uri, ROOT);
  expect(await editor.diagnostics(uri)).toEqual([]);
  expect((await drawnLenses()).at(-1)?.command?.title).toBe("run test");
});

test("tests of a page with errors, unknown tests and unknown commands are refused with a reason", async () => {
  const run = (command: string, args: unknown[]) =>
    editor.connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
  expect(await run("capc.runTest", [uri, "no such"])).toMatchObject({ message: 'there is no test "no such"' });
  expect(await run("capc.showDecisions", [uri, "nobody"])).toEqual({ message: 'the page has no session "nobody"' });
  await editor.change(uri, ROOT.replace("boot operator", "boot nobody"));
  expect(await run("capc.runTest", [uri])).toMatchObject({ passed: 0, message: expect.stringContaining("no errors") });
  const titles = (await drawnLenses()).map(({ command }) => command?.title);
  expect(titles[0]).toBe("no decisions while the pages have errors");
  await editor.change(uri, ROOT);
  expect(await run("capc.runTest", [`${uri}.other`])).toBeNull();
  expect(editor.messages.at(-1)).toContain("open the page");
  await expect(run("capc.runTest", [5])).rejects.toThrow("takes the URI");
  await expect(run("capc.format", [uri])).rejects.toThrow("no command capc.format");
});

test("a file that is too large for a page has one finding, and requests about it get empty answers", async () => {
  const large = await editor.open(folder.file("large.cap"), "{".repeat(2_000_000));
  expect((await editor.diagnostics(large)).map(({ code }) => code)).toEqual(["file-unreadable"]);
  expect(await editor.connection.sendRequest(FoldingRangeRequest.type, { textDocument: { uri: large } })).toBeNull();
  await editor.close(large);
});
