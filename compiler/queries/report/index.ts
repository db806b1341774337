export { reportPage } from "./page.ts";
export type {
  Changes,
  DeadFacts,
  HeldCapability,
  LoosenedFacts,
  ProcessFacts,
  PromptFacts,
  ProofFacts,
  ProvenAssertion,
  Subject,
  ToldChange,
  WaiverFacts,
} from "./subject.ts";
