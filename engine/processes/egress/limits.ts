// Limits on the memory and time of this process that a server and a caller may use.

/** Maximum bytes of names and values of an answer's header together; beyond them Node ends the answer. */
export const MOST_HEADER_BYTES = 16 * 1024;

/** Maximum number of interim answers (100, 103), each of which may have a header. */
export const MOST_INTERIM_ANSWERS = 4;

/**
 * Maximum bytes of one body, even if the page allows more: an answer is one frame of 1 MiB. A body that JSON makes
 * longer than the frame is refused; JSON can make it six times as long.
 */
export const MOST_BODY_BYTES = 512 * 1024;

/** Maximum bytes of a result as JSON; the frame needs some more bytes around the result. */
export const MOST_RESULT_BYTES = 1_000_000;

/**
 * Maximum number of characters of a header field that is read; such fields are the content type and the target of a
 * redirect.
 */
export const MOST_FIELD_CHARACTERS = 2048;

/** Maximum number of concurrent requests of all holders together; further ones are refused. */
export const MOST_AT_ONCE = 16;

/** Maximum bytes of one syslog message, which every server must accept (RFC 5425). */
export const MOST_MESSAGE_BYTES = 2048;

/** Maximum number of messages of one connection to a collector. */
export const MOST_MESSAGES = 64;

/**
 * Maximum bytes that a collector may send. The syslog protocol sends no bytes in this direction; TLS and the greeting
 * of some programs do.
 */
export const MOST_CHATTER_BYTES = 1024;

/**
 * Time in milliseconds for which our side stays open after the last byte to a collector; it is longer than a round
 * trip. An overloaded collector may accept a connection and close it at once. The collector's close then arrives before
 * ours, so it does not count as a confirmation of receipt.
 */
export const OPEN_BEHIND_MS = 500;
