import type { Command } from "../command.ts";
import { optionsOf, quotedForShell, wordsOf } from "./words.ts";

/** Needs no bash-completion package. Where it offers nothing, bash offers files. */
export function bashScript(commands: readonly Command[]): string {
  return `# bash completion of capc, made by \`capc completions bash\`
_capc() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} offered=
  if [ "$COMP_CWORD" -eq 1 ]; then
    offered=${quotedForShell(`${commands.map(({ name }) => name).join(" ")} --help --version`)}
  else
    case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(valueCases).join("\n")}
      *)
        case "$current" in
          -*)
            case "\${COMP_WORDS[1]}" in
${commands.map(optionCase).join("\n")}
            esac ;;
          *)
            case "\${COMP_WORDS[1]} $COMP_CWORD" in
${commands.flatMap(operandCases).join("\n")}
            esac ;;
        esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _capc capc
`;
}

/** What stands after an option with a value: its words, or nothing, so that files are offered. */
function valueCases(command: Command): string[] {
  return command.options
    .filter(({ value }) => value !== undefined)
    .map(({ name, choices = [] }) => `      ${quotedForShell(`${command.name} --${name}`)}) ${offered(choices)} ;;`);
}

function optionCase(command: Command): string {
  const words = optionsOf(command).map(({ name }) => `--${name}`);
  return `              ${command.name}) ${offered(words)} ;;`;
}

function operandCases({ name, operands }: Command): string[] {
  return operands.flatMap((operand, index) => {
    const words = wordsOf(operand);
    return words.length === 0 ? [] : [`              ${quotedForShell(`${name} ${index + 2}`)}) ${offered(words)} ;;`];
  });
}

function offered(words: readonly string[]): string {
  return `offered=${quotedForShell(words.join(" "))}`;
}
