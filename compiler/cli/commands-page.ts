// Renders COMMANDS.md: all commands with their options, from the same table as the help.

import type { Command, Option } from "./command.ts";

/** Returns COMMANDS.md, the page about all commands. */
export function renderCommandsPage(commands: readonly Command[]): string {
  const head = `# Commands

After \`make setup\`, type \`export PATH=$PWD/node_modules/.bin:$PATH\` in the checkout. Elsewhere, \`npm install --global\` the package that
\`make pack\` makes. Do not start capc with \`npx\`: where neither is installed, it downloads and runs a package of somebody else with this name.
\`capc COMMAND --help\` prints the same text. \`vitest run compiler/cli/readme.test.ts -u\` writes this page.

Exit status: 0 success, 1 findings, 2 wrong usage, 3 an error of the environment or an interruption.
`;
  return [head, ...commands.map(renderCommand)].join("\n");
}

function renderCommand({ name, operands, does, details, options }: Command): string {
  const rows = options.map((option) => `| \`${renderOption(option)}\` | ${option.does.replaceAll("|", "\\|")} |`);
  return [
    `## ${name}`,
    "",
    `\`\`\`text\ncapc ${[name, ...operands].join(" ")}\n\`\`\``,
    "",
    `${does[0]?.toUpperCase() ?? ""}${does.slice(1)}.`,
    "",
    ...(details === undefined ? [] : [`\`\`\`text\n${details.trimEnd()}\n\`\`\``, ""]),
    ...(rows.length === 0 ? [] : ["| option | does |", "|---|---|", ...rows, ""]),
  ].join("\n");
}

function renderOption({ name, value }: Option): string {
  return `--${name}${value === undefined ? "" : ` ${value.replaceAll("|", "\\|")}`}`;
}
