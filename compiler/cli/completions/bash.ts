import type { Command } from "../command.ts";
import { listOperandWords, listOptions, quoteForShell } from "./shell-words.ts";

/**
 * Renders a script for bash, which does not need the package bash-completion. Where the script offers no words, bash
 * offers file names.
 */
export function renderBashScript(commands: readonly Command[]): string {
  return `# bash completion of capc, made by \`capc completions bash\`
_capc() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} offered=
  if [ "$COMP_CWORD" -eq 1 ]; then
    offered=${quoteForShell(`${commands.map(({ name }) => name).join(" ")} --help --version`)}
  else
    case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(renderValueCases).join("\n")}
      *)
        case "$current" in
          -*)
            case "\${COMP_WORDS[1]}" in
${commands.map(renderOptionCase).join("\n")}
            esac ;;
          *)
            case "\${COMP_WORDS[1]} $COMP_CWORD" in
${commands.flatMap(renderOperandCases).join("\n")}
            esac ;;
        esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _capc capc
`;
}

/** Returns a shell case for each option with a value: it offers the allowed words. For a case without words, bash offers files. */
function renderValueCases(command: Command): string[] {
  return command.options
    .filter(({ value }) => value !== undefined)
    .map(
      ({ name, choices = [] }) => `      ${quoteForShell(`${command.name} --${name}`)}) ${renderOffered(choices)} ;;`,
    );
}

function renderOptionCase(command: Command): string {
  const words = listOptions(command).map(({ name }) => `--${name}`);
  return `              ${command.name}) ${renderOffered(words)} ;;`;
}

function renderOperandCases({ name, operands }: Command): string[] {
  return operands.flatMap((operand, index) => {
    const words = listOperandWords(operand);
    return words.length === 0
      ? []
      : [`              ${quoteForShell(`${name} ${index + 2}`)}) ${renderOffered(words)} ;;`];
  });
}

function renderOffered(words: readonly string[]): string {
  return `offered=${quoteForShell(words.join(" "))}`;
}
