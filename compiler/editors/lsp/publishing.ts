import { type Connection, type Diagnostic, DiagnosticSeverity } from "vscode-languageserver/node";
import { groupDiagnosticsByFile, type LinkOf } from "./features/diagnostics.ts";
import type { Names } from "./places.ts";
import type { Snapshot } from "./snapshot.ts";

const DEFECT: Diagnostic = {
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  severity: DiagnosticSeverity.Error,
  source: "capc",
  message: "a defect of capc itself: nothing is known of this page; please report it, with what the server's log says",
};

/** Sends findings to an editor, but only for files whose findings or version changed. */
export class Publishing {
  private readonly connection: Pick<Connection, "sendDiagnostics">;
  private readonly names: Names;
  private readonly linkOf: LinkOf;
  private readonly versionOf: (path: string) => number | undefined;
  /** Last published findings of each file, as JSON. */
  private readonly told = new Map<string, string>();

  constructor(
    connection: Pick<Connection, "sendDiagnostics">,
    names: Names,
    linkOf: LinkOf,
    versionOf: (path: string) => number | undefined,
  ) {
    this.connection = connection;
    this.names = names;
    this.linkOf = linkOf;
    this.versionOf = versionOf;
  }

  /**
   * Publishes the findings of each file whose findings or version changed. Each root in `failed`, whose compilation
   * a defect of capc prevented, gets a finding, because a page without findings would look correct.
   */
  publish(snapshots: readonly Snapshot[], failed: readonly string[] = []): void {
    const found = new Map(groupDiagnosticsByFile(snapshots, this.names, this.linkOf));
    for (const root of failed) found.set(root, [...(found.get(root) ?? []), DEFECT]);
    const read = snapshots.flatMap(({ trees }) => [...trees.keys()]);
    for (const path of new Set([...found.keys(), ...read, ...this.told.keys()])) {
      const diagnostics = [...(found.get(path) ?? [])];
      const version = this.versionOf(path);
      const text = JSON.stringify([version, diagnostics]);
      if (this.told.get(path) === text || (diagnostics.length === 0 && version === undefined && !this.told.has(path)))
        continue;
      if (diagnostics.length === 0 && version === undefined) this.told.delete(path);
      else this.told.set(path, text);
      const uri = this.names.uriOf(path);
      void this.connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
    }
  }
}
