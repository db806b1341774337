// All limits of a plan. The seed defines the limits of 65536. For limits that it mentions without a number, the numbers are ours.

/** Maximum bytes of a whole request. */
export const MOST_REQUEST_BYTES = 256 * 1024;
export const MOST_ACTIONS = 16;
/** Maximum length of the ids that clients choose to match answers to requests. */
export const MOST_ID = 128;
/** Maximum bytes of each text for people: `reason`, `danger` and `recovery`. */
export const MOST_WORDS = 1024;
export const MOST_TOKEN = 256;
export const MOST_PATH = 4096;
/** Maximum number of arguments of a command, bytes of one argument, and bytes of all arguments together. */
export const MOST_ARGV = 64;
export const MOST_ARGV_WORD = 4096;
export const MOST_ARGV_BYTES = 32 * 1024;
export const MOST_ENV = 64;
export const MOST_ENV_NAME = 128;
export const MOST_ENV_VALUE = 4096;
export const MOST_ENV_BYTES = 32 * 1024;
export const MOST_SECONDS = 60;
/** Maximum bytes of a file that is read, and of a file that is written. */
export const MOST_READ = 65_536;
export const MOST_WRITE = 65_536;
/** Maximum bytes of each output in a result. */
export const MOST_OUTPUT = 65_536;
/** Maximum characters of an error message in a record. Such messages may repeat a path or an argument. */
export const MOST_MESSAGE = 1024;
/** Maximum bytes of one record: a whole request and additional fields. audit.test.ts checks this limit. */
export const MOST_RECORD_BYTES: number = MOST_REQUEST_BYTES + 128 * 1024;
