import type { Implementation } from "../../engine/lib/roles/index.ts";
import type { GgufHeader } from "../../engine/lib/weights/gguf.ts";
import type { Secret } from "../../engine/lib/wire/generated/egress.ts";
import type { PolicyTables } from "../../engine/lib/wire/generated/policy.ts";
import type { ServiceMethods } from "../../engine/lib/wire/generated/service.ts";
import type { Span } from "../../lang/text/index.ts";
import type { RemoteDialect } from "./dialects.ts";
import type { Scope } from "./scope.ts";
import type { UpstreamPlan } from "./upstream-plan.ts";

// `Policy` is the only input of targets. It is plain data without source text, in an order that does not depend on the page.

export interface Policy {
  readonly tables: PolicyTables;
  /** Services of the page, in code-unit order of names. */
  readonly services: readonly ServicePlan[];
  /** Backends of the page, in code-unit order of names. */
  readonly backends: readonly BackendPlan[];
  /** Models that embed messages of at least one session, in code-unit order of names. */
  readonly embedders: readonly EmbedderPlan[];
  readonly storage?: StoragePlan;
  /** Sealed credentials that are sent with requests, in code-unit order of names. Credentials without a sealed file are left out. */
  readonly secrets: readonly Secret[];
  /** Network settings of the machine; absent if the page needs no network. */
  readonly network?: NetworkPlan;
  /** Collector to which audit records are sent; absent if the page names none. */
  readonly collector?: Scope;
  readonly image: ImagePlan;
}

export interface ServicePlan {
  readonly name: string;
  readonly interfaceName: string;
  readonly interfaceId: bigint;
  /** Implementation of the service: a program of the runtime, or a module or a static program of the package. */
  readonly implementation: Implementation;
  /** Set if the program is part of the standard library. */
  readonly standard?: true;
  /** Program of the package or the library; always set for such a service in a build. */
  readonly own?: OwnProgram;
  /** Only for `egress`: the requests that the service may send. */
  readonly scope?: Scope;
  /** Services that this service may use, in code-unit order of names; absent if there are none. */
  readonly holds?: readonly Holding[];
  /** Only for action plans: the session for which plans are executed. The service holds the gate of this session. */
  readonly session?: string;
  /** Only for `files`: holders that may access only some folders. */
  readonly within?: readonly HolderFolders[];
  /** Maximum bytes that the service may store on the data disk; 0 if it stores nothing. */
  readonly stateBytes: number;
  readonly label: PolicyTables["tools"][number]["sink"];
}

/** A service of the page that is granted to another service. */
interface Holding {
  /** Name of the granted service. */
  readonly name: string;
  readonly interfaceId: bigint;
}

export interface HolderFolders {
  /** Name of the service that may access the folders. */
  readonly holder: string;
  /** Folders, written as in a scope of the page: `/reports`. */
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
  /** Canned replies; if absent, the stub answers every message that it knows no reply. */
  readonly replies?: { readonly path: string; readonly bytes: Uint8Array };
}

/** A local model that runs on the machine's processors. */
export interface LocalPlan {
  readonly name: string;
  readonly kind: "cpu";
  readonly model: ModelPlan;
  readonly threads: number;
  /**
   * Maximum memory of its process in bytes. It may be less than the size of the weights, because these can be read
   * again from the medium.
   */
  readonly memoryBytes: number;
}

/** A local model that does not answer, but embeds texts. */
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
  /** Name of the model at the provider. */
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
  /** Maximum tokens of a conversation; at most the context for which the model was trained. */
  readonly contextTokens: number;
  readonly callsTools: boolean;
}

export interface StoragePlan {
  /** File system label of the data disk. */
  readonly disk: string;
  readonly encrypted: boolean;
  /** Whether init may initialize a blank disk as the data disk at the first start. */
  readonly create: boolean;
}

export type NetworkPlan =
  | { readonly which: "dhcp" }
  | {
      readonly which: "fixed";
      readonly fixed: {
        /** IPv4 address as four decimal numbers, like all addresses in this interface. */
        readonly address: string;
        readonly prefix: number;
        /** Empty if the machine reaches only hosts on the same link. */
        readonly router: string;
        readonly resolvers: readonly string[];
      };
    };

/** Kernels for which an image can be made. Each target is built by a function in `compiler/artefacts/products/make.ts`. */
export const TARGETS = ["linux", "capos"] as const;
export type Target = (typeof TARGETS)[number];

export interface ImagePlan {
  readonly target: Target;
  /** Only for the target `capos`. */
  readonly upstream?: UpstreamPlan;
  readonly machine: "vm" | "pc";
  /** Console for people: the first serial port, or the machine's screen and keyboard. */
  readonly console: "serial" | "screen";
  /** Firmware that may start the image, in this order; at least one. */
  readonly firmware: readonly ("bios" | "uefi")[];
  /** Trust level: an image with `sealed` starts only with Secure Boot. */
  readonly trust: "media" | "sealed";
  /** Memory in bytes of the machine for which the image is built. */
  readonly memoryBytes: number;
  /** The session that starts at boot. */
  readonly boot: string;
}

/**
 * The position on the page of each part of a policy. They are separate from the policy, because positions change when text
 * moves.
 */
export interface Origins {
  /** One position for each rule of the tables, in the order of the rules. */
  readonly rules: readonly Span[];
  readonly sessions: ReadonlyMap<string, Span>;
  readonly services: ReadonlyMap<string, Span>;
  readonly backends: ReadonlyMap<string, Span>;
  readonly principals: ReadonlyMap<string, Span>;
}
