// Limits on the bytes, texts and calls that a provider may make the worker keep in memory. A loop has lower limits for
// some of them, such as the number of calls, and enforces its limits itself.

/** Maximum length of one line in bytes: Ollama sends a call in one line, with all of its arguments. */
export const MOST_LINE_BYTES = 256 * 1024;

/** Maximum length of a whole answer in bytes on the wire: each token comes with a few hundred bytes of JSON. */
export const MOST_ANSWER_BYTES = 8 * 1024 * 1024;

/** Maximum length of a request in bytes: it is sent in a frame of 1 MiB, with little else. */
export const MOST_REQUEST_BYTES = 900_000;

/** Maximum characters of an answer's text. */
export const MOST_TEXT = 256 * 1024;

/** Maximum number of calls of one answer; a loop accepts fewer. */
export const MOST_CALLS = 16;

/** Maximum characters of the name of one call, and of the arguments of all calls of an answer together. */
export const MOST_NAME = 256;
export const MOST_ARGUMENTS = 256 * 1024;

/** Maximum number of tools; a loop never offers more. */
export const MOST_TOOLS = 128;

/**
 * Timeouts in milliseconds: until the head of an answer arrives, and between two of its pieces. The endpoint of egress
 * limits the time of the whole request.
 */
export const FIRST_WORD_MS = 120_000;
export const SILENCE_MS = 60_000;

/** Maximum wait in milliseconds if a provider asks to retry later. A longer wait is reported as a failure. */
export const PATIENCE_MS = 20_000;
/** Maximum number of retries of one request. */
export const MOST_REPEATS = 2;
/** Maximum wait that a provider can request, in milliseconds: a day. */
export const MOST_WAIT_MS = 86_400_000;
