/** Text that precedes the tool's name in every call. */
export const BEFORE_NAME = '{"name": "';
