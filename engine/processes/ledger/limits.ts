// Limits of the ledger. Its clients carry text of models and of other machines, so everything is bounded here.

const KIB = 1024;
const MIB = 1024 * KIB;

export const PAGE_BYTES = 4096;
/** Most bytes of the file; its data disk has room for it. */
export const MAX_FILE_BYTES: number = 4096 * MIB;
/** Most bytes of the write-ahead log before it is moved into the file. */
export const MAX_LOG_BYTES: number = 16 * MIB;
/** Most bytes of a request, of an objective, of a reason. */
export const MAX_REQUEST_BYTES: number = 16 * KIB;
export const MAX_REASON_BYTES: number = 512;
/** Most bytes of a name: of a session, task, tool, principal, ingress, model, surface. */
export const MAX_NAME_BYTES = 256;
export const MAX_LABEL_BYTES: number = 2 * KIB;
export const DIGEST_BYTES = 32;
/** Maximum length of an event's description, in UTF-16 units; a longer one is cut. */
export const MOST_BODY = 2048;
/** Most bytes of a result that a step keeps, and of one message. */
export const MAX_RESULT_BYTES: number = 256 * KIB;
export const MAX_ARGUMENTS_BYTES: number = 64 * KIB;
/** Most messages that one request adds. */
export const MOST_MESSAGES = 64;
/** Most principals who may answer one approval. */
export const MOST_ASKED = 16;
/** Most tasks of a session that have not ended. A page's limits are lower. */
export const MOST_OPEN_TASKS = 100_000;
/** Most pending approvals of a task: more would hide the one that matters. */
export const MOST_PENDING = 64;
/** Most bytes of one answer to a reader: an answer is one frame. */
export const MAX_READ_BYTES: number = 512 * KIB;
/** Most rows of one answer. */
export const MOST_ROWS = 1000;
/** Most requests of one commit: a longer queue waits for the next one, so that no client waits long. */
export const MOST_AT_ONCE = 256;
