export { type Admission, admit } from "./admit.ts";
export { type Advertised, advertisedTool, advertisedTools, toolOfMethod } from "./advertise.ts";
export { misfitOfRecord } from "./arguments.ts";
export { backendStandings, chooseBackend, embedderIn, isOpened, type Standing } from "./backend.ts";
export { canonicalArguments, canonicalText, isList, isRecord } from "./canonical-json.ts";
export { changeWords, movedWords, NOTHING_ASKS, releaseLine } from "./change-words.ts";
export { accept, type Checked, refuse } from "./checked.ts";
export { truthOfAll } from "./condition.ts";
export { conditionText } from "./condition-text.ts";
export { beginIn, type Conversation, nextTurn, openConversation } from "./conversation.ts";
export { type Call, type Decision, decide, type Gated, type Refused } from "./decide.ts";
export { compareDecimals, type Decimal, decimalFrom } from "./decimal.ts";
export { type Moved, movedBetween } from "./difference.ts";
export { durationText } from "./duration-text.ts";
export { flowOf, type Releasing, released, standingOf } from "./flow.ts";
export { accompaniedIn, listIn, recordIn, textIn } from "./json-parts.ts";
export {
  type Json,
  type JsonRecord,
  MAX_JSON_BYTES,
  MAX_JSON_DEPTH,
  oddityOf,
  readCarrier,
  readJson,
  readTolerantly,
} from "./json-reader.ts";
export {
  compartmentsIn,
  isSameLabel,
  join,
  type Label,
  type LabelNames,
  labelNamed,
  labelText,
  mayFlow,
  secrecyText,
} from "./label.ts";
export { decisionLine, decisionMatrix, plainArguments } from "./matrix.ts";
export { advertisedMode, isMet, isStricter, modeOf, type PermissionMode, strictestMode } from "./mode.ts";
export {
  endWorker,
  enterPhase,
  laterPhases,
  openIngress,
  openTask,
  type Passage,
  startWorker,
  tasksOf,
} from "./passage.ts";
export { isUnder, originOf, pathSegments } from "./place.ts";
export { chargeCall, costOf, enoughFor } from "./quota.ts";
export { isByElse } from "./reason.ts";
export { consentClass, consentKey, mayBeRemembered } from "./remember.ts";
export { rowPath } from "./row-path.ts";
export { recordFrom, strangerIn } from "./strict-record.ts";
export {
  FIRST_DECISION,
  type IndexedTables,
  indexTables,
  MAX_TABLES_BYTES,
  readTables,
  SUPPRESSED,
  TABLES_SCHEMA_VERSION,
  UNCOVERED,
} from "./tables.ts";
export { tellingText, toolListDigest } from "./tool-list.ts";
