// How much a server and a caller may make this process hold, and for how long.

/** Names and values of an answer's header together; Node ends what sends more. */
export const MOST_HEADER_BYTES = 16 * 1024;

/** Answers before the answer (100, 103), each of which may have a header. */
export const MOST_INTERIM_ANSWERS = 4;

/** Of one body, whatever the page says: an answer travels in a frame of 1 MiB, and as JSON it can be six times as long. */
export const MOST_BODY_BYTES = 512 * 1024;

/** Of a result as JSON; the frame has more around it. */
export const MOST_RESULT_BYTES = 1_000_000;

/** Of one header field of ours: a content type, a redirect's place. */
export const MOST_FIELD_CHARACTERS = 2048;

/** Requests under way for all holders together; the next one is refused. */
export const MOST_AT_ONCE = 16;

/** Of one syslog message: what RFC 5425 asks every server to take. */
export const MOST_MESSAGE_BYTES = 2048;

/** Of one connection to a collector. */
export const MOST_MESSAGES = 64;

/** What a collector may say, which by its protocol is nothing: TLS and a greeting of some program. */
export const MOST_CHATTER_BYTES = 1024;

/**
 * After the last byte for a collector our side stays open so long, which is longer than a way there and back: one that is full takes
 * a connection and hangs up at once, and its end, which comes before ours then, is none that says it has anything.
 */
export const OPEN_BEHIND_MS = 500;
