import type { SourceText, Span } from "../text/index.ts";
import type { AssertNode } from "./assertions.ts";
import type { BackendNode, ModelNode } from "./backends.ts";
import type { IngressNode, RedactionNode, ReleaseNode, WaiveNode } from "./flows.ts";
import type { CategoryNode, CompartmentsNode, InterfaceNode, LevelsNode } from "./interfaces.ts";
import type { DeclarationBase, Name, Words } from "./names.ts";
import type { PrincipalNode } from "./principals.ts";
import type { RehearsalNode } from "./rehearsals.ts";
import type { ServiceNode } from "./services.ts";
import type { SessionNode } from "./sessions.ts";
import type { LetNode } from "./sets.ts";
import type { AuditNode, SettingsNode } from "./settings.ts";
import type { TaskNode, WorkerNode } from "./tasks.ts";

export type Item =
  | SystemNode
  | UseNode
  | LevelsNode
  | CompartmentsNode
  | LetNode
  | CategoryNode
  | InterfaceNode
  | PrincipalNode
  | ModelNode
  | BackendNode
  | ServiceNode
  | SessionNode
  | TaskNode
  | WorkerNode
  | IngressNode
  | RedactionNode
  | ReleaseNode
  | WaiveNode
  | AssertNode
  | RehearsalNode
  | SettingsNode
  | AuditNode;

export interface SystemNode extends DeclarationBase {
  readonly kind: "system";
  readonly version: Words | undefined;
  readonly items: readonly Item[];
}

export type UseNode =
  | { readonly kind: "use"; readonly what: "file"; readonly path: Words; readonly span: Span }
  | { readonly kind: "use"; readonly what: "module"; readonly root: Name; readonly module: Name; readonly span: Span }
  | {
      readonly kind: "use";
      readonly what: "capnp" | "mcp";
      readonly path: Words;
      readonly alias: Name;
      readonly span: Span;
    };

/** The tree of one file. After syntax errors, the tree has only the parts that could be parsed. */
export interface FileTree {
  readonly source: SourceText;
  readonly items: readonly Item[];
  /** `///` lines without a declaration after them. */
  readonly strayDocs: readonly Span[];
  /** Every name in the skipped text. No part of the page gets an error because such a name is unknown. */
  readonly lost: ReadonlySet<string>;
}
