// Generated from manifest.capnp by `npm run generate`. Do not edit.

import { bool, bytes, enumeration, field, group, list, nothing, of, struct, text, type EnumLayout, type StructLayout, uint16, uint32, uint64, uint8 } from "../layout.ts";

export type TrustLevel = "media" | "sealed";

export const TrustLevel: EnumLayout<TrustLevel> = /* @__PURE__ */ enumeration("TrustLevel", ["media", "sealed"]);

export type TrustPurpose = "image" | "policy" | "weights" | "update";

export const TrustPurpose: EnumLayout<TrustPurpose> = /* @__PURE__ */ enumeration("TrustPurpose", ["image", "policy", "weights", "update"]);

export interface Blob {
  readonly name: string;
  /** In the ISO. */
  readonly path: string;
  readonly size: bigint;
  /** Of the whole file as it lies there. Checked at start, unless the blocks are checked as they are read. */
  readonly sha256: Uint8Array;
  readonly verity: Verity;
  /** Name of the artefact that is the card of these weights; its signature lies beside it. Empty: these are no weights. */
  readonly card: string;
}

export const Blob: StructLayout<Blob> = /* @__PURE__ */ struct({ name: "Blob", id: 0xf0ba9ed36d4dcea8n, sizes: [1, 5], shape: () => ({
  fields: [
    field("name", text, 0),
    field("path", text, 1),
    field("size", uint64, 0),
    field("sha256", bytes, 2),
    field("verity", of(() => Verity), 3),
    field("card", text, 4),
  ],
}) });

/**
 * What weights are. Signed apart from any image, by a key with the purpose weights: who makes images does not vouch for
 * weights by that, and the same signed weights serve many systems.
 */
export interface Card {
  readonly schemaVersion: number;
  /** Architecture and digest of the content: "llama:sha256-" and 64 hexadecimal digits. */
  readonly id: string;
  readonly displayName: string;
  readonly arch: string;
  readonly quantisation: string;
  /** What they were trained for. */
  readonly contextTokens: number;
  /** Of the content, without fill and tree. */
  readonly sha256: Uint8Array;
  /**
   * The tree that this content has wherever it lies: its salt is that of all weights. What a machine reads is what was
   * signed, without anybody reading all of it first.
   */
  readonly verity: Verity;
}

export const Card: StructLayout<Card> = /* @__PURE__ */ struct({ name: "Card", id: 0xb59a3ba1c59f8050n, sizes: [1, 6], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("id", text, 0),
    field("displayName", text, 1),
    field("arch", text, 2),
    field("quantisation", text, 3),
    field("contextTokens", uint32, 1),
    field("sha256", bytes, 4),
    field("verity", of(() => Verity), 5),
  ],
}) });

export type FileGrant = {
  readonly name: string;
} & (
  | {
      readonly which: "blob";
      /** Name of an artefact, handed over as a sealed read-only descriptor. */
      readonly blob: string;
    }
  | {
      readonly which: "directory";
      /** Directory on the data disk, bound at /data. */
      readonly directory: string;
    }
  /** The machine's console. */
  | { readonly which: "terminal" }
  /** The audit partition of the data disk, as a descriptor that is read and written; none where there is no disk. */
  | { readonly which: "partition" }
  | {
      readonly which: "weights";
      /**
       * Name of an artefact with a card, seen read-only at /weights: every block is checked when it is read, and all who
       * map it share one copy.
       */
      readonly weights: string;
    }
  | {
      readonly which: "key";
      /**
       * 32 random bytes, born at the first start and kept on the data disk where only init reads them; handed over as a
       * sealed read-only descriptor. Where there is no data disk: bytes that this run alone has.
       */
      readonly key: string;
    }
  | {
      readonly which: "states";
      /**
       * Name of an artefact with a hash tree and without a card: an erofs file system of prefilled states, seen read-only at
       * /states. Every block is checked when it is read.
       */
      readonly states: string;
    }
);

export const FileGrant: StructLayout<FileGrant> = /* @__PURE__ */ struct({ name: "FileGrant", id: 0x9bce7498f6afa615n, sizes: [1, 2], shape: () => ({
  fields: [
    field("name", text, 0),
  ],
  union: { tagOffset: 0, members: [
    field("blob", text, 1),
    field("directory", text, 1),
    field("terminal", nothing, 0),
    field("partition", nothing, 0),
    field("weights", text, 1),
    field("key", text, 1),
    field("states", text, 1),
  ] },
}) });

export interface Grant {
  /** By which the holder finds it. */
  readonly name: string;
  readonly interfaceId: bigint;
  /** Name of the process that serves it. */
  readonly provider: string;
  /** Tells the provider which grant a connection is; unique in the manifest. */
  readonly badge: bigint;
  /** Seconds after start; 0: never. */
  readonly expiresAfterSeconds: number;
  /** The line of the source that gave it, file:line. */
  readonly origin: string;
}

