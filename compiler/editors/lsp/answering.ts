import { type Connection, ResponseError } from "vscode-languageserver/node";
import { type Asking, treeOf } from "./asking.ts";
import type { Desk } from "./desk/desk.ts";
import { actionsOf } from "./features/actions.ts";
import { coloursOf } from "./features/colours.ts";
import { completionOf } from "./features/completion/completion.ts";
import { definitionsOf, highlightsOf, referencesOf } from "./features/definition.ts";
import { foldingsOf } from "./features/folding.ts";
import { formattingOf } from "./features/formatting.ts";
import { hintsOf } from "./features/hints.ts";
import { hoverOf } from "./features/hover.ts";
import { type Renamed, renamable, renameOf } from "./features/rename.ts";
import { symbolsOf } from "./features/symbols.ts";
import type { Names } from "./places.ts";

/** Which request is answered by which feature: of a place, a whole page, or its text alone. */
export function answer(connection: Connection, asking: Asking, desk: Desk, names: Names): void {
  connection.onHover((params, token) => asking.at(params, token, hoverOf));
  connection.onDefinition((params, token) => asking.at(params, token, (asked) => definitionsOf(asked, names)));
  connection.onReferences((params, token) =>
    asking.at(params, token, (asked) => referencesOf(asked, names, params.context.includeDeclaration)),
  );
  connection.onDocumentHighlight((params, token) =>
    asking.at(params, token, (asked) => highlightsOf(asked).map((range) => ({ range }))),
  );
  connection.onPrepareRename((params, token) => asking.at(params, token, (asked) => given(renamable(asked))));
  connection.onRenameRequest((params, token) =>
    asking.at(params, token, async (asked, snapshots) =>
      given(await renameOf(asked, snapshots, params.newName, names, (root, texts) => desk.trial(root, texts))),
    ),
  );
  connection.onCodeAction(({ textDocument, range, context }, token) =>
    asking.whole({ textDocument }, token, (asked, snapshots) =>
      actionsOf(asked, { range, only: context.only, told: context.diagnostics }, names, snapshots),
    ),
  );
  connection.languages.inlayHint.on((params, token) =>
    asking.whole(params, token, (asked) => hintsOf(asked, params.range)),
  );
  connection.languages.semanticTokens.on(async (params, token) => {
    const found = await asking.whole(params, token, coloursOf);
    return found ?? { data: [] };
  });
  answerOfTexts(connection, asking);
}

function answerOfTexts(connection: Connection, asking: Asking): void {
  connection.onCompletion((params) =>
    asking.text(params, (page, latest) => completionOf(page, page.offsetAt(params.position), latest)),
  );
  connection.onDocumentFormatting((params) => asking.text(params, (page) => formattingOf(page)));
  connection.onDocumentRangeFormatting((params) => asking.text(params, (page) => formattingOf(page, params.range)));
  connection.onDocumentSymbol((params) => asking.text(params, async (page) => symbolsOf(await treeOf(page))));
  connection.onFoldingRanges((params) => asking.text(params, ({ scanned }) => foldingsOf(scanned)));
}

/** In the protocol's numbers: the request was well-formed, and could not be done. */
const REQUEST_FAILED = -32_803;

/** A refusal reaches the person as its reason. */
function given<T>(renamed: Renamed<T>): T | ResponseError {
  return renamed.ok ? renamed.value : new ResponseError(REQUEST_FAILED, renamed.reason);
}
