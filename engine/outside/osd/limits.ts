// Every bound of a plan, in one place. Those of 65536 are the seed's; where it names a bound and no number, the number is ours.

/** Bytes of a whole request. */
export const MOST_REQUEST_BYTES = 256 * 1024;
export const MOST_ACTIONS = 16;
/** Maximum length of ids that clients make up to find their answers again; plain characters. */
export const MOST_ID = 128;
/** Bytes of words for people: reasons, dangers, ways back. */
export const MOST_WORDS = 1024;
export const MOST_TOKEN = 256;
export const MOST_PATH = 4096;
/** Words of a command, bytes of one, and of all together. */
export const MOST_ARGV = 64;
export const MOST_ARGV_WORD = 4096;
export const MOST_ARGV_BYTES = 32 * 1024;
export const MOST_ENV = 64;
export const MOST_ENV_NAME = 128;
export const MOST_ENV_VALUE = 4096;
export const MOST_ENV_BYTES = 32 * 1024;
export const MOST_SECONDS = 60;
/** Bytes of a file that is read, and of one that is written. */
export const MOST_READ = 65_536;
export const MOST_WRITE = 65_536;
/** Bytes of each output that a result holds. */
export const MOST_OUTPUT = 65_536;
/** Characters of the words of a failure that a record holds: some repeat a path or an argument. */
export const MOST_MESSAGE = 1024;
/** Bytes of one record: a whole request, and what is put beside it. audit.test.ts holds every record to it. */
export const MOST_RECORD_BYTES: number = MOST_REQUEST_BYTES + 128 * 1024;
