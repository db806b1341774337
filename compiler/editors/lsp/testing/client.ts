// Implements an editor for tests: the client's side of the protocol for a `capc lsp` in a separate program.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  CodeLensRefreshRequest,
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  RegistrationRequest,
  ShowMessageNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
} from "vscode-languageserver-protocol/node";

const LAUNCHER = fileURLToPath(new URL("../../../cli/capc.mjs", import.meta.url));

export class Editor {
  readonly connection: ProtocolConnection;
  readonly said: InitializeResult;
  private readonly child: ChildProcess;
  private readonly versions = new Map<string, number>();
  private readonly texts = new Map<string, string>();
  private readonly findings = new Map<string, PublishDiagnosticsParams>();
  /** Messages that the server showed to the person. */
  readonly messages: string[] = [];
  /** Number of times that the server asked for lenses to be drawn again. */
  refreshes = 0;
  private wake = (): void => {};

  private constructor(child: ChildProcess, connection: ProtocolConnection, said: InitializeResult) {
    this.child = child;
    this.connection = connection;
    this.said = said;
    connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.findings.set(params.uri, params);
      this.wake();
    });
    connection.onNotification(ShowMessageNotification.type, ({ message }) => void this.messages.push(message));
    connection.onRequest(CodeLensRefreshRequest.type, () => {
      this.refreshes += 1;
    });
  }

  static async start(folder: string): Promise<Editor> {
    const child = spawn(process.execPath, [LAUNCHER, "lsp", "--stdio"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const { stdin, stdout } = child;
    if (stdin === null || stdout === null) throw new Error("a program without pipes");
    const connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    connection.onRequest(RegistrationRequest.type, () => {});
    connection.listen();
    const said = await connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: {
        workspace: { didChangeWatchedFiles: { dynamicRegistration: true }, codeLens: { refreshSupport: true } },
      },
    });
    const editor = new Editor(child, connection, said);
    await connection.sendNotification(InitializedNotification.type, {});
    return editor;
  }

  /** Opens a file with the text from the disk, or with another text. */
  async open(path: string, text = readFileSync(path, "utf8")): Promise<string> {
    const uri = pathToFileURL(path).href;
    this.versions.set(uri, 1);
    this.texts.set(uri, text);
    const textDocument = { uri, languageId: "cap", version: 1, text };
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    return uri;
  }

  async change(
    uri: string,
    text: string,
    contentChanges: TextDocumentContentChangeEvent[] = [{ text }],
  ): Promise<void> {
    const version = (this.versions.get(uri) ?? 0) + 1;
    this.versions.set(uri, version);
    this.texts.set(uri, text);
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges,
    });
  }

  async close(uri: string): Promise<void> {
    this.versions.delete(uri);
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  /** Returns the findings about the newest text of an open file. */
  async diagnostics(uri: string): Promise<readonly Diagnostic[]> {
    return this.told(uri, ({ version }) => version === this.versions.get(uri));
  }

  /** Waits for the first findings about a file that satisfy the condition, and returns them. */
  async told(uri: string, isWished: (params: PublishDiagnosticsParams) => boolean): Promise<readonly Diagnostic[]> {
    for (;;) {
      const found = this.findings.get(uri);
      if (found !== undefined && isWished(found)) return found.diagnostics;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Returns the position of a text in an open file, moved by `into` characters. Throws if the file does not contain it. */
  place(uri: string, words: string, into = 0): { textDocument: { uri: string }; position: Position } {
    const text = this.texts.get(uri) ?? "";
    const at = text.indexOf(words);
    if (at < 0) throw new Error(`${words} stands nowhere in ${uri}`);
    const before = text.slice(0, at + into).split("\n");
    return { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
  }

  /** Ends the server, and returns the exit status of its program. */
  async end(): Promise<number | null> {
    const ended = once(this.child, "exit");
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    const [status] = await ended;
    this.connection.dispose();
    return status;
  }
}
