import {
  type Connection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  TextDocuments,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { answer } from "./answering.ts";
import { Asking } from "./asking.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { executeCommands } from "./executing.ts";
import type { LinkOf } from "./features/diagnostics.ts";
import { createNames } from "./places.ts";
import { Publishing } from "./publishing.ts";
import { Workspace } from "./workspace/workspace.ts";

/** Values that the server gets from its caller. */
interface Surroundings {
  readonly version: string;
  readonly linkOf: LinkOf;
}

/** Files whose changes on the disk may change the meaning of a page. */
const WATCHED = "**/{*.cap,*.capnp,*.json,*.pub,*.js,*.mjs,cap.lock}";

/** Serves an editor over a connection until the editor sends `exit`. */
export function serve(connection: Connection, { version, linkOf }: Surroundings): void {
  const documents = new TextDocuments(TextDocument);
  const opened = new Map<string, string>();
  const names = createNames((path) => opened.get(path));
  const publishing = new Publishing(connection, names, linkOf, (path) => workspace.getDocument(path)?.version);
  const workspace = new Workspace(
    (snapshots, failed) => publishing.publish(snapshots, failed),
    (error) => connection.console.error(`a defect of capc itself; please report it: ${describeError(error)}`),
  );
  let watches = false;
  let refreshesLenses = false;

  connection.onInitialize((params): InitializeResult => {
    watches = canWatchFiles(params);
    refreshesLenses = params.capabilities.workspace?.codeLens?.refreshSupport === true;
    return { capabilities: CAPABILITIES, serverInfo: { name: "capc", version } };
  });
  connection.onInitialized(() => {
    if (watches)
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: WATCHED }] });
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    workspace.markTouched(changes.flatMap(({ uri }) => names.pathOf(uri) ?? []));
  });
  documents.onDidChangeContent(({ document }) => {
    const path = names.pathOf(document.uri);
    if (path === undefined) return;
    opened.set(path, document.uri);
    workspace.writeDocument(path, document);
  });
  documents.onDidClose(({ document }) => {
    const path = names.pathOf(document.uri);
    if (path === undefined) return;
    workspace.closeDocument(path);
    opened.delete(path);
  });
  const asking = new Asking(workspace, names);
  answer(connection, asking, workspace, names);
  executeCommands(connection, asking, workspace, { refreshesLenses: () => refreshesLenses });
  documents.listen(connection);
  connection.listen();
}

function canWatchFiles({ capabilities }: InitializeParams): boolean {
  return capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
