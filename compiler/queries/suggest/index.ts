export { WAYS, type Way } from "./narrowest-condition.ts";
export { Observations } from "./observed-calls.ts";
export {
  type SuggestedPage,
  type Suggestion,
  type SuggestionResult,
  suggest,
  type UnsuggestedCalls,
} from "./suggest.ts";
