export { type Admission, admit } from "./admit.ts";
export { type AdvertisedTool, findAdvertisedTool, findToolOfMethod, listAdvertisedTools } from "./advertise.ts";
export { checkRecord } from "./arguments.ts";
export { mayRecord } from "./audit-limit.ts";
export {
  type BackendStatus,
  chooseBackend,
  evaluateBackends,
  findEmbedder,
  isOpened,
  listRedactions,
} from "./backend.ts";
export { canonicalizeArguments, isList, isRecord, renderCanonicalJson } from "./canonical-json.ts";
export {
  changeWords,
  chooseReleaseGate,
  GRANT_LIMITS,
  limitLine,
  NOTHING_ASKS,
  releaseLine,
  renderChange,
} from "./change-words.ts";
export {
  asksForSources,
  countComparisons,
  findDisplaced,
  listClauseModes,
  listOutcomes,
  MOST_COMPARISONS,
  planGroups,
  weaken,
} from "./clause-groups.ts";
export { MAX_MESSAGE_BYTES, MISSED } from "./coherence.ts";
export { evaluateConditions, type Truth } from "./condition.ts";
export { serializeCondition, serializeSource } from "./condition-key.ts";
export { renderCondition, renderSource, renderTerm } from "./condition-text.ts";
export { beginIn, type Conversation, openConversation, startTurn } from "./conversation.ts";
export { type Call, type Decision, decide, type GatedDecision, type RefusedDecision } from "./decide.ts";
export { compareDecimals, type Decimal, parseDecimal } from "./decimal.ts";
export { findList } from "./decision-text.ts";
export { diffTables, type RowChange } from "./difference.ts";
export { isDomain, isWithinDomain } from "./domain.ts";
export { durationText } from "./duration-text.ts";
export { applyRelease, checkFlow, computeStanding, type Releasing } from "./flow.ts";
export { getText, listIn, readAccompanied, recordIn } from "./json-parts.ts";
export {
  BareRecord,
  findOddity,
  type Json,
  type JsonRecord,
  MAX_JSON_BYTES,
  MAX_JSON_DEPTH,
  readCarrier,
  readJson,
  readTolerantly,
} from "./json-reader.ts";
export {
  computeTopLabel,
  findLabel,
  formatLabel,
  formatSecrecy,
  isSameLabel,
  join,
  type Label,
  type LabelNames,
  listCompartments,
  mayFlow,
} from "./label.ts";
export { listConditions, listLines } from "./lines.ts";
export { PLAIN_OF_FORM, renderDecisionLine, renderDecisionMatrix, renderPlainArguments } from "./matrix.ts";
export {
  chooseAdvertisedMode,
  computeLoosestMode,
  computeMode,
  computeModeOfTruths,
  computeStrictestMode,
  isMet,
  isRaising,
  isStricter,
  type PermissionMode,
} from "./mode.ts";
export {
  addNarrowedLine,
  findPathBound,
  findPlainMode,
  isAtSamePlace,
  limitToAskedPath,
  narrowLine,
  readAskedPath,
} from "./narrowed-line.ts";
export {
  findOccurrences,
  findTexts,
  joinSpans,
  MOST_PATTERNS,
  MOST_REDACTIONS,
  parseSearchPattern,
  type SearchBudget,
  type SearchPattern,
  type Span,
} from "./occurrences.ts";
export { listOwnOpenings } from "./own-opening.ts";
export { buildStruct, isOfParams, isWithoutLayout } from "./param-layout.ts";
export { isUnder, parseOrigin, parsePathSegments } from "./place.ts";
export { chargeCall, computeCost, computeSufficientAmount } from "./quota.ts";
export { explainTasklessness, isByElse, quoteRule } from "./reason.ts";
export { deriveConsentClass, deriveConsentKey, mayBeRemembered } from "./remember.ts";
export { formatRowPath } from "./row-path.ts";
export {
  endWorker,
  enterPhase,
  findParameters,
  listLaterPhases,
  listTasks,
  openIngress,
  openTask,
  type Passage,
  startWorker,
} from "./row-transitions.ts";
export type { Finding, Sources, Standing } from "./sources.ts";
export { findUnknownName, recordFrom } from "./strict-record.ts";
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
export {
  asksForParameters,
  type ChosenParameter,
  type ChosenValues,
  indexChosen,
  isOfKind,
  MAX_PARAMETER_BYTES,
  MAX_PARAMETER_NAME_BYTES,
  MAX_PARAMETERS,
  makeStandIn,
  type ParameterValue,
  parseParameterValue,
  parseTaskArguments,
  renderParameter,
  renderTaskCommand,
  renderTaskUsage,
  resolveLiteral,
} from "./task-parameters.ts";
export { parseDateText, parseDurationText, renderDateText } from "./time-text.ts";
export { computeToolListDigest, renderTolerantJson } from "./tool-list.ts";
export { nameListedTool } from "./tool-name.ts";
export { renderWhyCommand } from "./why-command.ts";
export { fillWildcard, findFixedEnds, isUniversal, listFixedRuns, parseWildcard, type Wildcard } from "./wildcard.ts";
