import type { Command, Option } from "../command.ts";
import { optionsOf, quotedForShell, wordsOf } from "./words.ts";

/** To be sourced, or to lie in a folder of fpath as _capc. */
export function zshScript(commands: readonly Command[]): string {
  return `#compdef capc
# zsh completion of capc, made by \`capc completions zsh\`
_capc() {
  if (( CURRENT == 2 )); then
    local -a offered=(
${commands.map(({ name, does }) => `      ${quotedForShell(`${name}:${does}`)}`).join("\n")}
    )
    _describe command offered
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $name in
${commands.map(caseOf).join("\n")}
  esac
}
if [[ $funcstack[1] == _capc ]]; then _capc "$@"; else compdef _capc capc; fi
`;
}

function caseOf(command: Command): string {
  const specs = [...optionsOf(command).map(optionSpec), ...command.operands.map(operandSpec)];
  return `    ${command.name}) _arguments ${specs.join(" ")} ;;`;
}

function optionSpec({ name, value, choices, does }: Option): string {
  const action = value === undefined ? "" : `:${value}:${choices === undefined ? "_files" : `(${choices.join(" ")})`}`;
  return quotedForShell(`--${name}[${does.replaceAll(/[[\]:]/g, " ")}]${action}`);
}

function operandSpec(operand: string): string {
  const words = wordsOf(operand);
  const place = operand.includes("…") ? "*" : operand.startsWith("[") ? ":" : "";
  const name = operand.replaceAll(/[[\]…:|]/g, " ").trim();
  return quotedForShell(`${place}:${name}:${words.length === 0 ? "_files" : `(${words.join(" ")})`}`);
}
