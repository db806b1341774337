import { expect, test } from "vitest";
import { SYSTEM } from "../evaluation/asking.ts";
import { type Piece, renderChat } from "../local/chat.ts";
import { readTrainedFamilies } from "./families.ts";
import { groupOf } from "./groups.ts";
import { Random } from "./random.ts";
import { tokenizeGroup } from "./tokens.ts";
import { TRAINING_WORLD } from "./vocabulary.ts";

/** Vocabulary in which each character is one token, and each piece with `isMark` is one token, too. */
const vocabulary = {
  tokenize: (pieces: readonly Piece[]): readonly number[] =>
    pieces.flatMap(({ text, isMark }) =>
      isMark ? [-text.length] : Array.from(text, (each) => each.codePointAt(0) ?? 0),
    ),
};
const END = -"<|im_end|>".length;

test("the tokens before an answer are those of the worker's prompt, and the tokens to learn are those of the answer", () => {
  const random = new Random(11);
  let answers = 0;
  for (let count = 0; count < 6; count++) {
    const group = groupOf(readTrainedFamilies(), random, TRAINING_WORLD);
    const { prefix, conversations } = tokenizeGroup(group, vocabulary);
    for (const [index, messages] of group.conversations.entries()) {
      const parts = conversations[index] ?? [];
      const said = messages.filter(({ role }) => role === "assistant");
      const learnt = parts.filter((_, at) => at % 2 === 1);
      expect(learnt).toEqual(
        said.map(({ content }) => [...vocabulary.tokenize([{ text: content, isMark: false }]), END]),
      );
      const asked = vocabulary.tokenize(renderChat([SYSTEM, ...messages.slice(0, -1)], group.tools));
      expect([...prefix, ...parts.slice(0, -1).flat()]).toEqual(asked);
      answers += learnt.length;
    }
  }
  expect(answers).toBeGreaterThan(30);
});
