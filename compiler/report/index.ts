export { reportPage } from "./page.ts";
export type { Changes, HeldCapability, ProcessFacts, ProofFacts, Subject, ToldChange } from "./subject.ts";
