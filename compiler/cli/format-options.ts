import { COLOUR_OPTION } from "./colour.ts";
import { JSON_OPTION, type Option } from "./command.ts";

/**
 * Returns the options for the output of `capc diff` and `capc replay`. The format `markdown` is for reviews on a forge,
 * and the default format is text.
 */
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
