// Implements the commands that an editor executes on the server: to run tests of a page, and to list the decisions of a
// session.

import {
  CodeLensRefreshRequest,
  type Connection,
  ErrorCodes,
  MessageType,
  ResponseError,
  ShowMessageNotification,
} from "vscode-languageserver/node";
import type { Asking } from "./asking.ts";
import { RUN_TEST, SHOW_DECISIONS } from "./command-names.ts";
import { listDecisions } from "./features/lenses.ts";
import { runPageTests, type TestReport } from "./features/page-tests.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** Functions of the editor that concern the results of commands. */
interface Client {
  /** Whether the client requests the code lenses again if the server asks for this. */
  readonly refreshesLenses: () => boolean;
}

/**
 * Registers the commands that an editor can execute on the server. Each command shows a message to the person, and
 * returns a value for clients that read it. The command that runs tests also adds a finding at each step that failed.
 */
export function executeCommands(
  connection: Connection,
  asking: Asking,
  workspace: Workspace,
  { refreshesLenses }: Client,
): void {
  const show = (type: MessageType, message: string): void =>
    void connection.sendNotification(ShowMessageNotification.type, { type, message });
  const runTest = (report: TestReport): TestReport => {
    const isGood = report.failed === 0 && report.passed > 0;
    show(isGood ? MessageType.Info : MessageType.Error, `capc test: ${report.message}`);
    // The findings of the page now include the steps that failed.
    workspace.markTouched([]);
    if (refreshesLenses()) void connection.sendRequest(CodeLensRefreshRequest.type);
    return report;
  };
  connection.onExecuteCommand(async ({ command, arguments: given = [] }, token) => {
    const [uri, name] = given as unknown[];
    if (command !== RUN_TEST && command !== SHOW_DECISIONS)
      return new ResponseError(ErrorCodes.InvalidParams, `capc has no command ${command}`);
    if (typeof uri !== "string" || (name !== undefined && typeof name !== "string"))
      return new ResponseError(ErrorCodes.InvalidParams, `${command} takes the URI of an open page and a name`);
    const done = await asking.askWhole({ textDocument: { uri } }, token, ({ snapshot }) => {
      if (command === RUN_TEST) return runTest(runPageTests(snapshot, name));
      const message = listDecisions(snapshot, name ?? "");
      show(MessageType.Info, message);
      return { message };
    });
    if (done === null) show(MessageType.Error, "capc: open the page in the editor first");
    return done;
  });
}
