/**
 * Source of a regular expression (flag `u`) for invisible characters: controls, line separators, and characters without a shape.
 * Characters without a shape are direction, zero-width, tag and private-use characters, fillers and variation selectors. The
 * expression does not match U+FE0F after a symbol, because U+FE0F turns the symbol into an emoji.
 */
export const UNSEEN: string = [
  String.raw`[\p{Cc}\p{Cf}\p{Co}\u2028\u2029\u2800]`,
  String.raw`(?!\ufe0f)\p{Default_Ignorable_Code_Point}`,
  String.raw`(?<!\p{Extended_Pictographic})\ufe0f`,
].join("|");
