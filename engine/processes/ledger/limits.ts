// Limits of the ledger. Its clients carry text of models and of other machines, so everything is bounded here.

const KIB = 1024;
const MIB = 1024 * KIB;

export const PAGE_BYTES = 4096;
/** Maximum bytes of the ledger's file. */
export const MAX_FILE_BYTES: number = 4096 * MIB;
/** Maximum bytes of the write-ahead log before it is moved into the file. */
export const MAX_LOG_BYTES: number = 16 * MIB;
/** Maximum bytes of a request or an objective, and of a reason. */
export const MAX_REQUEST_BYTES: number = 16 * KIB;
export const MAX_REASON_BYTES: number = 512;
/** Maximum bytes of the name of a session, task, tool, principal, ingress, model or surface. */
export const MAX_NAME_BYTES = 256;
export const MAX_LABEL_BYTES: number = 2 * KIB;
export const DIGEST_BYTES = 32;
/** Maximum length of an event's description, in UTF-16 units; a longer one is cut. */
export const MOST_BODY = 2048;
/** Maximum bytes of a step's stored result, and of one message. */
export const MAX_RESULT_BYTES: number = 256 * KIB;
export const MAX_ARGUMENTS_BYTES: number = 64 * KIB;
/** Maximum number of messages that one request adds. */
export const MOST_MESSAGES = 64;
/** Maximum number of principals who may answer one approval. */
export const MOST_ASKED = 16;
/** Maximum number of tasks of a session that have not ended. A page's limits are lower. */
export const MOST_OPEN_TASKS = 100_000;
/** Maximum number of pending approvals of a task: with more, a person could miss the important one. */
export const MOST_PENDING = 64;
/** Maximum bytes of one answer to a reader: an answer is one frame. */
export const MAX_READ_BYTES: number = 512 * KIB;
/** Maximum number of rows of one answer. */
export const MOST_ROWS = 1000;
/** Maximum number of requests in one commit. The rest of a longer queue waits for the next commit, so that no client waits long. */
export const MOST_AT_ONCE = 256;
