// capc lsp is a language server, which an editor uses over standard input and output.

import {
  createConnection,
  MessageType,
  ShowMessageNotification,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { serve, startReading } from "../../editors/lsp/index.ts";
import { readCapcVersion } from "../../host/version.ts";
import { openOutput } from "../../host/world.ts";
import { type Command, createRefuser, JSON_OPTION } from "../command.ts";
import { createLinksToPages } from "../diagnostic-links.ts";

const refuse = createRefuser("lsp");

/** `capc lsp` */
export const lsp: Command = {
  name: "lsp",
  operands: [],
  does: "serve an editor: findings, completion, definitions, fixes",
  details: `The command speaks the Language Server Protocol 3.17 over standard input and output until the editor
ends it. An editor starts this command; compiler/editors/vscode/README.md describes the settings of
several editors.`,
  // Clients of the protocol pass the name of the transport as an option; this server supports only `--stdio`.
  options: [
    { name: "stdio", does: "use standard input and output (always)" },
    { ...JSON_OPTION, does: "no effect; the output is always JSON" },
  ],
  run: async (_, world) => {
    if (world.inputIsTerminal) return refuse(world, 2, "an editor starts this; there is nothing to type");
    const linkOf = await createLinksToPages();
    const log = (reason: string): void => connection.console.error(escapeInvisible(reason));
    const { reader, ended } = startReading(process.stdin, {
      malformed: log,
      tooLong: (reason) => {
        log(reason);
        // The user must see the reason: capc skipped a message that is too long, so the text in the editor now differs
        // from the text that capc knows.
        const message = `capc: ${escapeInvisible(reason)}`;
        void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Error, message });
      },
    });
    const connection = createConnection(reader, new StreamMessageWriter(openOutput()));
    serve(connection, { version: readCapcVersion(), linkOf });
    const broken = await ended;
    process.stdin.destroy();
    if (broken !== undefined)
      return refuse(world, 2, `the program that started this does not speak the protocol: ${broken}`);
    // If the input ends without an `exit` notification, the editor has died.
    return refuse(world, 3, "the editor left without a word");
  },
};
