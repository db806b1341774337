// All limits of a plan. Limits of 65536 come from the seed; where the seed demands a limit without a number, this file chooses it.

/** Maximum bytes of a whole request. */
export const MOST_REQUEST_BYTES = 256 * 1024;
export const MOST_ACTIONS = 16;
/** Maximum length of ids that clients choose to recognise their answers; an id has only plain characters. */
export const MOST_ID = 128;
/** Maximum bytes of a text for people: a reason, a danger, or a recovery. */
export const MOST_WORDS = 1024;
export const MOST_TOKEN = 256;
export const MOST_PATH = 4096;
/** Maximum number of arguments of a command, maximum bytes of one argument, and of all arguments. */
export const MOST_ARGV = 64;
export const MOST_ARGV_WORD = 4096;
export const MOST_ARGV_BYTES = 32 * 1024;
export const MOST_ENV = 64;
export const MOST_ENV_NAME = 128;
export const MOST_ENV_VALUE = 4096;
export const MOST_ENV_BYTES = 32 * 1024;
export const MOST_SECONDS = 60;
/** Maximum bytes of a file that is read, and of one that is written. */
export const MOST_READ = 65_536;
export const MOST_WRITE = 65_536;
/** Maximum bytes of each output in a result. */
export const MOST_OUTPUT = 65_536;
/** Maximum characters of a failure message in a record. Some messages repeat a long path or argument. */
export const MOST_MESSAGE = 1024;
/** Maximum bytes of one record: a whole request and the other fields. audit.test.ts checks that no record is larger. */
export const MOST_RECORD_BYTES: number = MOST_REQUEST_BYTES + 128 * 1024;
