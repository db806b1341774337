// Generated from upstream.capnp by `npm run generate`. Do not edit.

import { bool, bytes, enumeration, field, int64, list, nothing, of, struct, text, type EnumLayout, type StructLayout, uint16, uint32, uint64, uint8 } from "../../layout.ts";

export type DmaBackendPolicy = "unspecified" | "enableIfVerified" | "enableUnsafe" | "bounceBuffer";

export const DmaBackendPolicy: EnumLayout<DmaBackendPolicy> = /* @__PURE__ */ enumeration("DmaBackendPolicy", ["unspecified", "enableIfVerified", "enableUnsafe", "bounceBuffer"]);

/** What the kernel can hand out. In `initConfig` the same are named in words with underscores. */
export type KernelCapSource = "console" | "endpoint" | "frameAllocator" | "virtualMemory" | "processSpawner" | "bootPackage" | "terminalSession" | "entropySource" | "credentialStore" | "sessionManager" | "authorityBroker" | "auditLog" | "systemInfo" | "null" | "parkBench" | "timer" | "threadControl" | "threadSpawner" | "parkSpace" | "networkManager" | "sshDevelopmentHostKey" | "tcpListenAuthority" | "authorizedKeyStore" | "restrictedShellLauncher" | "chatEndpoint" | "deviceMmio" | "interrupt" | "schedulingPolicy" | "dmaPool" | "hardwareAuditLog" | "schedulingContext" | "cpuIsolationLease" | "file" | "directory" | "store" | "namespace" | "wallClock" | "manual" | "logSink" | "logReader" | "blockDevice" | "readOnlyFsRoot" | "persistentStore" | "writableFsRoot" | "blockDeviceTarget" | "installableImageSource" | "cpuIsolationPoolGrant" | "cpuIsolationPoolGrantSecondary" | "cpuIsolationGrantMinter" | "nic";

export const KernelCapSource: EnumLayout<KernelCapSource> = /* @__PURE__ */ enumeration("KernelCapSource", ["console", "endpoint", "frameAllocator", "virtualMemory", "processSpawner", "bootPackage", "terminalSession", "entropySource", "credentialStore", "sessionManager", "authorityBroker", "auditLog", "systemInfo", "null", "parkBench", "timer", "threadControl", "threadSpawner", "parkSpace", "networkManager", "sshDevelopmentHostKey", "tcpListenAuthority", "authorizedKeyStore", "restrictedShellLauncher", "chatEndpoint", "deviceMmio", "interrupt", "schedulingPolicy", "dmaPool", "hardwareAuditLog", "schedulingContext", "cpuIsolationLease", "file", "directory", "store", "namespace", "wallClock", "manual", "logSink", "logReader", "blockDevice", "readOnlyFsRoot", "persistentStore", "writableFsRoot", "blockDeviceTarget", "installableImageSource", "cpuIsolationPoolGrant", "cpuIsolationPoolGrantSecondary", "cpuIsolationGrantMinter", "nic"]);

export type KeyPurpose = "generic" | "blockVolume" | "objectStore" | "envelope" | "integrity" | "tls" | "codeSigning" | "instanceIdentity" | "authToken" | "webauthn" | "audit" | "oauthClientAssertion" | "oidcIdToken" | "dpopBinding" | "acmeAccount";

export const KeyPurpose: EnumLayout<KeyPurpose> = /* @__PURE__ */ enumeration("KeyPurpose", ["generic", "blockVolume", "objectStore", "envelope", "integrity", "tls", "codeSigning", "instanceIdentity", "authToken", "webauthn", "audit", "oauthClientAssertion", "oidcIdToken", "dpopBinding", "acmeAccount"]);

export type KeySourceDeploymentProfile = "localDevelopment" | "production" | "publicIngress" | "billableCloudProof";

export const KeySourceDeploymentProfile: EnumLayout<KeySourceDeploymentProfile> = /* @__PURE__ */ enumeration("KeySourceDeploymentProfile", ["localDevelopment", "production", "publicIngress", "billableCloudProof"]);

export type LogLevel = "debug" | "info" | "warn" | "error";

export const LogLevel: EnumLayout<LogLevel> = /* @__PURE__ */ enumeration("LogLevel", ["debug", "info", "warn", "error"]);

export type PrincipalKind = "human" | "operator" | "service" | "guest" | "anonymous" | "pseudonymous";

export const PrincipalKind: EnumLayout<PrincipalKind> = /* @__PURE__ */ enumeration("PrincipalKind", ["human", "operator", "service", "guest", "anonymous", "pseudonymous"]);

