import type { Implementation } from "../../engine/lib/roles/index.ts";
import type { GgufHeader } from "../../engine/lib/weights/gguf.ts";
import type { Secret } from "../../engine/lib/wire/generated/egress.ts";
import type { PolicyTables } from "../../engine/lib/wire/generated/policy.ts";
import type { ServiceMethods } from "../../engine/lib/wire/generated/service.ts";
import type { Span } from "../../lang/text/index.ts";
import type { RemoteDialect } from "./dialects.ts";
import type { Scope } from "./scope.ts";
import type { UpstreamPlan } from "./upstream-plan.ts";

// The one value that targets read: plain data, no source text, no order borrowed from the page.

export interface Policy {
  readonly tables: PolicyTables;
  /** In code-unit order of names. */
  readonly services: readonly ServicePlan[];
  /** In code-unit order of names. */
  readonly backends: readonly BackendPlan[];
  /** Models that make vectors of what is said in some session, in code-unit order of names. */
  readonly embedders: readonly EmbedderPlan[];
  readonly storage?: StoragePlan;
  /** Credentials that go with requests, sealed, in code-unit order of names; one that is not sealed yet is not among them. */
  readonly secrets: readonly Secret[];
  /** How the machine reaches others; absent where nothing of the page does. */
  readonly network?: NetworkPlan;
  /** Destination of the audit's records; absent if the page names none. */
  readonly collector?: Scope;
  readonly image: ImagePlan;
}

export interface ServicePlan {
  readonly name: string;
  readonly interfaceName: string;
  readonly interfaceId: bigint;
  /** The provider of the runtime that answers for it, or a program of the package: a module, or a static program. */
  readonly implementation: Implementation;
  /** Its program is the standard library's. */
  readonly standard?: true;
  /** With a program of the package or the library alone, and always in what is built. */
  readonly own?: OwnProgram;
  /** With `egress` alone: what it may ask of whom. */
  readonly scope?: Scope;
  /** Services that it may use itself, in code-unit order of names; none where this is absent. */
  readonly holds?: readonly Holding[];
  /** With action plans alone: the session in whose name they are executed, whose gate the service holds. */
  readonly session?: string;
  /** With `files` alone: holders that may reach some folders of it and no more. */
  readonly within?: readonly HolderFolders[];
  /** Maximum bytes that it may keep on the data disk; 0: nothing. */
  readonly stateBytes: number;
  readonly label: PolicyTables["tools"][number]["sink"];
}

/** A service of the page that was granted to another one. */
interface Holding {
  /** Name of the service that is held. */
  readonly name: string;
  readonly interfaceId: bigint;
}

export interface HolderFolders {
  /** Name of the service that holds. */
  readonly holder: string;
  /** As the page's scope names them: `/reports`. */
  readonly folders: readonly string[];
}

/** The program of an operator's own service, and what the runtime holds it to. */
export interface OwnProgram {
  readonly path: string;
  /** One JavaScript module, or one static program for x86-64. */
  readonly bytes: Uint8Array;
  readonly methods: ServiceMethods;
}

export type BackendPlan = StubPlan | LocalPlan | RemotePlan;

export interface StubPlan {
  readonly name: string;
  readonly kind: "stub";
  /** Canned replies; without them the stub says of every line that it knows none. */
  readonly replies?: { readonly path: string; readonly bytes: Uint8Array };
}

/** A model in the machine, on its processors. */
export interface LocalPlan {
  readonly name: string;
  readonly kind: "cpu";
  readonly model: ModelPlan;
  readonly threads: number;
  /** Maximum memory of its process, in bytes; weights that are read again from the medium do not count as a hard part of it. */
  readonly memoryBytes: number;
}

/** A model in the machine that answers nobody. */
export interface EmbedderPlan {
  readonly model: ModelPlan;
  readonly threads: number;
  readonly memoryBytes: number;
}

/** A model that somebody else runs, behind one address. */
export interface RemotePlan {
  readonly name: string;
  readonly kind: "remote";
  readonly dialect: RemoteDialect;
  /** As its provider calls it. */
  readonly model: string;
  readonly contextTokens: number;
  readonly callsTools: boolean;
  readonly scope: Scope;
}

export interface ModelPlan {
  readonly name: string;
  /** Path of the weights in the package. */
  readonly path: string;
  /** Path of the weights on this machine. */
  readonly file: string;
  readonly bytes: number;
  /** Header of the file, checked against the page. */
  readonly header: GgufHeader;
  /** Maximum tokens of a conversation; as many as the model was trained for, or fewer. */
  readonly contextTokens: number;
  readonly callsTools: boolean;
}

export interface StoragePlan {
  /** File system label of the data disk. */
  readonly disk: string;
  readonly encrypted: boolean;
  /** A blank disk may be made into it at the first start. */
  readonly create: boolean;
}

export type NetworkPlan =
  | { readonly which: "dhcp" }
  | {
      readonly which: "fixed";
      readonly fixed: {
        /** IPv4, four decimal numbers, as all addresses here. */
        readonly address: string;
        readonly prefix: number;
        /** Empty: only what is on the same link is reached. */
        readonly router: string;
        readonly resolvers: readonly string[];
      };
    };

/** Kernels that an image can be made for. Each has its maker in `compiler/artefacts/products/make.ts`. */
export const TARGETS = ["linux", "capos"] as const;
export type Target = (typeof TARGETS)[number];

export interface ImagePlan {
  readonly target: Target;
  /** With `capos` alone. */
  readonly upstream?: UpstreamPlan;
  readonly machine: "vm" | "pc";
  /** Console over which people talk: the first serial port, or the machine's screen and keyboard. */
  readonly console: "serial" | "screen";
  /** Firmware that may start it, in this order; at least one. */
  readonly firmware: readonly ("bios" | "uefi")[];
  /** Requirement on the machine that starts it: `sealed` requires Secure Boot. */
  readonly trust: "media" | "sealed";
  /** Bytes of memory of the machine that it is for. */
  readonly memoryBytes: number;
  /** The session that boots. */
  readonly boot: string;
}

/** Places on the page from which each part of a policy comes. They are kept beside the policy, because places move as text moves. */
export interface Origins {
  /** One for each rule of the tables, in their order. */
  readonly rules: readonly Span[];
  readonly sessions: ReadonlyMap<string, Span>;
  readonly services: ReadonlyMap<string, Span>;
  readonly backends: ReadonlyMap<string, Span>;
  readonly principals: ReadonlyMap<string, Span>;
}
