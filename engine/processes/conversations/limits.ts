// What a store takes. A loop is not trusted: whatever it says is bounded here, and what a session has said stays within its part.

const MIB = 1024 * 1024;

/** Of the file. What is larger was not written by this program, and is not looked at. */
export const MAX_FILE_BYTES: number = 96 * MIB;
export const PAGE_BYTES = 4096;
/** Pages that only forgetting may take: an index grows a little before it shrinks. */
export const RESERVED_PAGES = 512;
/** What all that a session has said may come to; the index takes about half as much again. */
export const MAX_SESSION_BYTES: number = 16 * MIB;
/** Each saying costs so much beside its words: a loop that says nothing, and that without end, is bounded too. */
export const SAYING_BYTES = 256;
/** Of those, what the loop may add between two turns that a person begins: a person who types sees it fill. */
export const MAX_TURN_BYTES: number = MIB;
/** Of a session. Twice what a person who begins ten a day has after half a year. */
export const MAX_CONVERSATIONS = 4000;
/** Of one saying, arguments included: far from a frame, and more than one answer of a model or a tool may be. */
export const MAX_SAYING_BYTES: number = 256 * 1024;
/** Names, ids, sources. */
export const MAX_NAME_BYTES = 1024;
/** In one append; the calls of one answer and what came of each are no more. */
export const MAX_AT_ONCE = 32;
/** What a loop is given again at its start: the rest it finds by asking. */
export const RECENT_BYTES: number = 384 * 1024;
/** An answer is one frame. */
export const MAX_READ_BYTES: number = 512 * 1024;
export const MAX_LISTED = 2000;
export const MAX_HITS = 50;
/** Hits of one recall; each may bring its answer. */
export const MOST_RECALLED = 6;
/** Given to a loop before its gate asks what was: one record takes them all, and no honest request needs a tenth. */
export const MOST_UNTOLD = 256;
/** Of one recall: a share of the largest context that anybody has, and far from a frame. */
export const MAX_RECALL_BYTES: number = 64 * 1024;
/** Of one saying that is recalled: a page of a tool's result around the word that was found. */
export const PASSAGE_LENGTH = 1600;
/** Numbers of a vector; the widest models have fewer. */
export const MAX_WIDTH = 4096;
/** Of a text's beginning, in UTF-16 units: an embedder reads no more than a page. */
export const MAX_EMBEDDED_LENGTH = 4096;
/** Of a session's vectors; sayings beyond it are found by their words alone. At 384 numbers each it takes 10,900. */
export const MAX_VECTOR_BYTES: number = 4 * MIB;
/** Sayings of a run that wait for their vectors; what is older waits for the next start. */
export const MOST_WAITING = 4096;
/** Vectors in one change of the file. */
export const VECTORS_AT_ONCE = 16;
/** Vectors that are compared before others are served. */
export const AT_ONCE_COMPARED = 256;
/** Hits of one search that are there for their meaning. */
export const MOST_NEAR = 8;