export type UartParity = "none" | "even" | "odd";

export const UartParity: EnumLayout<UartParity> = /* @__PURE__ */ enumeration("UartParity", ["none", "even", "odd"]);

export type UartPort = "com1" | "com2";

export const UartPort: EnumLayout<UartPort> = /* @__PURE__ */ enumeration("UartPort", ["com1", "com2"]);

export interface AuthorizedSshKey {
  readonly keyId: Uint8Array;
  readonly principalId: Uint8Array;
  readonly algorithm: string;
  readonly publicKey: Uint8Array;
  readonly fingerprintSha256: Uint8Array;
  readonly allowedShellProfiles: readonly string[];
  readonly disabledAtMs: bigint;
  readonly source: string;
  readonly comment: string;
}

export const AuthorizedSshKey: StructLayout<AuthorizedSshKey> = /* @__PURE__ */ struct({ name: "AuthorizedSshKey", id: 0xbb98505281128b56n, sizes: [1, 8], shape: () => ({
  fields: [
    field("keyId", bytes, 0),
    field("principalId", bytes, 1),
    field("algorithm", text, 2),
    field("publicKey", bytes, 3),
    field("fingerprintSha256", bytes, 4),
    field("allowedShellProfiles", list(text), 5),
    field("disabledAtMs", uint64, 0),
    field("source", text, 6),
    field("comment", text, 7),
  ],
}) });

export interface BlockDeviceTargetSelector {
  readonly pci: PciDeviceSelector;
}

export const BlockDeviceTargetSelector: StructLayout<BlockDeviceTargetSelector> = /* @__PURE__ */ struct({ name: "BlockDeviceTargetSelector", id: 0xf17347c5991c2998n, sizes: [0, 1], shape: () => ({
  fields: [
    field("pci", of(() => PciDeviceSelector), 0),
  ],
}) });

export interface CpuIsolationPoolDescriptor {
  readonly poolId: number;
  readonly poolCpuMask: Uint8Array;
  readonly poolMaxLeases: number;
  readonly poolMaxLeasesPerAccount: number;
}

export const CpuIsolationPoolDescriptor: StructLayout<CpuIsolationPoolDescriptor> = /* @__PURE__ */ struct({ name: "CpuIsolationPoolDescriptor", id: 0xca743d7f6dc556c0n, sizes: [2, 1], shape: () => ({
  fields: [
    field("poolId", uint32, 0),
    field("poolCpuMask", bytes, 0),
    field("poolMaxLeases", uint32, 1),
    field("poolMaxLeasesPerAccount", uint32, 2),
  ],
}) });

export interface CpuIsolationPoolGrantBinding {
  readonly boundAccountId: bigint;
  readonly boundPoolId: number;
}

export const CpuIsolationPoolGrantBinding: StructLayout<CpuIsolationPoolGrantBinding> = /* @__PURE__ */ struct({ name: "CpuIsolationPoolGrantBinding", id: 0xa2dcd37a872ab4a0n, sizes: [2, 0], shape: () => ({
  fields: [
    field("boundAccountId", uint64, 0),
    field("boundPoolId", uint32, 2),
  ],
}) });

export interface CueField {
  readonly name: string;
  readonly value: CueValue;
}

export const CueField: StructLayout<CueField> = /* @__PURE__ */ struct({ name: "CueField", id: 0xcd67243353bc2dacn, sizes: [0, 2], shape: () => ({
  fields: [
    field("name", text, 0),
    field("value", of(() => CueValue), 1),
  ],
}) });

/** A value of CUE. Its shape below `initConfig` is fixed by the crate's decoder and by no schema. */
export type CueValue =
  | { readonly which: "null" }
  | {
      readonly which: "boolean";
      readonly boolean: boolean;
    }
  | {
      readonly which: "intValue";
      readonly intValue: bigint;
    }
  | {
      readonly which: "uintValue";
      readonly uintValue: bigint;
    }
  | {
      readonly which: "text";
      readonly text: string;
    }
  | {
      readonly which: "bytes";
      readonly bytes: Uint8Array;
    }
  | {
      readonly which: "list";
      readonly list: readonly CueValue[];
    }
  | {
      readonly which: "fields";
      readonly fields: readonly CueField[];
    };

