import { type Connection, ResponseError } from "vscode-languageserver/node";
import type { Result } from "../../../engine/lib/result/result.ts";
import { type Asking, parseTree } from "./asking.ts";
import { findActions } from "./features/actions.ts";
import { computeColours } from "./features/colours.ts";
import { computeCompletion } from "./features/completion/completion.ts";
import { findDefinitions, findHighlights, findReferences } from "./features/definition.ts";
import { findFoldings } from "./features/folding.ts";
import { computeFormatting } from "./features/formatting.ts";
import { computeHints } from "./features/hints.ts";
import { createHover } from "./features/hover.ts";
import { listLenses, readLens, titleLens } from "./features/lenses.ts";
import { findRenamable, renameOf } from "./features/rename.ts";
import { computeSignature } from "./features/signature.ts";
import { listSymbols, searchSymbols } from "./features/symbols.ts";
import type { Names } from "./places.ts";
import { listDiskFolder } from "./workspace/disk-folder.ts";
import type { Workspace } from "./workspace/workspace.ts";

/**
 * Registers the features that answer requests: about a position, about a whole page, or about the text of a page
 * without compiling it.
 */
export function answer(connection: Connection, asking: Asking, workspace: Workspace, names: Names): void {
  connection.onHover((params, token) => asking.askAt(params, token, createHover));
  connection.onDefinition((params, token) => asking.askAt(params, token, (asked) => findDefinitions(asked, names)));
  connection.onReferences((params, token) =>
    asking.askAt(params, token, (asked) =>
      findReferences(asked, names, params.context.includeDeclaration ? "included" : "left"),
    ),
  );
  connection.onDocumentHighlight((params, token) =>
    asking.askAt(params, token, (asked) => findHighlights(asked).map((range) => ({ range }))),
  );
  connection.onPrepareRename((params, token) =>
    asking.askAt(params, token, (asked) => unwrapRenamed(findRenamable(asked))),
  );
  connection.onRenameRequest((params, token) =>
    asking.askAt(params, token, async (asked, snapshots) =>
      unwrapRenamed(
        await renameOf(asked, {
          snapshots,
          newName: params.newName,
          names,
          trial: (root, texts) => workspace.tryTexts(root, texts),
        }),
      ),
    ),
  );
  connection.onCodeAction(({ textDocument, range, context }, token) =>
    asking.askWhole({ textDocument }, token, (asked, snapshots) =>
      findActions(asked, { range, only: context.only, told: context.diagnostics }, names, snapshots),
    ),
  );
  connection.onCodeLens((params, token) => asking.askWhole(params, token, (asked) => listLenses(asked, names)));
  connection.onCodeLensResolve(async (lens, token) => {
    const about = readLens(lens);
    if (about === undefined) return lens;
    const { uri, session } = about;
    const titled = await asking.askWhole({ textDocument: { uri } }, token, (asked) => titleLens(lens, asked, session));
    return titled ?? lens;
  });
  connection.languages.inlayHint.on((params, token) =>
    asking.askWhole(params, token, (asked) => computeHints(asked, params.range)),
  );
  connection.languages.semanticTokens.on(async (params, token) => {
    const found = await asking.askWhole(params, token, computeColours);
    return found ?? { data: [] };
  });
  connection.onWorkspaceSymbol(async ({ query }) => searchSymbols(await workspace.takeAllSnapshots(), query, names));
  answerOfTexts(connection, asking);
}

function answerOfTexts(connection: Connection, asking: Asking): void {
  connection.onCompletion((params) =>
    asking.askText(params, (page, latest) =>
      computeCompletion(page, page.offsetAt(params.position), latest, listDiskFolder),
    ),
  );
  connection.onSignatureHelp((params) =>
    asking.askText(params, (page, latest) => computeSignature(page, page.offsetAt(params.position), latest)),
  );
  connection.onDocumentFormatting((params) => asking.askText(params, (page) => computeFormatting(page)));
  connection.onDocumentRangeFormatting((params) =>
    asking.askText(params, (page) => computeFormatting(page, params.range)),
  );
  connection.onDocumentSymbol((params) => asking.askText(params, async (page) => listSymbols(await parseTree(page))));
  connection.onFoldingRanges((params) => asking.askText(params, ({ scanned }) => findFoldings(scanned)));
}

/** Error number of the protocol for a well-formed request that could not be executed. */
const REQUEST_FAILED = -32_803;

/** Returns the result, or an error that shows the reason to the person. */
function unwrapRenamed<T>(renamed: Result<T>): T | ResponseError {
  return renamed.ok ? renamed.value : new ResponseError(REQUEST_FAILED, renamed.reason);
}
