import { Type } from "typebox";
import { REPORT } from "./diagnostics.ts";

const closed = { additionalProperties: false };
const page = Type.String({ description: "the text of the page, in the one form that pages have" });

/**
 * Output for an agent's settings: the findings about them, and a page that permits only what the settings permit.
 */
const settings = Type.Object({ ...REPORT.properties, page }, closed);

/** Output of `capc import --json`. */
export const importSchema = Type.Union([Type.Object({ page }, closed), settings, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "a page from YAML, from JSON or from settings of an agent, or why there is none",
});
