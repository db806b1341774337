/** Versions that `install.ts` installs. Debian determines the version of secilc. */
export const VERSIONS = {
  cue: "0.17.1",
  opa: "1.22.2",
  opaWasm: "1.10.0",
  cedar: "4.13.0",
  typespec: "1.17.0",
  openworkflow: "0.10.1",
  dbos: "5.3.0",
  secilc: "of Debian",
} as const;
