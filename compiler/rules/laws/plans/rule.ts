import { formatLabel, isSameLabel, type Label } from "../../../../engine/lib/policy/index.ts";
import type { Service, Session } from "../../../phases/bind/index.ts";
import {
  canRun,
  findReachableServices,
  getLogin,
  getModels,
  getQuotas,
  getServiceRange,
  getSessionOfPlans,
  getStartLabel,
  getTaskRequirement,
  indexServices,
  isPlanRunner,
  type Services,
  selectRowSessions,
  startOfConversation,
} from "../../../phases/policy/index.ts";
import { defineLaw, type Page, type Report } from "../../support/law.ts";
import { plansLabel, plansSessionUnfit, plansUnbounded, plansWithoutSession } from "./codes.ts";

/** Checks that the action plans of each service run in a separate session. The session must have quotas, and the label of the service. */
export const rule = defineLaw({
  reports: [plansLabel, plansSessionUnfit, plansUnbounded, plansWithoutSession],
  check: (page, report) => {
    const holders = page.model.services.filter(isPlanRunner);
    if (holders.length === 0 || page.model.damaged) return;
    const services = indexServices(page.model);
    for (const holder of holders) checkGrants(holder, report);
    const given = new Set<string>();
    for (const holder of holders) {
      const session = page.model.sessions.find(({ id }) => id === getSessionOfPlans(holder));
      if (session === undefined || session.damaged) continue;
      const unfit = given.has(session.id) ? TWICE : findUnfit(page, services, session);
      given.add(session.id);
      const names = { service: holder.name, session: session.id };
      if (unfit !== undefined) report(plansSessionUnfit.at(getSpan(holder), { ...names, ...unfit }));
      checkLabel(page, holder, session, report);
      checkQuotas(session, report);
    }
  },
});

function checkGrants({ name, grants, node }: Service, report: Report): void {
  const [grant, ...others] = grants;
  const isWhole = grant?.to.kind === "session" && grant.scopes.length === 0 && others.length === 0;
  if (isWhole) return;
  const what = grant === undefined ? "has no grant of a session" : "must have exactly one grant, of a whole session";
  report(plansWithoutSession.at(node.name.span, { service: name, what }));
}

interface Unfit {
  readonly what: string;
  readonly instead: string;
}

const TWICE: Unfit = { what: "another service uses already", instead: "give each of them a session of its own" };

function findUnfit(page: Page, services: Services, session: Session): Unfit | undefined {
  if (!selectRowSessions(page.model).includes(session))
    return { what: "is abstract", instead: "name a session that is not abstract" };
  if (page.model.image?.boot?.id === session.id)
    return { what: "is the boot session", instead: "boot a session for people" };
  if (getModels(session).length > 0)
    return { what: "has a model", instead: "leave `models` out: only plans propose calls in this session" };
  // No person can log in to this session, because it has no loop. With a login it would stay locked, and every
  // plan would be refused.
  if (getLogin(session) !== undefined)
    return {
      what: "needs a login, which no person can do there",
      instead: "leave `login` out; `stepUp` asks a principal for a signature",
    };
  if (getTaskRequirement(session) !== undefined)
    return {
      what: "requires a task, which no person can begin there",
      instead: "leave `requires task` out: plans begin none",
    };
  const plans = page.model.tools.find(({ service }, index) => {
    const reached = [service, ...findReachableServices(service, services)];
    return canRun(page.resolution.get(session)?.[index]) && reached.some(isPlanRunner);
  });
  return plans && { what: `may itself call \`${plans.name}\``, instead: `suppress \`${plans.service.name}.*\` there` };
}

function checkLabel({ model: { lattice } }: Page, holder: Service, session: Session, report: Report): void {
  const { low, high } = getServiceRange(holder);
  const start = startOfConversation(lattice, getStartLabel(session));
  if (isSameLabel(low, high) && isSameLabel(high, start)) return;
  const formatPlanLabel = (label: Label) => formatLabel(lattice, label);
  const has = isSameLabel(low, high) ? formatPlanLabel(high) : `${formatPlanLabel(low)} .. ${formatPlanLabel(high)}`;
  const names = { service: holder.name, session: session.id };
  report(plansLabel.at(holder.node.name.span, { ...names, has, wants: formatPlanLabel(start) }));
}

/** Scopes of quotas that do not start again with each plan. */
const LASTING: ReadonlySet<string> = new Set(["conversation", "login", "principal", "hour", "day"]);

function checkQuotas(session: Session, report: Report): void {
  const quotas = [...getQuotas(session).values()].map(({ quota }) => quota);
  for (const unit of ["calls", "prompts"]) {
    if (quotas.some((quota) => quota.unit === unit && LASTING.has(quota.scope))) continue;
    report(plansUnbounded.at(session.node.name.span, { session: session.id, unit }));
  }
}

function getSpan({ grants, node }: Service) {
  return grants[0]?.node.to.span ?? node.name.span;
}
