import { COLOUR_OPTION } from "./colour.ts";
import { JSON_OPTION, type Option } from "./command.ts";

/** Of a command whose findings somebody reviews; text is what comes without any of them. */
export function createReviewOptions(formats: readonly string[]): readonly Option[] {
  return [
    {
      name: "format",
      value: "FORMAT",
      choices: formats,
      does: `${formats.join(", ")} (text); markdown for pull requests`,
    },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "the same as --format json" },
  ];
}