export const CueValue: StructLayout<CueValue> = /* @__PURE__ */ struct({ name: "CueValue", id: 0x875d263693767f53n, sizes: [2, 1], shape: () => ({
  fields: [],
  union: { tagOffset: 0, members: [
    field("null", nothing, 0),
    field("boolean", bool, 16),
    field("intValue", int64, 1),
    field("uintValue", uint64, 1),
    field("text", text, 0),
    field("bytes", bytes, 0),
    field("list", list(of(() => CueValue)), 0),
    field("fields", list(of(() => CueField)), 0),
  ] },
}) });

export interface DevelopmentSoftwareKeySourceConfig {
  readonly enabled: boolean;
  readonly identifier: Uint8Array;
  readonly nonProductionLabel: string;
  readonly allowedPurposes: readonly KeyPurpose[];
}

export const DevelopmentSoftwareKeySourceConfig: StructLayout<DevelopmentSoftwareKeySourceConfig> = /* @__PURE__ */ struct({ name: "DevelopmentSoftwareKeySourceConfig", id: 0xf1a837359abb3acan, sizes: [1, 3], shape: () => ({
  fields: [
    field("enabled", bool, 0),
    field("identifier", bytes, 0),
    field("nonProductionLabel", text, 1),
    field("allowedPurposes", list(KeyPurpose), 2),
  ],
}) });

export interface KeySourceBootstrapConfig {
  readonly deploymentProfile: KeySourceDeploymentProfile;
  readonly developmentSoftware: DevelopmentSoftwareKeySourceConfig;
}

export const KeySourceBootstrapConfig: StructLayout<KeySourceBootstrapConfig> = /* @__PURE__ */ struct({ name: "KeySourceBootstrapConfig", id: 0xf632f63f97a07ba9n, sizes: [1, 1], shape: () => ({
  fields: [
    field("deploymentProfile", KeySourceDeploymentProfile, 0),
    field("developmentSoftware", of(() => DevelopmentSoftwareKeySourceConfig), 0),
  ],
}) });

/** What may be added to a system that is installed; without it nothing may. */
export interface ManifestExtensionPoints {
  readonly allowAdditionalServices: boolean;
  readonly maxAdditionalServices: number;
  readonly allowedServiceCaps: readonly KernelCapSource[];
  readonly minOverlayEpoch: bigint;
  readonly allowNetworkSettings: boolean;
  readonly allowRuntimeSettings: boolean;
  readonly allowAccountStoreLocation: boolean;
}

export const ManifestExtensionPoints: StructLayout<ManifestExtensionPoints> = /* @__PURE__ */ struct({ name: "ManifestExtensionPoints", id: 0xb83449cfa0ae0192n, sizes: [2, 1], shape: () => ({
  fields: [
    field("allowAdditionalServices", bool, 0),
    field("maxAdditionalServices", uint32, 1),
    field("allowedServiceCaps", list(KernelCapSource), 0),
    field("minOverlayEpoch", uint64, 1),
    field("allowNetworkSettings", bool, 1),
    field("allowRuntimeSettings", bool, 2),
    field("allowAccountStoreLocation", bool, 3),
  ],
}) });

export interface ManifestResourceProfile {
  readonly name: string;
  readonly homeQuotaBytes: bigint;
  readonly tempQuotaBytes: bigint;
  readonly processLimit: number;
  readonly threadLimit: number;
  readonly capLimit: number;
  readonly memoryCommitLimitBytes: bigint;
  readonly frameGrantLimitPages: bigint;
  readonly endpointQueueLimit: number;
  readonly inFlightCallLimit: number;
  /** Never to be used again. */
  readonly retired10: number;
  readonly ringScratchLimitBytes: bigint;
  readonly logQuotaBytesPerWindow: bigint;
  readonly networkProfile: string;
  readonly cpuBudgetUsPerWindow: bigint;
  readonly cpuWindowUs: bigint;
  readonly timerWaiterLimit: number;
  readonly launcherProfile: string;
  readonly replyScratchLimitBytes: bigint;
}

