import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { DEFAULT_WRITER, WRITERS, type Writer } from "../../../targets/iso/writer.ts";

/** Returns the writer of `--iso-writer WRITER`. Fails if the word does not name a writer. */
export function readWriter(word: string | undefined): Result<{ readonly writer: Writer }> {
  const writer = WRITERS.find((known) => known === (word ?? DEFAULT_WRITER));
  return writer === undefined
    ? refuse(`'${word}' writes no images; there are ${WRITERS.join(", ")}`)
    : accept({ writer });
}
