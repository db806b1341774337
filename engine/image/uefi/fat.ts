// Finds a file in a FAT16 file system as firmware does: by its path and its chain of clusters.
// The bytes are untrusted: every number is compared with the file system's length before its use, and no chain is
// longer than the file system.

/** A range of the file system's bytes, which contains a part of a file. */
export interface Run {
  readonly offset: number;
  readonly size: number;
}

const LEAST_SECTOR = 512;
const MOST_SECTOR = 4096;
const ENTRY = 32;
const FOLDER = 0x10;
const LABEL = 0x08;
const DELETED = 0xe5;
/**
 * Numbers of clusters in FAT16. A file system with fewer clusters is FAT12, and one with more is FAT32; their tables
 * have another form.
 */
const LEAST_CLUSTERS = 4085;
const MOST_CLUSTERS = 65_524;
/** Maximum bytes of a folder; folders on the path of the program have three entries. */
const MOST_FOLDER_BYTES = 64 * 1024;

interface Volume {
  readonly image: Buffer;
  readonly table: number;
  readonly root: Run;
  /** Offset of the first cluster, which has the number 2. */
  readonly clustersAt: number;
  readonly clusterBytes: number;
  readonly clusters: number;
}

/**
 * Returns the runs of the file, or `undefined` if there is no such file. `path` is in upper case, with names of at most
 * eight letters, a dot and three more letters.
 */
export function findInFat(image: Buffer, path: readonly string[]): readonly Run[] | undefined {
  const volume = parseVolume(image);
  if (volume === undefined) return undefined;
  let runs: readonly Run[] = [volume.root];
  for (const [depth, name] of path.entries()) {
    const isLast = depth === path.length - 1;
    const found = findFolderEntry(readRuns(image, runs), formatShortName(name), isLast ? "file" : "folder");
    const next = found && followClusterChain(volume, found.first, isLast ? found.size : undefined);
    if (next === undefined) return undefined;
    runs = next;
  }
  return runs;
}

/** Returns the bytes of the runs. A single run is not copied. */
export function readRuns(image: Buffer, runs: readonly Run[]): Buffer {
  const parts = runs.map(({ offset, size }) => image.subarray(offset, offset + size));
  const [first = Buffer.alloc(0)] = parts;
  return parts.length > 1 ? Buffer.concat(parts) : first;
}

function parseVolume(image: Buffer): Volume | undefined {
  if (image.length < LEAST_SECTOR || image.readUInt16LE(510) !== 0xaa55) return undefined;
  const [sector, perCluster] = [image.readUInt16LE(11), image.readUInt8(13)];
  if (!isPowerOfTwo(sector) || sector < LEAST_SECTOR || sector > MOST_SECTOR || !isPowerOfTwo(perCluster))
    return undefined;
  const tableSectors = image.readUInt16LE(22);
  const table = image.readUInt16LE(14) * sector;
  const rootAt = table + image.readUInt8(16) * tableSectors * sector;
  const root = { offset: rootAt, size: image.readUInt16LE(17) * ENTRY };
  const clustersAt = rootAt + Math.ceil(root.size / sector) * sector;
  const end = (image.readUInt16LE(19) || image.readUInt32LE(32)) * sector;
  const clusterBytes = sector * perCluster;
  const clusters = Math.floor((end - clustersAt) / clusterBytes);
  if (end > image.length || clusters < LEAST_CLUSTERS || clusters > MOST_CLUSTERS) return undefined;
  return (clusters + 2) * 2 <= tableSectors * sector
    ? { image, table, root, clustersAt, clusterBytes, clusters }
    : undefined;
}

const isPowerOfTwo = (value: number): boolean => value > 0 && (value & (value - 1)) === 0;

function formatShortName(name: string): string {
  const [stem = "", ending = ""] = name.split(".");
  return stem.padEnd(8) + ending.padEnd(3);
}

/** Returns the first entry of that name, which firmware uses. */
function findFolderEntry(
  folder: Buffer,
  name: string,
  kind: "file" | "folder",
): { first: number; size: number } | undefined {
  for (let at = 0; at + ENTRY <= folder.length && folder[at] !== 0; at += ENTRY) {
    const attribute = folder[at + 11] ?? 0;
    // Skip the label of the volume, and long names: the attributes of both kinds of entries have the bit `LABEL`.
    if (folder[at] === DELETED || (attribute & LABEL) !== 0 || folder.toString("latin1", at, at + 11) !== name)
      continue;
    const isFolder = (attribute & FOLDER) !== 0;
    return isFolder === (kind === "file")
      ? undefined
      : { first: folder.readUInt16LE(at + 26), size: folder.readUInt32LE(at + 28) };
  }
  return undefined;
}

/**
 * Returns the runs of a file along its chain of clusters, or `undefined` if the chain is too short. A folder states no
 * size, so its whole chain counts, up to `MOST_FOLDER_BYTES`.
 */
function followClusterChain(volume: Volume, first: number, size: number | undefined): readonly Run[] | undefined {
  const { image, table, clustersAt, clusterBytes, clusters } = volume;
  const runs: Run[] = [];
  let left = size ?? MOST_FOLDER_BYTES;
  let cluster = first;
  for (let count = 0; left > 0 && count < clusters; count += 1) {
    if (cluster < 2 || cluster >= clusters + 2) break;
    const [offset, taken] = [clustersAt + (cluster - 2) * clusterBytes, Math.min(left, clusterBytes)];
    const last = runs.at(-1);
    if (last !== undefined && last.offset + last.size === offset)
      runs[runs.length - 1] = { offset: last.offset, size: last.size + taken };
    else runs.push({ offset, size: taken });
    left -= taken;
    cluster = image.readUInt16LE(table + cluster * 2);
  }
  return size === undefined || left === 0 ? runs : undefined;
}
