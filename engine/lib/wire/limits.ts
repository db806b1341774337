/** Limits of a reader. In addition, the reader refuses overlapping pointers, so that it never reads a word twice. */
export interface Limits {
  /** Maximum bytes of the message, without its header. */
  readonly bytes: number;
  /** Maximum number of nested pointers; the root struct has depth 1. */
  readonly depth: number;
  /** Maximum number of elements of size 0 in all lists together: a few bytes can claim half a billion of them. */
  readonly emptyElements: number;
  /** Maximum number of created fields and elements: a single word can become an object with many fields. The default is MAX_VALUES. */
  readonly values?: number;
  /** If set, bits and pointers outside of the layout's fields are refused instead of ignored. */
  readonly strangers?: "refused";
}

/** In the worst case, the objects take about half a gigabyte. */
export const MAX_VALUES = 16 * 1024 * 1024;

/** Limits of files: just larger than the largest tables (10,000 tools, 50 rows). */
export const FILE_LIMITS: Limits = { bytes: 64 * 1024 * 1024, depth: 32, emptyElements: 65_536 };

/** Limits of frames, as wire.capnp promises; 8 bytes of the mebibyte are the header. */
export const FRAME_LIMITS: Limits = {
  bytes: 1024 * 1024 - 8,
  depth: 32,
  emptyElements: 4096,
  values: 1024 * 1024,
};
