import { type Hover, MarkupKind } from "vscode-languageserver/node";
import { escapeInvisible } from "../../../../lang/diagnostics/index.ts";
import { placeOf, type Span } from "../../../../lang/text/index.ts";
import type { Naming, Tool } from "../../../phases/bind/index.ts";
import type { Place } from "../../../phases/policy/index.ts";
import { renderCode, renderInline } from "../../../queries/reference/index.ts";
import { renderDocumentation } from "../documentation.ts";
import { convertToRange } from "../places.ts";
import type { PositionContext } from "../position-context.ts";
import type { IndexedPolicy } from "../snapshot.ts";
import { explainToolDecision, findPlaces, findTools, placeName } from "./decisions.ts";
import { findDescribedWord } from "./described-word.ts";

/** Maximum number of places to list; a page may have thousands. */
const MOST_PLACES = 12;
/** Maximum number of tools to name for each answer of `capc why`, such as `auto`. */
const MOST_TOOLS = 4;
/** Maximum number of tools whose decisions are counted in one place. */
const MOST_COUNTED = 500;

/**
 * Returns the documentation of the name at the position with the decisions about the named tools, or the documentation of a word of the
 * language. Returns `undefined` for any other text.
 */
export async function createHover(asked: PositionContext): Promise<Hover | undefined> {
  const { snapshot, tree, offset } = asked;
  const naming = snapshot.namings.at(tree.source.path, offset);
  if (naming !== undefined)
    return drawHover([...renderDocumentation(snapshot, naming), ...renderDecisions(asked, naming)], naming.span);
  const word = await findDescribedWord(tree.source, offset, snapshot.model);
  return word && drawHover(word.blocks, word.span);
}

function drawHover(blocks: readonly string[], span: Span): Hover {
  return {
    contents: { kind: MarkupKind.Markdown, value: blocks.map(renderVisibleLines).join("\n\n") },
    range: convertToRange(span),
  };
}

function renderVisibleLines(block: string): string {
  return block.split("\n").map(escapeInvisible).join("\n");
}

function renderDecisions(asked: PositionContext, naming: Naming): readonly string[] {
  const { snapshot } = asked;
  const { model, decided } = snapshot;
  const tools = findTools(snapshot, naming);
  if (model === undefined || tools.length === 0) return [];
  if (decided === undefined) return ["Nothing is decided while the pages have errors."];
  const places = findPlaces(model, asked);
  const told = places.slice(0, MOST_PLACES).flatMap((place) => answerLine(decided, place, tools) ?? []);
  const more = places.length - MOST_PLACES;
  return told.length === 0 ? [] : [[...told, ...(more > 0 ? [`- and ${more} more places`] : [])].join("\n")];
}

function answerLine(decided: IndexedPolicy, place: Place, tools: readonly Tool[]): string | undefined {
  const [only, ...others] = tools;
  if (only !== undefined && others.length === 0) return renderSingleAnswer(decided, place, only);
  const answers = Map.groupBy(
    tools.slice(0, MOST_COUNTED),
    ({ name }) => explainToolDecision(decided, place, name)?.answer ?? "",
  );
  const counted = [...answers].flatMap(([answer, alike]) =>
    answer === "" ? [] : `**${answer}** ${renderNames(alike)}`,
  );
  const more = tools.length - MOST_COUNTED;
  const rest = more > 0 ? [`${more} more tools`] : [];
  return counted.length === 0 ? undefined : `- ${renderCode(placeName(place))}: ${[...counted, ...rest].join("; ")}`;
}

function renderNames(tools: readonly Tool[]): string {
  const named = tools.slice(0, MOST_TOOLS).map(({ name }) => renderCode(name));
  const more = tools.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}

/** Returns the words of `capc why`: the answer, its reason, and the deciding line. */
function renderSingleAnswer(decided: IndexedPolicy, place: Place, { name }: Tool): string | undefined {
  const found = explainToolDecision(decided, place, name);
  if (found === undefined) return undefined;
  const { answer, reason, rule } = found;
  const line = rule === undefined ? "" : ` · ${renderCode(rule.words)} (${renderInline(placeOf(rule.span))})`;
  return `- ${renderCode(placeName(place))}: **${answer}**: ${renderInline(reason)}${line}`;
}
