/** File in the folder of a trial's disk that replaces the audit partition. */
export const AUDIT_FILE = ".audit";
