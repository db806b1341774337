// Limits of the store of conversations. A loop is not trusted: its input is bounded here, and each session can fill
// only its own part of the file.

const MIB = 1024 * 1024;

/** Maximum bytes of the file. This program never writes a larger file, and does not read a larger one. */
export const MAX_FILE_BYTES: number = 96 * MIB;
export const PAGE_BYTES = 4096;
/** Number of pages that only forgetting may use, because it makes the index grow a little before the index shrinks. */
export const RESERVED_PAGES = 512;
/** Maximum bytes of all sayings of a session; the index needs about half as much space in addition. */
export const MAX_SESSION_BYTES: number = 16 * MIB;
/** Cost in bytes of each saying besides its text. The cost limits a loop that appends endless empty sayings. */
export const SAYING_BYTES = 256;
/**
 * Maximum bytes that the loop may add in one turn, so that the person can see, turn by turn, how the session fills up.
 */
export const MAX_TURN_BYTES: number = MIB;
/** Maximum number of conversations of a session: slightly more than ten conversations a day give in a year. */
export const MAX_CONVERSATIONS = 4000;
/**
 * Maximum bytes of one saying with its arguments: far less than fits into a frame; the loop cuts longer sayings before
 * it stores them.
 */
export const MAX_SAYING_BYTES: number = 256 * 1024;
/** Maximum bytes of a saying's two names, added together: the ID of its call, and the name of its tool. */
export const MAX_NAME_BYTES = 1024;
/** Maximum number of sayings of one append, which is more than the calls and results of one answer. */
export const MAX_AT_ONCE = 32;
/** Bytes of sayings that a loop gets at its start; it gets older sayings only by recall. */
export const RECENT_BYTES: number = 384 * 1024;
/** Maximum bytes of one answer, which must fit into one frame. */
export const MAX_READ_BYTES: number = 512 * 1024;
export const MAX_LISTED = 2000;
export const MAX_HITS = 50;
/** Maximum number of hits of one recall; a hit that is a person's question is recalled with its answer. */
export const MOST_RECALLED = 6;
/**
 * Maximum number of sayings that a loop may receive before the gate of its session asks which ones the loop received. One audit record must
 * list all of these sayings. A normal request to a model contains less than a tenth of this number.
 */
export const MOST_UNTOLD = 256;
/** Maximum bytes of one recall: a fraction of the smallest usual context, and far less than fits into a frame. */
export const MAX_RECALL_BYTES: number = 64 * 1024;
/**
 * Maximum UTF-16 units of one recalled saying; for a tool's result, this is about a page of text around the matching
 * word.
 */
export const PASSAGE_LENGTH = 1600;
/** Maximum number of numbers of a vector; the widest models have fewer. */
export const MAX_WIDTH = 4096;
/** Length in UTF-16 units of the part of a text that is embedded: an embedder reads no more than a page. */
export const MAX_EMBEDDED_LENGTH = 4096;
/**
 * Maximum bytes of a session's vectors: 10,900 vectors of 384 numbers. Further sayings are found only by their words.
 */
export const MAX_VECTOR_BYTES: number = 4 * MIB;
/**
 * Maximum number of sayings of a session that wait for their vectors; older ones wait until the machine starts again.
 */
export const MOST_WAITING = 4096;
/** Number of vectors that one change of the file stores. */
export const VECTORS_AT_ONCE = 16;
/** Number of vectors that are compared before other requests are served. */
export const AT_ONCE_COMPARED = 256;
/** Maximum number of hits by meaning in one search. */
export const MOST_NEAR = 8;
