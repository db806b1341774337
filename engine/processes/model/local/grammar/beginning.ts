/** Text before the name in every call. */
export const BEFORE_NAME = '{"name": "';
