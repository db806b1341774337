// capc completions prints the script with which a shell completes a command line of capc.

import type { ExitStatus, World } from "../../host/world.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { renderBashScript } from "../completions/bash.ts";
import { renderFishScript } from "../completions/fish.ts";
import { renderZshScript } from "../completions/zsh.ts";

const refuse = createRefuser("completions");

const SCRIPTS: ReadonlyMap<string, (commands: readonly Command[]) => string> = new Map([
  ["bash", renderBashScript],
  ["zsh", renderZshScript],
  ["fish", renderFishScript],
]);

const SHELLS = [...SCRIPTS.keys()].join("|");

/** Creates the command `capc completions`. `commands` lists all commands, including this command. */
export function createCompletionsCommand(commands: () => Promise<readonly Command[]>): Command {
  return {
    name: "completions",
    operands: [SHELLS],
    does: "print the completion script of commands and options for a shell",
    details: `bash: capc completions bash > ~/.local/share/bash-completion/completions/capc
zsh:  capc completions zsh > DIR/_capc, where DIR is a folder of $fpath
fish: capc completions fish > ~/.config/fish/completions/capc.fish`,
    options: [{ ...JSON_OPTION, does: "print the script as a JSON value" }],
    run: async (typed, world) => print(typed, commands, world),
  };
}

async function print(
  { operands: [shell = ""], switches }: ParsedArguments,
  commands: () => Promise<readonly Command[]>,
  world: World,
): Promise<ExitStatus> {
  const script = SCRIPTS.get(shell);
  if (script === undefined) return refuse(world, 2, `'${shell}' is none of ${SHELLS.replaceAll("|", ", ")}`);
  const text = script(await commands());
  world.print(switches.has("json") ? `${JSON.stringify({ shell, script: text })}\n` : text);
  return 0;
}
