import {
  type CancellationToken,
  LSPErrorCodes,
  type Position,
  ResponseError,
  type TextDocumentIdentifier,
} from "vscode-languageserver/node";
import { MAX_FILE_BYTES, parseScanned, type ScanResult, scan } from "../../../lang/grammar/index.ts";
import { createSourceText, type SourceText } from "../../../lang/text/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";
import type { Names } from "./places.ts";
import type { PositionContext } from "./position-context.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** Parameters that all requests about a document share. */
interface OfDocument {
  readonly textDocument: TextDocumentIdentifier;
}

type Answer<T> = T | null | ResponseError;

/**
 * Translates requests of an editor into calls of features: documents to snapshots (the results of compilations),
 * positions to offsets.
 */
export class Asking {
  private readonly workspace: Workspace;
  private readonly names: Names;

  constructor(workspace: Workspace, names: Names) {
    this.workspace = workspace;
    this.names = names;
  }

  /**
   * Answers a request about a position from the current snapshots of the packages that use the document. Returns `null`
   * if the document is not an open page.
   */
  async askAt<T>(
    params: OfDocument & { readonly position: Position },
    token: CancellationToken,
    answer: (asked: PositionContext, others: readonly Snapshot[]) => T | undefined | Promise<T | undefined>,
  ): Promise<Answer<T>> {
    const path = this.names.pathOf(params.textDocument.uri);
    const document = path === undefined ? undefined : this.workspace.getDocument(path);
    if (path === undefined || document === undefined) return null;
    const snapshots = await this.workspace.takeSnapshots(path);
    if (token.isCancellationRequested) return createCancelled();
    const [snapshot] = snapshots;
    const tree = snapshot?.trees.get(path);
    if (snapshot === undefined || tree === undefined) return null;
    // If the text was edited while the page was compiled, the request is answered for the new text.
    const offset = document.offsetAt(params.position);
    const answered = (await answer({ snapshot, tree, offset }, snapshots)) ?? null;
    return token.isCancellationRequested ? createCancelled() : answered;
  }

  /** Like `askAt`, but answers a request about a whole page. */
  askWhole<T>(
    params: OfDocument,
    token: CancellationToken,
    answer: (asked: PositionContext, others: readonly Snapshot[]) => T | undefined | Promise<T | undefined>,
  ): Promise<Answer<T>> {
    return this.askAt({ ...params, position: { line: 0, character: 0 } }, token, answer);
  }

  /**
   * Answers a request from the newest text, without compiling it. `answer` also gets `latest`, the snapshot of the last
   * compilation, which may be older than the text. Returns `null` if the document is not an open page, or is too large.
   */
  async askText<T>(
    { textDocument }: OfDocument,
    answer: (page: ReadText, latest: Snapshot | undefined) => T | undefined | Promise<T | undefined>,
  ): Promise<T | null> {
    const path = this.names.pathOf(textDocument.uri);
    const document = path === undefined ? undefined : this.workspace.getDocument(path);
    if (path === undefined || document === undefined || document.getText().length > MAX_FILE_BYTES) return null;
    const source = createSourceText(path, document.getText());
    const offsetAt = (position: Position): number => document.offsetAt(position);
    return (await answer({ source, scanned: scan(source), offsetAt }, this.workspace.findLatest(path))) ?? null;
  }
}

/** Text of a page as it is now in the editor, compiled or not. */
export interface ReadText {
  readonly source: SourceText;
  readonly scanned: ScanResult;
  readonly offsetAt: (position: Position) => number;
}

export async function parseTree({ scanned }: ReadText): Promise<FileTree> {
  return (await parseScanned(scanned)).tree;
}

function createCancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, "the request was cancelled");
}
