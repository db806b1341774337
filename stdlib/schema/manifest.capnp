@0xd3807a61ee95bc04;
# The signed graph of processes, exact grants and digests of everything else. Read by capos-init before anything runs.

struct Manifest {
  # At most 2.75 MiB. Refused unless schemaVersion is known and the signature over these raw bytes holds.
  schemaVersion @0 :UInt32;
  systemId @1 :Text;
  version @2 :Text;
  kernelParameters @3 :List(Text);
  root @4 :Blob;
  # The root file system.
  artefacts @5 :List(Blob);
  # Tables, canned replies, weights: everything that a process may be handed at start.
  processes @6 :List(Process);
  # In start order: a provider stands before its holders.
  storage @7 :Storage;
  session @8 :Text;
  # The session that boots.
  trust @9 :TrustLevel;
  # What the page asks for. A system that asks to be sealed does not start where it is not.
  network @10 :Network;
  # How the process of role egress reaches other machines; no other process has a network interface.
  memoryBytes @11 :UInt64;
  # What a machine must have for the processes together. 0: an image of an older compiler, which added nothing up.
}

struct Network {
  union {
    none @0 :Void;
    # No driver is loaded, and an interface that is there is left alone.
    dhcp @1 :Void;
    # Address, router and resolvers are what the first server says that answers.
    fixed :group {
      address @2 :Text;
      # IPv4, four decimal numbers.
      prefix @3 :UInt8;
      router @4 :Text;
      # Empty: only what is on the same link is reached.
      resolvers @5 :List(Text);
    }
  }
}

enum TrustLevel {
  media @0;
  # Corruption of the medium is found, someone who can write to it is not.
  sealed @1;
  # Secure Boot checks everything that runs, against the owner's key: who can write to the medium can run nothing.
}

struct Blob {
  name @0 :Text;
  path @1 :Text;
  # In the ISO.
  size @2 :UInt64;
  sha256 @3 :Data;
  # Of the whole file as it lies there. Checked at start, unless the blocks are checked as they are read.
  verity @4 :Verity;
  card @5 :Text;
  # Name of the artefact that is the card of these weights; its signature lies beside it. Empty: these are no weights.
}

struct Card {
  # What weights are. Signed apart from any image, by a key with the purpose weights: who makes images does not vouch for
  # weights by that, and the same signed weights serve many systems.
  schemaVersion @0 :UInt32;
  id @1 :Text;
  # Architecture and digest of the content: "llama:sha256-" and 64 hexadecimal digits.
  displayName @2 :Text;
  arch @3 :Text;
  quantisation @4 :Text;
  contextTokens @5 :UInt32;
  # What they were trained for.
  sha256 @6 :Data;
  # Of the content, without fill and tree.
  verity @7 :Verity;
  # The tree that this content has wherever it lies: its salt is that of all weights. What a machine reads is what was
  # signed, without anybody reading all of it first.
}

struct Verity {
  # How a large file is checked block by block, at each read. The file is its content, filled up with zeros to whole
  # blocks of 4096 bytes, and behind it the tree of digests of dm-verity: SHA-256, form 1, no superblock. Empty root
  # hash: the file is none of these, and is checked whole.
  contentBytes @0 :UInt64;
  salt @1 :Data;
  rootHash @2 :Data;
}

struct Process {
  name @0 :Text;
  # Unique, e.g. "gate.operator".
  role @1 :Text;
  # Names the jail, e.g. "gate".
  uid @2 :UInt32;
  # Own user, above 1000, unique.
  exec @3 :Text;
  # A program of the root file system.
  arguments @4 :List(Text);
  grants @5 :List(Grant);
  # Capabilities that this process holds.
  files @6 :List(FileGrant);
  memoryMaxBytes @7 :UInt64;
  restart @8 :Restart;
  # What init does when it has died and nobody asked for that.
  answerWithinSeconds @9 :UInt32;
  # init asks a process that serves whether it is still there; who leaves two questions in a row unanswered for so long is
  # killed. 0: it is not asked.
  stateMaxBytes @10 :UInt64;
  # What all that lies in its directory may take on the data disk, in whole blocks of 4 KiB, an empty file as one: what goes
  # beyond fails in the kernel. 0: it has no directory, or is a program of the runtime that bounds itself.
}

