// Reads all sayings of a conversation piece by piece, within a bound.
import { accept, type Result } from "../../../lib/result/result.ts";
import { ConversationStore, type Saying } from "../../../lib/wire/generated/conversations.ts";
import type { Archive } from "../archive.ts";

const PIECE_BYTES = 256 * 1024;

interface Read {
  readonly sayings: readonly Saying[];
  /** Whether there are more sayings than were read. */
  readonly isCut: boolean;
}

/**
 * Returns sayings after the sequence number `behind`, in order: as many as fit into about `most` bytes of text. Fails
 * if the store does not answer.
 */
export async function readSayings(archive: Archive, name: string, behind: bigint, most: number): Promise<Result<Read>> {
  const sayings: Saying[] = [];
  let bytes = 0;
  for (let after = behind; ; after = sayings.at(-1)?.sequence ?? after) {
    const asked = { conversation: name, after, mostBytes: Math.min(PIECE_BYTES, most) };
    const read = await archive.ask(ConversationStore.methods.read, asked);
    if (!read.ok) return read;
    for (const saying of read.value.sayings) {
      bytes += Buffer.byteLength(saying.text) + saying.calls.reduce((sum, call) => sum + call.arguments.length, 0);
      if (bytes > most && sayings.length > 0) return accept({ sayings, isCut: true });
      sayings.push(saying);
    }
    if (read.value.sayings.length === 0 || sayings.at(-1)?.sequence === read.value.last)
      return accept({ sayings, isCut: false });
  }
}
