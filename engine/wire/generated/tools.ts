// Generated from tools.capnp by `npm run generate`. Do not edit.

import { capabilityOf, field, list, method, struct, text, type StructLayout, uint32, uint64 } from "../layout.ts";

export interface FilesDeleteParams {
  readonly path: string;
}

export const FilesDeleteParams: StructLayout<FilesDeleteParams> = struct("FilesDeleteParams", 0xa575088d0b937680n, [0, 1], () => ({
  fields: [
    field("path", text, 0),
  ],
}));

export interface FilesDeleteResults {}

export const FilesDeleteResults: StructLayout<FilesDeleteResults> = struct("FilesDeleteResults", 0xe6f3301cc00abc3en, [0, 0], () => ({
  fields: [],
}));

export interface FilesListParams {
  readonly path: string;
}

export const FilesListParams: StructLayout<FilesListParams> = struct("FilesListParams", 0xc1e5510966f089ddn, [0, 1], () => ({
  fields: [
    field("path", text, 0),
  ],
}));

export interface FilesListResults {
  readonly entries: readonly string[];
}

export const FilesListResults: StructLayout<FilesListResults> = struct("FilesListResults", 0xb0d2ef1b8fe3bd3fn, [0, 1], () => ({
  fields: [
    field("entries", list(text), 0),
  ],
}));

export interface FilesReadParams {
  readonly path: string;
}

export const FilesReadParams: StructLayout<FilesReadParams> = struct("FilesReadParams", 0xcfdc9b6265b6da3en, [0, 1], () => ({
  fields: [
    field("path", text, 0),
  ],
}));

export interface FilesReadResults {
  readonly content: string;
}

export const FilesReadResults: StructLayout<FilesReadResults> = struct("FilesReadResults", 0xe693f9ff2ad6f82cn, [0, 1], () => ({
  fields: [
    field("content", text, 0),
  ],
}));

export interface FilesWriteParams {
  readonly path: string;
  readonly content: string;
}

export const FilesWriteParams: StructLayout<FilesWriteParams> = struct("FilesWriteParams", 0x881b43145be27022n, [0, 2], () => ({
  fields: [
    field("path", text, 0),
    field("content", text, 1),
  ],
}));

export interface FilesWriteResults {
  readonly bytes: bigint;
}

export const FilesWriteResults: StructLayout<FilesWriteResults> = struct("FilesWriteResults", 0xdcdb696874f01188n, [1, 0], () => ({
  fields: [
    field("bytes", uint64, 0),
  ],
}));

export interface LogsFollowParams {
  readonly pattern: string;
}

export const LogsFollowParams: StructLayout<LogsFollowParams> = struct("LogsFollowParams", 0xcfd60b333d953f86n, [0, 1], () => ({
  fields: [
    field("pattern", text, 0),
  ],
}));

export interface LogsFollowResults {
  readonly entry: string;
}

export const LogsFollowResults: StructLayout<LogsFollowResults> = struct("LogsFollowResults", 0xf764f1a045713a02n, [0, 1], () => ({
  fields: [
    field("entry", text, 0),
  ],
}));

export interface LogsTailParams {
  readonly lines: number;
}

export const LogsTailParams: StructLayout<LogsTailParams> = struct("LogsTailParams", 0xb154949c4f8c77f7n, [1, 0], () => ({
  fields: [
    field("lines", uint32, 0),
  ],
}));

export interface LogsTailResults {
  readonly entries: readonly string[];
}

export const LogsTailResults: StructLayout<LogsTailResults> = struct("LogsTailResults", 0xd17c3f490776a2bbn, [0, 1], () => ({
  fields: [
    field("entries", list(text), 0),
  ],
}));

export interface StatusShowParams {}

export const StatusShowParams: StructLayout<StatusShowParams> = struct("StatusShowParams", 0xf6f61f133d6f54bcn, [0, 0], () => ({
  fields: [],
}));

export interface StatusShowResults {
  readonly uptimeSeconds: bigint;
  readonly memoryFreeBytes: bigint;
  readonly processes: number;
}

export const StatusShowResults: StructLayout<StatusShowResults> = struct("StatusShowResults", 0xb3f7219bc7f37327n, [3, 0], () => ({
  fields: [
    field("uptimeSeconds", uint64, 0),
    field("memoryFreeBytes", uint64, 1),
    field("processes", uint32, 4),
  ],
}));

/** A directory of files. Paths are relative to the directory that was granted. */
export const Files = capabilityOf("Files", 0x8c2950b4690cf4b0n, {
  /** Read a text file. */
  read: method(0x8c2950b4690cf4b0n, 0, "read", FilesReadParams, FilesReadResults),
  /** List the names in a directory. Directories end with a slash. */
  list: method(0x8c2950b4690cf4b0n, 1, "list", FilesListParams, FilesListResults),
  /** Write a text file, replacing what it held. */
  write: method(0x8c2950b4690cf4b0n, 2, "write", FilesWriteParams, FilesWriteResults),
  /** Delete a file. It cannot be brought back. */
  delete: method(0x8c2950b4690cf4b0n, 3, "delete", FilesDeleteParams, FilesDeleteResults),
});

/** The system's own log. */
export const Logs = capabilityOf("Logs", 0xfbdc4ce81e492471n, {
  /** Read the newest lines of the log. */
  tail: method(0xfbdc4ce81e492471n, 0, "tail", LogsTailParams, LogsTailResults),
  /** Wait for the next line of the log that holds the pattern. */
  follow: method(0xfbdc4ce81e492471n, 1, "follow", LogsFollowParams, LogsFollowResults),
});

/** Facts about the running system. */
export const Status = capabilityOf("Status", 0xf6d6a8f4188a7919n, {
  /** Show uptime, free memory and the number of processes. */
  show: method(0xf6d6a8f4188a7919n, 0, "show", StatusShowParams, StatusShowResults),
});