export const ManifestResourceProfile: StructLayout<ManifestResourceProfile> = /* @__PURE__ */ struct({ name: "ManifestResourceProfile", id: 0x833c06e1e3fd3f17n, sizes: [13, 3], shape: () => ({
  fields: [
    field("name", text, 0),
    field("homeQuotaBytes", uint64, 0),
    field("tempQuotaBytes", uint64, 1),
    field("processLimit", uint32, 4),
    field("threadLimit", uint32, 5),
    field("capLimit", uint32, 6),
    field("memoryCommitLimitBytes", uint64, 4),
    field("frameGrantLimitPages", uint64, 5),
    field("endpointQueueLimit", uint32, 7),
    field("inFlightCallLimit", uint32, 12),
    field("retired10", uint32, 13),
    field("ringScratchLimitBytes", uint64, 7),
    field("logQuotaBytesPerWindow", uint64, 8),
    field("networkProfile", text, 1),
    field("cpuBudgetUsPerWindow", uint64, 9),
    field("cpuWindowUs", uint64, 10),
    field("timerWaiterLimit", uint32, 22),
    field("launcherProfile", text, 2),
    field("replyScratchLimitBytes", uint64, 12),
  ],
}) });

export interface ManifestRoleBinding {
  readonly principalId: Uint8Array;
  readonly role: string;
}

export const ManifestRoleBinding: StructLayout<ManifestRoleBinding> = /* @__PURE__ */ struct({ name: "ManifestRoleBinding", id: 0xf454506b6db889a9n, sizes: [0, 2], shape: () => ({
  fields: [
    field("principalId", bytes, 0),
    field("role", text, 1),
  ],
}) });

export interface ManifestSeedAccount {
  readonly name: string;
  readonly principalId: Uint8Array;
  readonly kind: PrincipalKind;
  readonly displayName: string;
  readonly credentialRefs: readonly Uint8Array[];
  readonly resourceProfile: string;
  /** Upstream refuses anything but empty text here: profiles of policy are not defined yet. */
  readonly policyProfile: string;
  readonly serviceBinary: string;
  /** Upstream refuses anything but an empty list here. */
  readonly directCaps: readonly KernelCapSource[];
}

export const ManifestSeedAccount: StructLayout<ManifestSeedAccount> = /* @__PURE__ */ struct({ name: "ManifestSeedAccount", id: 0xdc5da0115f757641n, sizes: [1, 8], shape: () => ({
  fields: [
    field("name", text, 0),
    field("principalId", bytes, 1),
    field("kind", PrincipalKind, 0),
    field("displayName", text, 2),
    field("credentialRefs", list(bytes), 3),
    field("resourceProfile", text, 4),
    field("policyProfile", text, 5),
    field("serviceBinary", text, 6),
    field("directCaps", list(KernelCapSource), 7),
  ],
}) });

export interface NamedBlob {
  readonly name: string;
  readonly data: Uint8Array;
}

export const NamedBlob: StructLayout<NamedBlob> = /* @__PURE__ */ struct({ name: "NamedBlob", id: 0xba262b9ac5f1695fn, sizes: [0, 2], shape: () => ({
  fields: [
    field("name", text, 0),
    field("data", bytes, 1),
  ],
}) });

export interface PciDeviceSelector {
  readonly segment: number;
  readonly bus: number;
  readonly device: number;
  readonly function: number;
}

export const PciDeviceSelector: StructLayout<PciDeviceSelector> = /* @__PURE__ */ struct({ name: "PciDeviceSelector", id: 0xe0a8a0d285295a5an, sizes: [1, 0], shape: () => ({
  fields: [
    field("segment", uint16, 0),
    field("bus", uint8, 2),
    field("device", uint8, 3),
    field("function", uint8, 4),
  ],
}) });

/** Milliseconds; 0 is read as upstream's default: 900,000, and 300,000 for the others. */
export interface SessionLifetimeConfig {
  readonly operatorMs: bigint;
  readonly guestMs: bigint;
  readonly anonymousMs: bigint;
}

export const SessionLifetimeConfig: StructLayout<SessionLifetimeConfig> = /* @__PURE__ */ struct({ name: "SessionLifetimeConfig", id: 0xfedd96c9d1474dadn, sizes: [3, 0], shape: () => ({
  fields: [
    field("operatorMs", uint64, 0),
    field("guestMs", uint64, 1),
    field("anonymousMs", uint64, 2),
  ],
}) });

export interface SshDevelopmentHostKey {
  readonly nonProductionLabel: string;
  readonly algorithm: string;
  readonly privateKeySeed: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly fingerprintSha256: Uint8Array;
}

export const SshDevelopmentHostKey: StructLayout<SshDevelopmentHostKey> = /* @__PURE__ */ struct({ name: "SshDevelopmentHostKey", id: 0xeec3048ee7d79633n, sizes: [0, 5], shape: () => ({
  fields: [
    field("nonProductionLabel", text, 0),
    field("algorithm", text, 1),
    field("privateKeySeed", bytes, 2),
    field("publicKey", bytes, 3),
    field("fingerprintSha256", bytes, 4),
  ],
}) });

