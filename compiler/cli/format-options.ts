import { COLOUR_OPTION } from "./colour.ts";
import { JSON_OPTION, type Option } from "./command.ts";

/** Returns the options of a command whose findings are reviewed. The default format is text. */
export function createReviewOptions(formats: readonly string[]): readonly Option[] {
  return [
    {
      name: "format",
      value: "FORMAT",
      choices: formats,
      does: `${formats.join(", ")} (default: text); markdown is for pull requests`,
    },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "same as --format json" },
  ];
}
