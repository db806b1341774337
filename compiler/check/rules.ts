import type { Law } from "./law.ts";
import { rule as adminOutsideOperator } from "./rules/admin-outside-operator/rule.ts";
import { rule as backendUnreachable } from "./rules/backend-unreachable/rule.ts";
import { rule as backendWithoutEngine } from "./rules/backend-without-engine/rule.ts";
import { rule as credentialInSource } from "./rules/credential-in-source/rule.ts";
import { rule as currencyUnknown } from "./rules/currency-unknown/rule.ts";
import { rule as embedderUnfit } from "./rules/embedder-unfit/rule.ts";
import { rule as emptyPhase } from "./rules/empty-phase/rule.ts";
import { rule as floorDead } from "./rules/floor-dead/rule.ts";
import { rule as grants } from "./rules/grants/rule.ts";
import { rule as idleTime } from "./rules/idle-time/rule.ts";
import { rule as imageComplete } from "./rules/image-complete/rule.ts";
import { rule as interfaceWithoutService } from "./rules/interface-without-service/rule.ts";
import { rule as labelOrder } from "./rules/label-order/rule.ts";
import { rule as loginWithoutPrincipal } from "./rules/login-without-principal/rule.ts";
import { rule as looserThanParentCategory } from "./rules/looser-than-parent-category/rule.ts";
import { rule as meaningUnfit } from "./rules/meaning-unfit/rule.ts";
import { rule as namesAlike } from "./rules/names-alike/rule.ts";
import { rule as narrowingDead } from "./rules/narrowing-dead/rule.ts";
import { rule as network } from "./rules/network/rule.ts";
import { rule as notEnforcedYet } from "./rules/not-enforced-yet/rule.ts";
import { rule as passphraseOnDisk } from "./rules/passphrase-on-disk/rule.ts";
import { rule as phaseNeedsGate } from "./rules/phase-needs-gate/rule.ts";
import { rule as plans } from "./rules/plans/rule.ts";
import { rule as principalKeys } from "./rules/principal-keys/rule.ts";
import { rule as quotaUnreachable } from "./rules/quota-unreachable/rule.ts";
import { rule as reasonEmpty } from "./rules/reason-empty/rule.ts";
import { rule as releaseDead } from "./rules/release-dead/rule.ts";
import { rule as ruleConflict } from "./rules/rule-conflict/rule.ts";
import { rule as ruleNeverMatches } from "./rules/rule-never-matches/rule.ts";
import { rule as ruleShadowed } from "./rules/rule-shadowed/rule.ts";
import { rule as secrets } from "./rules/secrets/rule.ts";
import { rule as serviceWithoutProvider } from "./rules/service-without-provider/rule.ts";
import { rule as sessionComplete } from "./rules/session-complete/rule.ts";
import { rule as stateOnDisk } from "./rules/state-on-disk/rule.ts";
import { rule as stepUpWithoutPrincipal } from "./rules/step-up-without-principal/rule.ts";
import { rule as systemHeader } from "./rules/system-header/rule.ts";
import { rule as upstreamBadges } from "./rules/upstream-badges/rule.ts";
import { rule as upstreamExports } from "./rules/upstream-exports/rule.ts";
import { rule as upstreamHeldByInit } from "./rules/upstream-held-by-init/rule.ts";
import { rule as upstreamNames } from "./rules/upstream-names/rule.ts";
import { rule as upstreamPrograms } from "./rules/upstream-programs/rule.ts";
import { rule as upstreamSources } from "./rules/upstream-sources/rule.ts";
import { rule as upstreamWords } from "./rules/upstream-words/rule.ts";
import { rule as whereAlwaysMet } from "./rules/where-always-met/rule.ts";
import { rule as whereFitsArguments } from "./rules/where-fits-arguments/rule.ts";
import { rule as whereUnsatisfiable } from "./rules/where-unsatisfiable/rule.ts";
import { rule as widening } from "./rules/widening/rule.ts";
import { rule as widensParent } from "./rules/widens-parent/rule.ts";

/** Every law by the name of its folder. Laws know nothing of each other: their order means nothing. */
export const LAWS: Readonly<Record<string, Law>> = {
  "admin-outside-operator": adminOutsideOperator,
  "backend-unreachable": backendUnreachable,
  "backend-without-engine": backendWithoutEngine,
  "credential-in-source": credentialInSource,
  "currency-unknown": currencyUnknown,
  "embedder-unfit": embedderUnfit,
  "empty-phase": emptyPhase,
  "floor-dead": floorDead,
  grants,
  "idle-time": idleTime,
  "image-complete": imageComplete,
  "interface-without-service": interfaceWithoutService,
  "label-order": labelOrder,
  "login-without-principal": loginWithoutPrincipal,
  "looser-than-parent-category": looserThanParentCategory,
  "meaning-unfit": meaningUnfit,
  "names-alike": namesAlike,
  "narrowing-dead": narrowingDead,
  network,
  "not-enforced-yet": notEnforcedYet,
  "passphrase-on-disk": passphraseOnDisk,
  "phase-needs-gate": phaseNeedsGate,
  plans,
  "principal-keys": principalKeys,
  "quota-unreachable": quotaUnreachable,
  "reason-empty": reasonEmpty,
  "release-dead": releaseDead,
  "rule-conflict": ruleConflict,
  "rule-never-matches": ruleNeverMatches,
  "rule-shadowed": ruleShadowed,
  secrets,
  "service-without-provider": serviceWithoutProvider,
  "session-complete": sessionComplete,
  "state-on-disk": stateOnDisk,
  "step-up-without-principal": stepUpWithoutPrincipal,
  "system-header": systemHeader,
  "upstream-badges": upstreamBadges,
  "upstream-exports": upstreamExports,
  "upstream-held-by-init": upstreamHeldByInit,
  "upstream-names": upstreamNames,
  "upstream-programs": upstreamPrograms,
  "upstream-sources": upstreamSources,
  "upstream-words": upstreamWords,
  "where-always-met": whereAlwaysMet,
  "where-fits-arguments": whereFitsArguments,
  "where-unsatisfiable": whereUnsatisfiable,
  widening,
  "widens-parent": widensParent,
};
