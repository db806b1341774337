import type { Implementation } from "../../engine/lib/roles/index.ts";
import type { GgufHeader } from "../../engine/lib/weights/gguf.ts";
import type { Secret } from "../../engine/lib/wire/generated/egress.ts";
import type { PolicyTables } from "../../engine/lib/wire/generated/policy.ts";
import type { ServiceMethods } from "../../engine/lib/wire/generated/service.ts";
import type { Span } from "../../lang/text/index.ts";
import type { RemoteDialect } from "./dialects.ts";
import type { Scope } from "./scope.ts";
import type { UpstreamPlan } from "./upstream-plan.ts";

// The only value that targets read: plain data without source text, in an order that does not depend on the page.

export interface Policy {
  readonly tables: PolicyTables;
  /** In code-unit order of names. */
  readonly services: readonly ServicePlan[];
  /** In code-unit order of names. */
  readonly backends: readonly BackendPlan[];
  /** Models that embed the sayings of some session, in code-unit order of names. */
  readonly embedders: readonly EmbedderPlan[];
  readonly storage?: StoragePlan;
  /** Sealed credentials that are sent with requests, in code-unit order of names; unsealed ones are left out. */
  readonly secrets: readonly Secret[];
  /** How the machine reaches other machines; absent if the page needs no network. */
  readonly network?: NetworkPlan;
  /** Destination of the audit's records; absent if the page names none. */
  readonly collector?: Scope;
  readonly image: ImagePlan;
}

export interface ServicePlan {
  readonly name: string;
  readonly interfaceName: string;
  readonly interfaceId: bigint;
  /** How it is implemented: a provider of the runtime, or a program of the package, which is a module or a static program. */
  readonly implementation: Implementation;
  /** Set if its program is the standard library's. */
  readonly standard?: true;
  /** Present only with a program of the package or the library; always present in a build. */
  readonly own?: OwnProgram;
  /** Present only with `egress`: the requests that the service may send. */
  readonly scope?: Scope;
  /** Services that it may use itself, in code-unit order of names; absent if there are none. */
  readonly holds?: readonly Holding[];
  /** Present only with action plans: the session for which they are executed; the service holds its gate. */
  readonly session?: string;
  /** Present only with `files`: holders that may access only some of its folders. */
  readonly within?: readonly HolderFolders[];
  /** Maximum bytes that it may keep on the data disk; 0 if it keeps none. */
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
  /** Folders in the form of the page's scope: `/reports`. */
  readonly folders: readonly string[];
}

/** The program of an operator's own service, and the rules that the runtime enforces on it. */
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
  /** Canned replies; without them the stub answers that it knows no line. */
  readonly replies?: { readonly path: string; readonly bytes: Uint8Array };
}

/** A model in the machine, on its processors. */
export interface LocalPlan {
  readonly name: string;
  readonly kind: "cpu";
  readonly model: ModelPlan;
  readonly threads: number;
  /**
   * Maximum memory of its process in bytes; weights do not always need memory, because they can be read again from the
   * medium.
   */
  readonly memoryBytes: number;
}

/** A model in the machine that does not answer, but computes vectors of texts. */
export interface EmbedderPlan {
  readonly model: ModelPlan;
  readonly threads: number;
  readonly memoryBytes: number;
}

/** A model of a remote provider, at one address. */
export interface RemotePlan {
  readonly name: string;
  readonly kind: "remote";
  readonly dialect: RemoteDialect;
  /** The provider's name for it. */
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
  /** Maximum tokens of a conversation: at most as many as the model was trained for. */
  readonly contextTokens: number;
  readonly callsTools: boolean;
}

export interface StoragePlan {
  /** File system label of the data disk. */
  readonly disk: string;
  readonly encrypted: boolean;
  /** Whether a blank disk may be initialized as the data disk at the first start. */
  readonly create: boolean;
}

export type NetworkPlan =
  | { readonly which: "dhcp" }
  | {
      readonly which: "fixed";
      readonly fixed: {
        /** IPv4 as four decimal numbers, like all addresses here. */
        readonly address: string;
        readonly prefix: number;
        /** Empty if only hosts on the same link can be reached. */
        readonly router: string;
        readonly resolvers: readonly string[];
      };
    };

/** Kernels for which an image can be made. Each has its maker in `compiler/artefacts/products/make.ts`. */
export const TARGETS = ["linux", "capos"] as const;
export type Target = (typeof TARGETS)[number];

export interface ImagePlan {
  readonly target: Target;
  /** Only with `capos`. */
  readonly upstream?: UpstreamPlan;
  readonly machine: "vm" | "pc";
  /** Console for people: the first serial port, or the machine's screen and keyboard. */
  readonly console: "serial" | "screen";
  /** Firmware that may start it, in this order; at least one. */
  readonly firmware: readonly ("bios" | "uefi")[];
  /** Requirement on the machine that starts it: `sealed` requires Secure Boot. */
  readonly trust: "media" | "sealed";
  /** Bytes of memory of the machine for which the image is made. */
  readonly memoryBytes: number;
  /** The session that starts at boot. */
  readonly boot: string;
}

/**
 * Positions on the page from which each part of a policy comes. They are separate from the policy, because positions change when text
 * moves.
 */
export interface Origins {
  /** One for each rule of the tables, in their order. */
  readonly rules: readonly Span[];
  readonly sessions: ReadonlyMap<string, Span>;
  readonly services: ReadonlyMap<string, Span>;
  readonly backends: ReadonlyMap<string, Span>;
  readonly principals: ReadonlyMap<string, Span>;
}