export interface SystemConfig {
  readonly logLevel: LogLevel;
  readonly consolePasswordVerifierPhc: string;
  readonly allowLocalDevelopmentShell: boolean;
  readonly consoleUart: UartConfig;
  readonly terminalUart: UartConfig;
  readonly motd: string;
  readonly seedAccounts: readonly ManifestSeedAccount[];
  readonly resourceProfiles: readonly ManifestResourceProfile[];
  readonly initialRoleBindings: readonly ManifestRoleBinding[];
  readonly sshDevelopmentHostKey: SshDevelopmentHostKey;
  readonly authorizedSshKeys: readonly AuthorizedSshKey[];
  readonly sessionLifetimes: SessionLifetimeConfig;
  readonly hostname: string;
  readonly dmaBackendPolicy: DmaBackendPolicy;
  readonly cpuIsolationPools: readonly CpuIsolationPoolDescriptor[];
  readonly cpuIsolationPoolGrants: readonly CpuIsolationPoolGrantBinding[];
  readonly cpuIsolationGrantMinterAllowlist: readonly CpuIsolationPoolGrantBinding[];
  readonly keySourceBootstrap: KeySourceBootstrapConfig;
  readonly blockDeviceTarget: BlockDeviceTargetSelector;
}

export const SystemConfig: StructLayout<SystemConfig> = /* @__PURE__ */ struct({ name: "SystemConfig", id: 0xbb5aa2edd34b3927n, sizes: [1, 16], shape: () => ({
  fields: [
    field("logLevel", LogLevel, 0),
    field("consolePasswordVerifierPhc", text, 0),
    field("allowLocalDevelopmentShell", bool, 16),
    field("consoleUart", of(() => UartConfig), 1),
    field("terminalUart", of(() => UartConfig), 2),
    field("motd", text, 3),
    field("seedAccounts", list(of(() => ManifestSeedAccount)), 4),
    field("resourceProfiles", list(of(() => ManifestResourceProfile)), 5),
    field("initialRoleBindings", list(of(() => ManifestRoleBinding)), 6),
    field("sshDevelopmentHostKey", of(() => SshDevelopmentHostKey), 7),
    field("authorizedSshKeys", list(of(() => AuthorizedSshKey)), 8),
    field("sessionLifetimes", of(() => SessionLifetimeConfig), 9),
    field("hostname", text, 10),
    field("dmaBackendPolicy", DmaBackendPolicy, 2),
    field("cpuIsolationPools", list(of(() => CpuIsolationPoolDescriptor)), 11),
    field("cpuIsolationPoolGrants", list(of(() => CpuIsolationPoolGrantBinding)), 12),
    field("cpuIsolationGrantMinterAllowlist", list(of(() => CpuIsolationPoolGrantBinding)), 13),
    field("keySourceBootstrap", of(() => KeySourceBootstrapConfig), 14),
    field("blockDeviceTarget", of(() => BlockDeviceTargetSelector), 15),
  ],
}) });

/** The root. At most 5 MiB behind an unpacked stream header; `initConfig` must be there. */
export interface SystemManifest {
  readonly schemaVersion: number;
  readonly binaries: readonly NamedBlob[];
  readonly initConfig: CueValue;
  readonly kernelParams: SystemConfig;
  readonly extensionPoints: ManifestExtensionPoints;
}

export const SystemManifest: StructLayout<SystemManifest> = /* @__PURE__ */ struct({ name: "SystemManifest", id: 0x867d4ba3f0ddbd58n, sizes: [1, 4], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("binaries", list(of(() => NamedBlob)), 0),
    field("initConfig", of(() => CueValue), 1),
    field("kernelParams", of(() => SystemConfig), 2),
    field("extensionPoints", of(() => ManifestExtensionPoints), 3),
  ],
}) });

export interface UartConfig {
  readonly port: UartPort;
  readonly baud: number;
  readonly dataBits: number;
  readonly stopBits: number;
  readonly parity: UartParity;
}

export const UartConfig: StructLayout<UartConfig> = /* @__PURE__ */ struct({ name: "UartConfig", id: 0xd58d27228da5a124n, sizes: [2, 0], shape: () => ({
  fields: [
    field("port", UartPort, 0),
    field("baud", uint32, 1),
    field("dataBits", uint8, 2),
    field("stopBits", uint8, 3),
    field("parity", UartParity, 4),
  ],
}) });
