/**
 * A character that nobody sees, as the source of a regular expression with the flag `u`: controls, line separators, and what
 * has no shape of its own, which are direction, zero-width, tag and private-use characters, fillers and variation
 * selectors. U+FE0F is seen behind the symbol that it turns into an emoji.
 */
export const UNSEEN: string = [
  String.raw`[\p{Cc}\p{Cf}\p{Co}\u2028\u2029\u2800]`,
  String.raw`(?!\ufe0f)\p{Default_Ignorable_Code_Point}`,
  String.raw`(?<!\p{Extended_Pictographic})\ufe0f`,
].join("|");
