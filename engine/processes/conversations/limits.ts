// Limits of a store. A loop is not trusted: its input is bounded here, and each session stays within its own part.

const MIB = 1024 * 1024;

/** Most bytes of the file. This program never writes a larger file, and refuses to read one. */
export const MAX_FILE_BYTES: number = 96 * MIB;
export const PAGE_BYTES = 4096;
/** Pages that only forgetting may use, because the index grows a little before it shrinks. */
export const RESERVED_PAGES = 512;
/** Most bytes of all sayings of a session; the index needs about half as much again. */
export const MAX_SESSION_BYTES: number = 16 * MIB;
/** Cost in bytes of each saying besides its text. It bounds a loop that appends endless empty sayings. */
export const SAYING_BYTES = 256;
/** Most bytes that the loop may add between two turns of a person. The limit lets the person notice that the session fills. */
export const MAX_TURN_BYTES: number = MIB;
/** Most conversations of a session; ten a day for half a year are half of this. */
export const MAX_CONVERSATIONS = 4000;
/** Most bytes of one saying with its arguments. This is far below a frame, and more than one answer of a model or a tool may have. */
export const MAX_SAYING_BYTES: number = 256 * 1024;
/** Most bytes of names, ids and sources. */
export const MAX_NAME_BYTES = 1024;
/** Most sayings of one append; the calls and results of one answer are fewer. */
export const MAX_AT_ONCE = 32;
/** Bytes of recent sayings that a loop gets at its start; it finds older ones by search. */
export const RECENT_BYTES: number = 384 * 1024;
/** Most bytes of one answer, which has to fit into one frame. */
export const MAX_READ_BYTES: number = 512 * 1024;
export const MAX_LISTED = 2000;
export const MAX_HITS = 50;
/** Most hits of one recall; each hit may include its answer. */
export const MOST_RECALLED = 6;
/**
 * Most sayings that a loop gets before its gate asks which sayings it got. One record can list this many, and an honest request needs less
 * than a tenth.
 */
export const MOST_UNTOLD = 256;
/** Most bytes of one recall: a fraction of the largest existing model context, and far below a frame. */
export const MAX_RECALL_BYTES: number = 64 * 1024;
/** Most UTF-16 units of one recalled saying, such as a page of a tool's result around the matching word. */
export const PASSAGE_LENGTH = 1600;
/** Most numbers of a vector; the widest models have fewer. */
export const MAX_WIDTH = 4096;
/** Length in UTF-16 units of the part of a text that is embedded; an embedder reads about a page at most. */
export const MAX_EMBEDDED_LENGTH = 4096;
/** Most bytes of a session's vectors: 10,900 vectors of 384 numbers. Further sayings are found only by their words. */
export const MAX_VECTOR_BYTES: number = 4 * MIB;
/** Most sayings of a run that wait for their vectors; older sayings get theirs after the next start. */
export const MOST_WAITING = 4096;
/** Most vectors stored in one transaction. */
export const VECTORS_AT_ONCE = 16;
/** Number of vectors compared in one step; other requests are served between two steps. */
export const AT_ONCE_COMPARED = 256;
/** Most hits of one search by meaning. */
export const MOST_NEAR = 8;
