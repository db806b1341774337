@0xe1b2c4d7a95f3608;
# The boot manifest of upstream capOS, as its published crate capos-config 0.1.0 reads it: names, ids and ordinals are that
# crate's, since they are what is on the wire; words, and what is left out (everything that no manifest holds), are ours.
# Explicit ids: upstream's follow from its file's id, which this file does not have.

struct SystemManifest @0x867d4ba3f0ddbd58 {
  # The root. At most 5 MiB behind an unpacked stream header; `initConfig` must be there.
  schemaVersion @0 :UInt32;
  binaries @1 :List(NamedBlob);
  initConfig @2 :CueValue;
  kernelParams @3 :SystemConfig;
  extensionPoints @4 :ManifestExtensionPoints;
}

struct NamedBlob @0xba262b9ac5f1695f {
  name @0 :Text;
  data @1 :Data;
}

struct CueValue @0x875d263693767f53 {
  # A value of CUE. Its shape below `initConfig` is fixed by the crate's decoder and by no schema.
  union {
    null @0 :Void;
    boolean @1 :Bool;
    intValue @2 :Int64;
    uintValue @3 :UInt64;
    text @4 :Text;
    bytes @5 :Data;
    list @6 :List(CueValue);
    fields @7 :List(CueField);
  }
}

struct CueField @0xcd67243353bc2dac {
  name @0 :Text;
  value @1 :CueValue;
}

struct SystemConfig @0xbb5aa2edd34b3927 {
  logLevel @0 :LogLevel;
  consolePasswordVerifierPhc @1 :Text;
  allowLocalDevelopmentShell @2 :Bool;
  consoleUart @3 :UartConfig;
  terminalUart @4 :UartConfig;
  motd @5 :Text;
  seedAccounts @6 :List(ManifestSeedAccount);
  resourceProfiles @7 :List(ManifestResourceProfile);
  initialRoleBindings @8 :List(ManifestRoleBinding);
  sshDevelopmentHostKey @9 :SshDevelopmentHostKey;
  authorizedSshKeys @10 :List(AuthorizedSshKey);
  sessionLifetimes @11 :SessionLifetimeConfig;
  hostname @12 :Text;
  dmaBackendPolicy @13 :DmaBackendPolicy;
  cpuIsolationPools @14 :List(CpuIsolationPoolDescriptor);
  cpuIsolationPoolGrants @15 :List(CpuIsolationPoolGrantBinding);
  cpuIsolationGrantMinterAllowlist @16 :List(CpuIsolationPoolGrantBinding);
  keySourceBootstrap @17 :KeySourceBootstrapConfig;
  blockDeviceTarget @18 :BlockDeviceTargetSelector;
}

struct ManifestSeedAccount @0xdc5da0115f757641 {
  name @0 :Text;
  principalId @1 :Data;
  kind @2 :PrincipalKind;
  displayName @3 :Text;
  credentialRefs @4 :List(Data);
  resourceProfile @5 :Text;
  policyProfile @6 :Text;
  # Upstream refuses anything but empty text here: profiles of policy are not defined yet.
  serviceBinary @7 :Text;
  directCaps @8 :List(KernelCapSource);
  # Upstream refuses anything but an empty list here.
}

struct ManifestResourceProfile @0x833c06e1e3fd3f17 {
  name @0 :Text;
  homeQuotaBytes @1 :UInt64;
  tempQuotaBytes @2 :UInt64;
  processLimit @3 :UInt32;
  threadLimit @4 :UInt32;
  capLimit @5 :UInt32;
  memoryCommitLimitBytes @6 :UInt64;
  frameGrantLimitPages @7 :UInt64;
  endpointQueueLimit @8 :UInt32;
  inFlightCallLimit @9 :UInt32;
  retired10 @10 :UInt32;
  # Never to be used again.
  ringScratchLimitBytes @11 :UInt64;
  logQuotaBytesPerWindow @12 :UInt64;
  networkProfile @13 :Text;
  cpuBudgetUsPerWindow @14 :UInt64;
  cpuWindowUs @15 :UInt64;
  timerWaiterLimit @16 :UInt32;
  launcherProfile @17 :Text;
  replyScratchLimitBytes @18 :UInt64;
}

struct ManifestRoleBinding @0xf454506b6db889a9 {
  principalId @0 :Data;
  role @1 :Text;
}

struct UartConfig @0xd58d27228da5a124 {
  port @0 :UartPort;
  baud @1 :UInt32;
  dataBits @2 :UInt8;
  stopBits @3 :UInt8;
  parity @4 :UartParity;
}

struct PciDeviceSelector @0xe0a8a0d285295a5a {
  segment @0 :UInt16;
  bus @1 :UInt8;
  device @2 :UInt8;
  function @3 :UInt8;
}

struct BlockDeviceTargetSelector @0xf17347c5991c2998 {
  pci @0 :PciDeviceSelector;
}

struct SshDevelopmentHostKey @0xeec3048ee7d79633 {
  nonProductionLabel @0 :Text;
  algorithm @1 :Text;
  privateKeySeed @2 :Data;
  publicKey @3 :Data;
  fingerprintSha256 @4 :Data;
}

