import type { Implementation } from "../../engine/lib/roles/index.ts";
import type { GgufHeader } from "../../engine/lib/weights/gguf.ts";
import type { Secret } from "../../engine/lib/wire/generated/egress.ts";
import type { PolicyTables } from "../../engine/lib/wire/generated/policy.ts";
import type { ServiceMethods } from "../../engine/lib/wire/generated/service.ts";
import type { Span } from "../../lang/text/index.ts";
import type { RemoteDialect } from "./dialects.ts";
import type { Scope } from "./scope.ts";
import type { UpstreamPlan } from "./upstream-plan.ts";

// Defines the only value that targets read: plain data without source text, whose order does not depend on the order of the page.

export interface Policy {
  readonly tables: PolicyTables;
  /** Services of the page, in code-unit order of names. */
  readonly services: readonly ServicePlan[];
  /** Backends of the page, in code-unit order of names. */
  readonly backends: readonly BackendPlan[];
  /** Models that compute vectors of the messages of a session, in code-unit order of names. */
  readonly embedders: readonly EmbedderPlan[];
  readonly storage?: StoragePlan;
  /** Sealed credentials that are sent with requests, in code-unit order of names. Credentials without a sealed file are left out. */
  readonly secrets: readonly Secret[];
  /** Network settings of the machine; absent if the page needs no network. */
  readonly network?: NetworkPlan;
  /** Destination of the audit's records; absent if the page names no collector. */
  readonly collector?: Scope;
  readonly image: ImagePlan;
}

export interface ServicePlan {
  readonly name: string;
  readonly interfaceName: string;
  readonly interfaceId: bigint;
  /**
   * The program that serves the tools of the service. `own` and `own-native` mean the module or the static program in
   * the field `own`. Any other value, such as `files`, names a program of the image.
   */
  readonly implementation: Implementation;
  /** Set if the program of the service comes from the standard library. */
  readonly standard?: true;
  /**
   * The program of the service, if it comes from the package or the standard library. It may be absent if the page is only checked; a build
   * always has it.
   */
  readonly own?: OwnProgram;
  /** The requests that the service may send; present only if the implementation is `egress`. */
  readonly scope?: Scope;
  /** Services that this service may call, in code-unit order of names; absent if there are none. */
  readonly holds?: readonly Holding[];
  /**
   * The session in whose name action plans are executed; present only if the service executes action plans. The service is connected to the
   * gate of this session.
   */
  readonly session?: string;
  /** The holders that may access only some of this service's folders; present only if the implementation is `files`. */
  readonly within?: readonly HolderFolders[];
  /** Maximum bytes that the service may store on the data disk; 0 if it stores nothing. */
  readonly stateBytes: number;
  readonly label: PolicyTables["tools"][number]["sink"];
}

/** A service that was granted to another service of the page. */
interface Holding {
  /** Name of the granted service. */
  readonly name: string;
  readonly interfaceId: bigint;
}

export interface HolderFolders {
  /** Name of the service that has the grant. */
  readonly holder: string;
  /** Folders in the form of the page's scope: `/reports`. */
  readonly folders: readonly string[];
}

/** A program of a service that comes from the package or the standard library, and the methods that the service has. */
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
  /** Canned replies; a stub without them answers that it has no reply. */
  readonly replies?: { readonly path: string; readonly bytes: Uint8Array };
}

/** A model in the machine, on its processors. */
export interface LocalPlan {
  readonly name: string;
  readonly kind: "cpu";
  readonly model: ModelPlan;
  readonly threads: number;
  /**
   * Maximum memory of the model's process in bytes. Weights do not always need memory, because they can be read again from the medium.
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
  /**
   * Maximum tokens of a conversation. This number is not larger than the number of tokens for which the model was
   * trained.
   */
  readonly contextTokens: number;
  readonly callsTools: boolean;
}

export interface StoragePlan {
  /** Name of the data disk, as `disk "NAME"` on the page states it. */
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
        /** IPv4 address as four decimal numbers; `router` and `resolvers` have the same form. */
        readonly address: string;
        readonly prefix: number;
        /** Address of the router; empty if only hosts on the same link can be reached. */
        readonly router: string;
        readonly resolvers: readonly string[];
      };
    };

/** Kernels for which an image can be made. `compiler/artefacts/products/make.ts` has a function for each of them. */
export const TARGETS = ["linux", "capos"] as const;
export type Target = (typeof TARGETS)[number];

export interface ImagePlan {
  readonly target: Target;
  /** The plan for upstream's kernel; present only for the target `capos`. */
  readonly upstream?: UpstreamPlan;
  readonly machine: "vm" | "pc";
  /** Console for people: the first serial port, or the machine's screen and keyboard. */
  readonly console: "serial" | "screen";
  /** Kinds of firmware that may start the image, at least one kind; `bios` comes before `uefi`. */
  readonly firmware: readonly ("bios" | "uefi")[];
  /** Requirement on the machine that starts the image: `sealed` requires Secure Boot. */
  readonly trust: "media" | "sealed";
  /** Bytes of memory of the machine for which the image is made. */
  readonly memoryBytes: number;
  /** The session that starts at boot. */
  readonly boot: string;
}

/**
 * For each part of a policy, the position on the page from which the part comes. These positions are separate from the policy, because they
 * change when text moves.
 */
export interface Origins {
  /** One position for each rule of the tables, in the order of the rules. */
  readonly rules: readonly Span[];
  readonly sessions: ReadonlyMap<string, Span>;
  readonly services: ReadonlyMap<string, Span>;
  readonly backends: ReadonlyMap<string, Span>;
  readonly principals: ReadonlyMap<string, Span>;
}
