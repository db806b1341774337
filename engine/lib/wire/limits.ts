/** Limits of a reader. In addition, no word of a message is read twice, so overlapping pointers are refused. */
export interface Limits {
  /** Maximum bytes of the message, without its header. */
  readonly bytes: number;
  /** Maximum depth of nested pointers; the struct of the root has depth 1. */
  readonly depth: number;
  /**
   * Maximum number of elements of size 0 in all lists together, because a few bytes can claim half a billion of them.
   */
  readonly emptyElements: number;
  /**
   * Maximum number of fields and elements that are created, because one word can become an object of many fields. The
   * default is MAX_VALUES.
   */
  readonly values?: number;
  /**
   * Refuses a message that has bits or pointers which no field of the layout describes; by default they are ignored.
   */
  readonly strangers?: "refused";
}

/** Default limit of values. So many values take at most about half a gigabyte of memory. */
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