export const Grant: StructLayout<Grant> = /* @__PURE__ */ struct({ name: "Grant", id: 0xfba4af15381fab1cn, sizes: [3, 3], shape: () => ({
  fields: [
    field("name", text, 0),
    field("interfaceId", uint64, 0),
    field("provider", text, 1),
    field("badge", uint64, 1),
    field("expiresAfterSeconds", uint32, 4),
    field("origin", text, 2),
  ],
}) });

/** At most 2.75 MiB. Refused unless schemaVersion is known and the signature over these raw bytes holds. */
export interface Manifest {
  readonly schemaVersion: number;
  readonly systemId: string;
  readonly version: string;
  readonly kernelParameters: readonly string[];
  /** The root file system. */
  readonly root: Blob;
  /** Tables, canned replies, weights: everything that a process may be handed at start. */
  readonly artefacts: readonly Blob[];
  /** In start order: a provider stands before its holders. */
  readonly processes: readonly Process[];
  readonly storage: Storage;
  /** The session that boots. */
  readonly session: string;
  /** What the page asks for. A system that asks to be sealed does not start where it is not. */
  readonly trust: TrustLevel;
  /** How the process of role egress reaches other machines; no other process has a network interface. */
  readonly network: Network;
  /** What a machine must have for the processes together. 0: an image of an older compiler, which added nothing up. */
  readonly memoryBytes: bigint;
}

export const Manifest: StructLayout<Manifest> = /* @__PURE__ */ struct({ name: "Manifest", id: 0xd22402057bb3193dn, sizes: [2, 9], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("systemId", text, 0),
    field("version", text, 1),
    field("kernelParameters", list(text), 2),
    field("root", of(() => Blob), 3),
    field("artefacts", list(of(() => Blob)), 4),
    field("processes", list(of(() => Process)), 5),
    field("storage", of(() => Storage), 6),
    field("session", text, 7),
    field("trust", TrustLevel, 2),
    field("network", of(() => Network), 8),
    field("memoryBytes", uint64, 1),
  ],
}) });

export type Network =
  /** No driver is loaded, and an interface that is there is left alone. */
  | { readonly which: "none" }
  /** Address, router and resolvers are what the first server says that answers. */
  | { readonly which: "dhcp" }
  | {
      readonly which: "fixed";
      readonly fixed: {
        /** IPv4, four decimal numbers. */
        readonly address: string;
        readonly prefix: number;
        /** Empty: only what is on the same link is reached. */
        readonly router: string;
        readonly resolvers: readonly string[];
      };
    };

export const Network: StructLayout<Network> = /* @__PURE__ */ struct({ name: "Network", id: 0x827636666d7b90can, sizes: [1, 3], shape: () => ({
  fields: [],
  union: { tagOffset: 0, members: [
    field("none", nothing, 0),
    field("dhcp", nothing, 0),
    field("fixed", group({
      fields: [
        field("address", text, 0),
        field("prefix", uint8, 2),
        field("router", text, 1),
        field("resolvers", list(text), 2),
      ],
    }), 0),
  ] },
}) });

export interface Process {
  /** Unique, e.g. "gate.operator". */
  readonly name: string;
  /** Names the jail, e.g. "gate". */
  readonly role: string;
  /** Own user, above 1000, unique. */
  readonly uid: number;
  /** A program of the root file system. */
  readonly exec: string;
  readonly arguments: readonly string[];
  /** Capabilities that this process holds. */
  readonly grants: readonly Grant[];
  readonly files: readonly FileGrant[];
  readonly memoryMaxBytes: bigint;
  /** What init does when it has died and nobody asked for that. */
  readonly restart: Restart;
  /**
   * init asks a process that serves whether it is still there; who leaves two questions in a row unanswered for so long is
   * killed. 0: it is not asked.
   */
  readonly answerWithinSeconds: number;
  /**
   * What all that lies in its directory may take on the data disk, in whole blocks of 4 KiB, an empty file as one: what goes
   * beyond fails in the kernel. 0: it has no directory, or is a program of the runtime that bounds itself.
   */
  readonly stateMaxBytes: bigint;
}

export const Process: StructLayout<Process> = /* @__PURE__ */ struct({ name: "Process", id: 0xb0b916f20f618465n, sizes: [3, 7], shape: () => ({
  fields: [
    field("name", text, 0),
    field("role", text, 1),
    field("uid", uint32, 0),
    field("exec", text, 2),
    field("arguments", list(text), 3),
    field("grants", list(of(() => Grant)), 4),
    field("files", list(of(() => FileGrant)), 5),
    field("memoryMaxBytes", uint64, 1),
    field("restart", of(() => Restart), 6),
    field("answerWithinSeconds", uint32, 1),
    field("stateMaxBytes", uint64, 2),
  ],
}) });

/** A new start is one in a fresh jail, with new connections; what was revoked or has expired stays so. */
export interface Restart {
  /** New starts within withinSeconds; who dies once more is given up. 0: it stays dead the first time. */
  readonly most: number;
  readonly withinSeconds: number;
  /** Before a new start; twice as long before each further one within withinSeconds. */
  readonly pauseMs: number;
}

