// Every request that the server says it answers, asked by a client over the program.

import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CodeActionRequest,
  CompletionRequest,
  DocumentFormattingRequest,
  DocumentRangeFormattingRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  InlayHintRequest,
  PrepareRenameRequest,
  RenameRequest,
  SemanticTokensRequest,
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
  expect(hints?.map(({ label }) => label)).toContain("2 consent");
});

test("renaming changes every page, and a collision is refused with a reason", async () => {
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

test("a file that is too large for a page has one finding, and no other answers", async () => {
  const large = await editor.open(folder.file("large.cap"), "{".repeat(2_000_000));
  expect((await editor.diagnostics(large)).map(({ code }) => code)).toEqual(["file-unreadable"]);
  expect(await editor.connection.sendRequest(FoldingRangeRequest.type, { textDocument: { uri: large } })).toBeNull();
  await editor.close(large);
});
