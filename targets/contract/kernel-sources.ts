// Lists the capabilities that upstream's kernel grants: the 50 sources of crate capos-config 0.1.0 (src/manifest.rs,
// define_kernel_cap_sources), in the order of its schema. A test compares ordinals with the checked-in schema.

import type { KernelCapSource } from "../../engine/lib/wire/upstream/generated/upstream.ts";

/**
 * To what a capability of the kernel gives access. `bound`: bound to the process or to the only terminal; a process cannot pass the
 * capability on. `endpoint`: created separately for each holder. `plain`: harmless in any program. `authority`: power over things that are
 * not the program's own. `measurement`: needed only for measurements.
 */
export type KernelReach = "bound" | "endpoint" | "plain" | "authority" | "measurement";

export interface KernelSource {
  /** The name in `initConfig`, and on a page after `kernel.`. */
  readonly name: string;
  /** The name in the schema. */
  readonly enumerant: KernelCapSource;
  readonly interfaceId: bigint;
  readonly reach: KernelReach;
}

export const KERNEL_SOURCES: readonly KernelSource[] = [
  { name: "console", enumerant: "console", interfaceId: 0x913ae02202463262n, reach: "plain" },
  { name: "endpoint", enumerant: "endpoint", interfaceId: 0xd5dc40d973e75b84n, reach: "endpoint" },
  { name: "frame_allocator", enumerant: "frameAllocator", interfaceId: 0x99c5fd0346dd918bn, reach: "authority" },
  { name: "virtual_memory", enumerant: "virtualMemory", interfaceId: 0x86246d603d6cb6e5n, reach: "bound" },
  { name: "process_spawner", enumerant: "processSpawner", interfaceId: 0xc38e920d571bd988n, reach: "authority" },
  { name: "boot_package", enumerant: "bootPackage", interfaceId: 0xf90b23a1ce34df61n, reach: "authority" },
  { name: "terminal_session", enumerant: "terminalSession", interfaceId: 0x93484e804b83f366n, reach: "bound" },
  { name: "entropy_source", enumerant: "entropySource", interfaceId: 0x8f806845945157e9n, reach: "plain" },
  { name: "credential_store", enumerant: "credentialStore", interfaceId: 0x934f2fd9b1d1905cn, reach: "authority" },
  { name: "session_manager", enumerant: "sessionManager", interfaceId: 0xeea8ac868bbee502n, reach: "authority" },
  { name: "authority_broker", enumerant: "authorityBroker", interfaceId: 0xbf777872762aba80n, reach: "authority" },
  { name: "audit_log", enumerant: "auditLog", interfaceId: 0xfbdfefab64d0aa77n, reach: "authority" },
  { name: "system_info", enumerant: "systemInfo", interfaceId: 0xfbbdc602980cb986n, reach: "plain" },
  { name: "null", enumerant: "null", interfaceId: 0x6e756c6c63617030n, reach: "measurement" },
  { name: "park_bench", enumerant: "parkBench", interfaceId: 0xee8745716391e35cn, reach: "measurement" },
  { name: "timer", enumerant: "timer", interfaceId: 0x9ac15f2e068e4b7bn, reach: "plain" },
  { name: "thread_control", enumerant: "threadControl", interfaceId: 0x8b2f6272ccb78e32n, reach: "bound" },
  { name: "thread_spawner", enumerant: "threadSpawner", interfaceId: 0xdcdd6651f6fd25b0n, reach: "bound" },
  { name: "park_space", enumerant: "parkSpace", interfaceId: 0xb520d6693ae6db6fn, reach: "bound" },
  { name: "network_manager", enumerant: "networkManager", interfaceId: 0xc6ca380165fa62bfn, reach: "authority" },
  {
    name: "ssh_development_host_key",
    enumerant: "sshDevelopmentHostKey",
    interfaceId: 0xc5eb53f88fdc2b3an,
    reach: "authority",
  },
  {
    name: "tcp_listen_authority",
    enumerant: "tcpListenAuthority",
    interfaceId: 0x98f7aafda43ce3fen,
    reach: "authority",
  },
  {
    name: "authorized_key_store",
    enumerant: "authorizedKeyStore",
    interfaceId: 0xa2a1d8b1485c9dfen,
    reach: "authority",
  },
  {
    name: "restricted_shell_launcher",
    enumerant: "restrictedShellLauncher",
    interfaceId: 0xde5b1f5395160bddn,
    reach: "authority",
  },
  { name: "chat_endpoint", enumerant: "chatEndpoint", interfaceId: 0xd5dc40d973e75b84n, reach: "endpoint" },
  { name: "device_mmio", enumerant: "deviceMmio", interfaceId: 0xedd51dca873edf1en, reach: "authority" },
  { name: "interrupt", enumerant: "interrupt", interfaceId: 0xd4578c43a12fc5cbn, reach: "authority" },
  { name: "scheduling_policy", enumerant: "schedulingPolicy", interfaceId: 0xc6e2ef87193751dbn, reach: "authority" },
  { name: "dmapool", enumerant: "dmaPool", interfaceId: 0xa1f40e988fe22d6dn, reach: "authority" },
  { name: "hardware_audit_log", enumerant: "hardwareAuditLog", interfaceId: 0xe87c9c534ff91ff4n, reach: "authority" },
  { name: "scheduling_context", enumerant: "schedulingContext", interfaceId: 0xb34f8c02f5901eb9n, reach: "authority" },
  { name: "cpu_isolation_lease", enumerant: "cpuIsolationLease", interfaceId: 0x8be1aaf5f485d398n, reach: "authority" },
  { name: "file", enumerant: "file", interfaceId: 0xa67530a44b2ada88n, reach: "authority" },
  { name: "directory", enumerant: "directory", interfaceId: 0xa456e17698a31f74n, reach: "authority" },
  { name: "store", enumerant: "store", interfaceId: 0x8eecd752a05a79b2n, reach: "authority" },
  { name: "namespace", enumerant: "namespace", interfaceId: 0xdeebc1bcb45451b4n, reach: "authority" },
  { name: "wall_clock", enumerant: "wallClock", interfaceId: 0xe28412f022b72db8n, reach: "plain" },
  { name: "manual", enumerant: "manual", interfaceId: 0xa47540e09e7d1f31n, reach: "plain" },
  { name: "log_sink", enumerant: "logSink", interfaceId: 0xb2bda99db21b8a8en, reach: "plain" },
  { name: "log_reader", enumerant: "logReader", interfaceId: 0xcd91e969a5c7b1dcn, reach: "authority" },
  { name: "block_device", enumerant: "blockDevice", interfaceId: 0xe3459fc624accc3bn, reach: "authority" },
  { name: "read_only_fs_root", enumerant: "readOnlyFsRoot", interfaceId: 0xa456e17698a31f74n, reach: "authority" },
  { name: "persistent_store", enumerant: "persistentStore", interfaceId: 0x8eecd752a05a79b2n, reach: "authority" },
  { name: "writable_fs_root", enumerant: "writableFsRoot", interfaceId: 0xa456e17698a31f74n, reach: "authority" },
  { name: "block_device_target", enumerant: "blockDeviceTarget", interfaceId: 0xe3459fc624accc3bn, reach: "authority" },
  {
    name: "installable_image_source",
    enumerant: "installableImageSource",
    interfaceId: 0xa456e17698a31f74n,
    reach: "authority",
  },
  {
    name: "cpu_isolation_pool_grant",
    enumerant: "cpuIsolationPoolGrant",
    interfaceId: 0xfea6a4a5450d7a09n,
    reach: "authority",
  },
  {
    name: "cpu_isolation_pool_grant_secondary",
    enumerant: "cpuIsolationPoolGrantSecondary",
    interfaceId: 0xfea6a4a5450d7a09n,
    reach: "authority",
  },
  {
    name: "cpu_isolation_grant_minter",
    enumerant: "cpuIsolationGrantMinter",
    interfaceId: 0xbda3724bf5a48173n,
    reach: "authority",
  },
  { name: "nic", enumerant: "nic", interfaceId: 0xa61ba0a138c22125n, reach: "authority" },
];

const BY_NAME: ReadonlyMap<string, KernelSource> = new Map(KERNEL_SOURCES.map((source) => [source.name, source]));

export function findKernelSource(name: string): KernelSource | undefined {
  return BY_NAME.get(name);
}

/**
 * Kernel capabilities that a service can have only if init has them. Init passes its own capability on, with the badge
 * of its own grant (src/validation.rs, init_forwarded_kernel_cap).
 */
export const FORWARDED: ReadonlySet<string> = new Set([
  "authorized_key_store",
  "restricted_shell_launcher",
  "ssh_development_host_key",
  "tcp_listen_authority",
]);

/** Kernel capabilities that need settings of `kernelParams` which a page cannot state. */
export const UNCONFIGURED: ReadonlySet<string> = new Set(["block_device_target", "ssh_development_host_key"]);
