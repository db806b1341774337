import type { Command, Option } from "../command.ts";
import { listOperandWords, listOptions, quoteForShell } from "./shell-words.ts";

/** Renders a script that a user sources in a shell, or stores as _capc in a folder of fpath. */
export function renderZshScript(commands: readonly Command[]): string {
  return `#compdef capc
# zsh completion of capc, made by \`capc completions zsh\`
_capc() {
  if (( CURRENT == 2 )); then
    local -a offered=(
${commands.map(({ name, does }) => `      ${quoteForShell(`${name}:${does}`)}`).join("\n")}
    )
    _describe command offered
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $name in
${commands.map(renderCase).join("\n")}
  esac
}
if [[ $funcstack[1] == _capc ]]; then _capc "$@"; else compdef _capc capc; fi
`;
}

function renderCase(command: Command): string {
  const specs = [...listOptions(command).map(renderOptionSpec), ...command.operands.map(renderOperandSpec)];
  return `    ${command.name}) _arguments ${specs.join(" ")} ;;`;
}

function renderOptionSpec({ name, value, choices, does }: Option): string {
  const action = value === undefined ? "" : `:${value}:${choices === undefined ? "_files" : `(${choices.join(" ")})`}`;
  return quoteForShell(`--${name}[${does.replaceAll(/[[\]:]/g, " ")}]${action}`);
}

function renderOperandSpec(operand: string): string {
  const words = listOperandWords(operand);
  const place = operand.includes("…") ? "*" : operand.startsWith("[") ? ":" : "";
  const name = operand.replaceAll(/[[\]…:|]/g, " ").trim();
  return quoteForShell(`${place}:${name}:${words.length === 0 ? "_files" : `(${words.join(" ")})`}`);
}
