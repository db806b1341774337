export { WAYS, type Way } from "./narrowest.ts";
export { Observations } from "./observed.ts";
export { type Suggested, type SuggestedPage, type Suggestion, suggest, type Unsuggested } from "./suggest.ts";
