import { DEFAULT_WRITER, WRITERS, type Writer } from "../../../targets/iso/writer.ts";

/** From `--iso-writer WRITER`. A reason where the word is no writer. */
export function readWriter(word: string | undefined): { readonly writer: Writer } | string {
  const writer = WRITERS.find((known) => known === (word ?? DEFAULT_WRITER));
  return writer === undefined ? `'${word}' writes no images; there are ${WRITERS.join(", ")}` : { writer };
}
