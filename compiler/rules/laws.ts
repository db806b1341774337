import { rule as adminOutsideOperator } from "./laws/admin-outside-operator/rule.ts";
import { rule as backendUnreachable } from "./laws/backend-unreachable/rule.ts";
import { rule as backendWithoutEngine } from "./laws/backend-without-engine/rule.ts";
import { rule as credentialInSource } from "./laws/credential-in-source/rule.ts";
import { rule as currencyUnknown } from "./laws/currency-unknown/rule.ts";
import { rule as embedderUnfit } from "./laws/embedder-unfit/rule.ts";
import { rule as emptyPhase } from "./laws/empty-phase/rule.ts";
import { rule as floorDead } from "./laws/floor-dead/rule.ts";
import { rule as grants } from "./laws/grants/rule.ts";
import { rule as idleTime } from "./laws/idle-time/rule.ts";
import { rule as imageComplete } from "./laws/image-complete/rule.ts";
import { rule as ingressBeginsNothing } from "./laws/ingress-begins-nothing/rule.ts";
import { rule as interfaceWithoutService } from "./laws/interface-without-service/rule.ts";
import { rule as labelOrder } from "./laws/label-order/rule.ts";
import { rule as lineNeverDecides } from "./laws/line-never-decides/rule.ts";
import { rule as loginWithoutPrincipal } from "./laws/login-without-principal/rule.ts";
import { rule as looserThanParentCategory } from "./laws/looser-than-parent-category/rule.ts";
import { rule as meaningUnfit } from "./laws/meaning-unfit/rule.ts";
import { rule as misplacedInherit } from "./laws/misplaced-inherit/rule.ts";
import { rule as namesAlike } from "./laws/names-alike/rule.ts";
import { rule as narrowingDead } from "./laws/narrowing-dead/rule.ts";
import { rule as network } from "./laws/network/rule.ts";
import { rule as notEnforcedYet } from "./laws/not-enforced-yet/rule.ts";
import { rule as passphraseOnDisk } from "./laws/passphrase-on-disk/rule.ts";
import { rule as phaseNeedsGate } from "./laws/phase-needs-gate/rule.ts";
import { rule as plans } from "./laws/plans/rule.ts";
import { rule as principalKeys } from "./laws/principal-keys/rule.ts";
import { rule as quotaUnreachable } from "./laws/quota-unreachable/rule.ts";
import { rule as reasonEmpty } from "./laws/reason-empty/rule.ts";
import { rule as releaseDead } from "./laws/release-dead/rule.ts";
import { rule as ruleConflict } from "./laws/rule-conflict/rule.ts";
import { rule as ruleNeverMatches } from "./laws/rule-never-matches/rule.ts";
import { rule as ruleShadowed } from "./laws/rule-shadowed/rule.ts";
import { rule as secrets } from "./laws/secrets/rule.ts";
import { rule as serviceWithoutProvider } from "./laws/service-without-provider/rule.ts";
import { rule as sessionComplete } from "./laws/session-complete/rule.ts";
import { rule as sessionWithoutTask } from "./laws/session-without-task/rule.ts";
import { rule as stateOnDisk } from "./laws/state-on-disk/rule.ts";
import { rule as stepUpWithoutPrincipal } from "./laws/step-up-without-principal/rule.ts";
import { rule as systemHeader } from "./laws/system-header/rule.ts";
import { rule as testUnknownArgument } from "./laws/test-unknown-argument/rule.ts";
import { rule as upstreamBadges } from "./laws/upstream-badges/rule.ts";
import { rule as upstreamExports } from "./laws/upstream-exports/rule.ts";
import { rule as upstreamHeldByInit } from "./laws/upstream-held-by-init/rule.ts";
import { rule as upstreamNames } from "./laws/upstream-names/rule.ts";
import { rule as upstreamPrograms } from "./laws/upstream-programs/rule.ts";
import { rule as upstreamSources } from "./laws/upstream-sources/rule.ts";
import { rule as upstreamWords } from "./laws/upstream-words/rule.ts";
import { rule as whereAlwaysMet } from "./laws/where-always-met/rule.ts";
import { rule as whereFitsArguments } from "./laws/where-fits-arguments/rule.ts";
import { rule as whereUnsatisfiable } from "./laws/where-unsatisfiable/rule.ts";
import { rule as widening } from "./laws/widening/rule.ts";
import { rule as widensParent } from "./laws/widens-parent/rule.ts";
import type { Law } from "./support/law.ts";

/** Every law by the name of its folder. Laws are independent, so their order has no meaning. */
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
  "ingress-begins-nothing": ingressBeginsNothing,
  "interface-without-service": interfaceWithoutService,
  "label-order": labelOrder,
  "line-never-decides": lineNeverDecides,
  "login-without-principal": loginWithoutPrincipal,
  "looser-than-parent-category": looserThanParentCategory,
  "meaning-unfit": meaningUnfit,
  "misplaced-inherit": misplacedInherit,
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
  "session-without-task": sessionWithoutTask,
  "state-on-disk": stateOnDisk,
  "step-up-without-principal": stepUpWithoutPrincipal,
  "system-header": systemHeader,
  "test-unknown-argument": testUnknownArgument,
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
