export { reportPage } from "./page.ts";
export type {
  AuditFacts,
  Changes,
  DeadFacts,
  LoosenedFacts,
  ProcessFacts,
  PromptFacts,
  ProvenAssertion,
  Subject,
  Trust,
  WaiverFacts,
} from "./subject.ts";