export const Restart: StructLayout<Restart> = /* @__PURE__ */ struct({ name: "Restart", id: 0xaf1d4d279c6b9886n, sizes: [2, 0], shape: () => ({
  fields: [
    field("most", uint16, 0),
    field("withinSeconds", uint32, 1),
    field("pauseMs", uint32, 2),
  ],
}) });

/**
 * Beside what it signs, as NAME.sig. Signed bytes: "capos-v1", purpose, systemId, version, each followed by one zero
 * byte, then the SHA-256 of the raw artefact. Of a card of weights the systemId is the id that stands in it: weights are
 * no system's.
 */
export interface Signature {
  readonly schemaVersion: number;
  readonly purpose: TrustPurpose;
  readonly systemId: string;
  readonly version: string;
  readonly publicKey: Uint8Array;
  /** Ed25519, 64 bytes. */
  readonly signature: Uint8Array;
}

export const Signature: StructLayout<Signature> = /* @__PURE__ */ struct({ name: "Signature", id: 0xdcae9483b751b777n, sizes: [1, 4], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("purpose", TrustPurpose, 2),
    field("systemId", text, 0),
    field("version", text, 1),
    field("publicKey", bytes, 2),
    field("signature", bytes, 3),
  ],
}) });

export interface State {
  /**
   * SHA-256 of the model's id, a zero byte, and the tokens that were computed, 32 bits little-endian each. The file is named
   * by it, in hexadecimal.
   */
  readonly key: Uint8Array;
  readonly tokens: number;
  /** Of the file. */
  readonly bytes: bigint;
  /** Who begins with these tokens: "session", "session task", or "session task phase". */
  readonly rows: readonly string[];
}

export const State: StructLayout<State> = /* @__PURE__ */ struct({ name: "State", id: 0xb02fde9d2c6c9f7fn, sizes: [2, 2], shape: () => ({
  fields: [
    field("key", bytes, 0),
    field("tokens", uint32, 0),
    field("bytes", uint64, 1),
    field("rows", list(text), 1),
  ],
}) });

/**
 * What was computed with weights before the image was made: an artefact that is checked whole, and says of the files in
 * the file system of states what they are.
 */
export interface States {
  readonly schemaVersion: number;
  /** Id of the weights that they are of, as on their card. */
  readonly model: string;
  readonly states: readonly State[];
}

export const States: StructLayout<States> = /* @__PURE__ */ struct({ name: "States", id: 0xc572c6ce17c64511n, sizes: [1, 2], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("model", text, 0),
    field("states", list(of(() => State)), 1),
  ],
}) });

export interface Storage {
  /** Name of the partition of the data disk that holds its files; empty: none. */
  readonly disk: string;
  readonly encrypted: boolean;
  /** Where there is no data disk and exactly one blank disk, that one is made into it. */
  readonly create: boolean;
}

export const Storage: StructLayout<Storage> = /* @__PURE__ */ struct({ name: "Storage", id: 0xb55fb055abc02401n, sizes: [1, 1], shape: () => ({
  fields: [
    field("disk", text, 0),
    field("encrypted", bool, 0),
    field("create", bool, 1),
  ],
}) });

/** In the initrd: who may sign what. */
export interface Trust {
  readonly schemaVersion: number;
  readonly systemId: string;
  /** Keys made at random for one checkout: the banner says so. */
  readonly development: boolean;
  readonly leastVersion: string;
  readonly keys: readonly TrustKey[];
}

export const Trust: StructLayout<Trust> = /* @__PURE__ */ struct({ name: "Trust", id: 0xc1a14f48d1ad1a25n, sizes: [1, 3], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("systemId", text, 0),
    field("development", bool, 32),
    field("leastVersion", text, 1),
    field("keys", list(of(() => TrustKey)), 2),
  ],
}) });

export interface TrustKey {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly purposes: readonly TrustPurpose[];
}

export const TrustKey: StructLayout<TrustKey> = /* @__PURE__ */ struct({ name: "TrustKey", id: 0x85c5f3c9e328c5een, sizes: [0, 2], shape: () => ({
  fields: [
    field("publicKey", bytes, 0),
    field("purposes", list(TrustPurpose), 1),
  ],
}) });

/**
 * How a large file is checked block by block, at each read. The file is its content, filled up with zeros to whole
 * blocks of 4096 bytes, and behind it the tree of digests of dm-verity: SHA-256, form 1, no superblock. Empty root
 * hash: the file is none of these, and is checked whole.
 */
export interface Verity {
  readonly contentBytes: bigint;
  readonly salt: Uint8Array;
  readonly rootHash: Uint8Array;
}

export const Verity: StructLayout<Verity> = /* @__PURE__ */ struct({ name: "Verity", id: 0xafa6b1dc74bfb08fn, sizes: [1, 2], shape: () => ({
  fields: [
    field("contentBytes", uint64, 0),
    field("salt", bytes, 0),
    field("rootHash", bytes, 1),
  ],
}) });
