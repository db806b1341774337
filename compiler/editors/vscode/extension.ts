// Implements the client in VS Code, which starts `capc lsp` in a trusted folder as the server for pages.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CompletionItemKind, commands, type ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, type Middleware, TransportKind } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  subscriptions.push(
    commands.registerCommand("capc.restart", restart),
    commands.registerCommand("capc.testPage", testPage),
    workspace.onDidGrantWorkspaceTrust(restart),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("capc.path") && restart()),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
  client = undefined;
}

/**
 * Runs all tests of the page in the editor. Lenses do not need this command: the language client registers the commands
 * of lenses, and the server executes them.
 */
async function testPage(): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (document?.languageId !== "cap") return void window.showWarningMessage("Open a page (.cap) first.");
  if (client === undefined) return void window.showWarningMessage("capc does not run: trust the folder first.");
  await client.sendRequest("workspace/executeCommand", {
    command: "capc.runTest",
    arguments: [client.code2ProtocolConverter.asUri(document.uri)],
  });
}

async function restart(): Promise<void> {
  await deactivate();
  if (!workspace.isTrusted) return;
  const command = findProgram(workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? []);
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("capc", "capc", server, {
    // The server also gets unsaved schemas, because pages import them.
    documentSelector: [
      { scheme: "file", language: "cap" },
      { scheme: "file", pattern: "**/*.capnp" },
    ],
    middleware: { provideCompletionItem },
  });
  try {
    await client.start();
  } catch {
    window.showWarningMessage(
      `${command} cannot be started: install capc with npm, or name it in the setting capc.path.`,
    );
  }
}

/**
 * Returns the completions of the server. If a person accepts a folder, VS Code must request completions again, for the
 * files in the folder. The server cannot state this in the protocol, so the client adds a command of VS Code to the
 * completion of each folder.
 */
const provideCompletionItem: NonNullable<Middleware["provideCompletionItem"]> = async (...asked) => {
  const [document, position, context, token, next] = asked;
  const found = await next(document, position, context, token);
  for (const item of Array.isArray(found) ? found : (found?.items ?? []))
    if (item.kind === CompletionItemKind.Folder)
      item.command = { title: "Show the files of this folder", command: "editor.action.triggerSuggest" };
  return found;
};

function findProgram(folders: readonly string[]): string {
  const named = workspace.getConfiguration("capc").get<string>("path") ?? "";
  const installed = folders.map((folder) => join(folder, "node_modules/.bin/capc")).find((path) => existsSync(path));
  return named !== "" ? named : (installed ?? "capc");
}
