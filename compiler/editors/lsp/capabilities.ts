import { CodeActionKind, type ServerCapabilities, TextDocumentSyncKind } from "vscode-languageserver/node";
import { RUN_TEST, SHOW_DECISIONS } from "./command-names.ts";
import { LEGEND } from "./features/colours.ts";

/** Requests that the server supports. */
export const CAPABILITIES: ServerCapabilities = {
  positionEncoding: "utf-16",
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.SourceFixAll] },
  codeLensProvider: { resolveProvider: true },
  completionProvider: { triggerCharacters: [".", ":", "/", "{", '"'] },
  definitionProvider: true,
  documentFormattingProvider: true,
  documentHighlightProvider: true,
  documentRangeFormattingProvider: true,
  documentSymbolProvider: true,
  executeCommandProvider: { commands: [RUN_TEST, SHOW_DECISIONS] },
  foldingRangeProvider: true,
  hoverProvider: true,
  inlayHintProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  signatureHelpProvider: { triggerCharacters: ["(", "{", ","], retriggerCharacters: [":"] },
  semanticTokensProvider: { legend: LEGEND, full: true },
  workspaceSymbolProvider: true,
};
