export { reportPage } from "./page.ts";
export type {
  Changes,
  DeadFacts,
  HeldCapability,
  ProcessFacts,
  PromptFacts,
  ProofFacts,
  ProvenAssertion,
  Subject,
  ToldChange,
  WaiverFacts,
} from "./subject.ts";