struct AuthorizedSshKey @0xbb98505281128b56 {
  keyId @0 :Data;
  principalId @1 :Data;
  algorithm @2 :Text;
  publicKey @3 :Data;
  fingerprintSha256 @4 :Data;
  allowedShellProfiles @5 :List(Text);
  disabledAtMs @6 :UInt64;
  source @7 :Text;
  comment @8 :Text;
}

struct SessionLifetimeConfig @0xfedd96c9d1474dad {
  # Milliseconds; 0 is read as upstream's default: 900,000, and 300,000 for the others.
  operatorMs @0 :UInt64;
  guestMs @1 :UInt64;
  anonymousMs @2 :UInt64;
}

struct CpuIsolationPoolDescriptor @0xca743d7f6dc556c0 {
  poolId @0 :UInt32;
  poolCpuMask @1 :Data;
  poolMaxLeases @2 :UInt32;
  poolMaxLeasesPerAccount @3 :UInt32;
}

struct CpuIsolationPoolGrantBinding @0xa2dcd37a872ab4a0 {
  boundAccountId @0 :UInt64;
  boundPoolId @1 :UInt32;
}

struct DevelopmentSoftwareKeySourceConfig @0xf1a837359abb3aca {
  enabled @0 :Bool;
  identifier @1 :Data;
  nonProductionLabel @2 :Text;
  allowedPurposes @3 :List(KeyPurpose);
}

struct KeySourceBootstrapConfig @0xf632f63f97a07ba9 {
  deploymentProfile @0 :KeySourceDeploymentProfile;
  developmentSoftware @1 :DevelopmentSoftwareKeySourceConfig;
}

struct ManifestExtensionPoints @0xb83449cfa0ae0192 {
  # What may be added to a system that is installed; without it nothing may.
  allowAdditionalServices @0 :Bool;
  maxAdditionalServices @1 :UInt32;
  allowedServiceCaps @2 :List(KernelCapSource);
  minOverlayEpoch @3 :UInt64;
  allowNetworkSettings @4 :Bool;
  allowRuntimeSettings @5 :Bool;
  allowAccountStoreLocation @6 :Bool;
}

enum LogLevel @0x92c94ed988305ff0 {
  debug @0;
  info @1;
  warn @2;
  error @3;
}

enum UartPort @0xa59dcd125223b1b0 {
  com1 @0;
  com2 @1;
}

enum UartParity @0xda20092ef8741b9a {
  none @0;
  even @1;
  odd @2;
}

enum DmaBackendPolicy @0xee756e51efe4be50 {
  unspecified @0;
  enableIfVerified @1;
  enableUnsafe @2;
  bounceBuffer @3;
}

enum PrincipalKind @0xcad2f9bb2891b282 {
  human @0;
  operator @1;
  service @2;
  guest @3;
  anonymous @4;
  pseudonymous @5;
}

enum KeyPurpose @0x9d7c22ae421088ea {
  generic @0;
  blockVolume @1;
  objectStore @2;
  envelope @3;
  integrity @4;
  tls @5;
  codeSigning @6;
  instanceIdentity @7;
  authToken @8;
  webauthn @9;
  audit @10;
  oauthClientAssertion @11;
  oidcIdToken @12;
  dpopBinding @13;
  acmeAccount @14;
}

enum KeySourceDeploymentProfile @0xdb5e8dfb5db83779 {
  localDevelopment @0;
  production @1;
  publicIngress @2;
  billableCloudProof @3;
}

enum KernelCapSource @0xa915a00c1953bee4 {
  # What the kernel can hand out. In `initConfig` the same are named in words with underscores.
  console @0;
  endpoint @1;
  frameAllocator @2;
  virtualMemory @3;
  processSpawner @4;
  bootPackage @5;
  terminalSession @6;
  entropySource @7;
  credentialStore @8;
  sessionManager @9;
  authorityBroker @10;
  auditLog @11;
  systemInfo @12;
  null @13;
  parkBench @14;
  timer @15;
  threadControl @16;
  threadSpawner @17;
  parkSpace @18;
  networkManager @19;
  sshDevelopmentHostKey @20;
  tcpListenAuthority @21;
  authorizedKeyStore @22;
  restrictedShellLauncher @23;
  chatEndpoint @24;
  deviceMmio @25;
  interrupt @26;
  schedulingPolicy @27;
  dmaPool @28;
  hardwareAuditLog @29;
  schedulingContext @30;
  cpuIsolationLease @31;
  file @32;
  directory @33;
  store @34;
  namespace @35;
  wallClock @36;
  manual @37;
  logSink @38;
  logReader @39;
  blockDevice @40;
  readOnlyFsRoot @41;
  persistentStore @42;
  writableFsRoot @43;
  blockDeviceTarget @44;
  installableImageSource @45;
  cpuIsolationPoolGrant @46;
  cpuIsolationPoolGrantSecondary @47;
  cpuIsolationGrantMinter @48;
  nic @49;
}