struct Restart {
  # A new start is one in a fresh jail, with new connections; what was revoked or has expired stays so.
  most @0 :UInt16;
  # New starts within withinSeconds; who dies once more is given up. 0: it stays dead the first time.
  withinSeconds @1 :UInt32;
  pauseMs @2 :UInt32;
  # Before a new start; twice as long before each further one within withinSeconds.
}

struct Grant {
  name @0 :Text;
  # By which the holder finds it.
  interfaceId @1 :UInt64;
  provider @2 :Text;
  # Name of the process that serves it.
  badge @3 :UInt64;
  # Tells the provider which grant a connection is; unique in the manifest.
  expiresAfterSeconds @4 :UInt32;
  # Seconds after start; 0: never.
  origin @5 :Text;
  # The line of the source that gave it, file:line.
}

struct FileGrant {
  name @0 :Text;
  union {
    blob @1 :Text;
    # Name of an artefact, handed over as a sealed read-only descriptor.
    directory @2 :Text;
    # Directory on the data disk, bound at /data.
    terminal @3 :Void;
    # The machine's console.
    partition @4 :Void;
    # The audit partition of the data disk, as a descriptor that is read and written; none where there is no disk.
    weights @5 :Text;
    # Name of an artefact with a card, seen read-only at /weights: every block is checked when it is read, and all who
    # map it share one copy.
    key @6 :Text;
    # 32 random bytes, born at the first start and kept on the data disk where only init reads them; handed over as a
    # sealed read-only descriptor. Where there is no data disk: bytes that this run alone has.
    states @7 :Text;
    # Name of an artefact with a hash tree and without a card: an erofs file system of prefilled states, seen read-only at
    # /states. Every block is checked when it is read.
  }
}

struct States {
  # What was computed with weights before the image was made: an artefact that is checked whole, and says of the files in
  # the file system of states what they are.
  schemaVersion @0 :UInt32;
  model @1 :Text;
  # Id of the weights that they are of, as on their card.
  states @2 :List(State);
}

struct State {
  key @0 :Data;
  # SHA-256 of the model's id, a zero byte, and the tokens that were computed, 32 bits little-endian each. The file is named
  # by it, in hexadecimal.
  tokens @1 :UInt32;
  bytes @2 :UInt64;
  # Of the file.
  rows @3 :List(Text);
  # Who begins with these tokens: "session", "session task", or "session task phase".
}

struct Storage {
  disk @0 :Text;
  # Name of the partition of the data disk that holds its files; empty: none.
  encrypted @1 :Bool;
  create @2 :Bool;
  # Where there is no data disk and exactly one blank disk, that one is made into it.
}

struct Trust {
  # In the initrd: who may sign what.
  schemaVersion @0 :UInt32;
  systemId @1 :Text;
  development @2 :Bool;
  # Keys made at random for one checkout: the banner says so.
  leastVersion @3 :Text;
  keys @4 :List(Key);
  struct Key {
    publicKey @0 :Data;
    # Ed25519, 32 bytes.
    purposes @1 :List(Purpose);
  }
  enum Purpose {
    image @0;
    policy @1;
    weights @2;
    update @3;
  }
}

struct Signature {
  # Beside what it signs, as NAME.sig. Signed bytes: "capos-v1", purpose, systemId, version, each followed by one zero
  # byte, then the SHA-256 of the raw artefact. Of a card of weights the systemId is the id that stands in it: weights are
  # no system's.
  schemaVersion @0 :UInt32;
  purpose @1 :Trust.Purpose;
  systemId @2 :Text;
  version @3 :Text;
  publicKey @4 :Data;
  signature @5 :Data;
  # Ed25519, 64 bytes.
}
