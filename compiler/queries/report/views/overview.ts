// Builds the overview for a reviewer: numbers of sessions, tools and other parts, the share of cells without approval,
// and notes about parts to review.

import { MODES } from "../../../../lang/grammar/index.ts";
import type { ChangeKind } from "../../diff/index.ts";
import type { Changes, Subject } from "../subject.ts";
import { describeCell } from "./cells.ts";
import { renderNames } from "./names.ts";

interface OverviewView {
  readonly figures: readonly { readonly count: number; readonly what: string; readonly href: string }[];
  /** Numbers of cells by decision. A bar shows each number as a part of its length. */
  readonly gates: readonly GateView[];
  readonly notes: readonly NoteView[];
}

interface GateView {
  readonly kind: string;
  readonly words: string;
  readonly cells: number;
  /** Start of this part of the bar in thousandths; `long` is the length of the part. */
  readonly from: number;
  readonly long: number;
}

interface NoteView {
  /** `bad`: something does not hold; `mind`: something that a reviewer should know; `well`: no problem. */
  readonly tone: "bad" | "mind" | "well";
  readonly words: string;
  readonly href: string;
}

const COUNTED = [...MODES, "none"] as const;
const WORDS = {
  auto: "auto: nobody is asked",
  consent: "consent: a person says yes",
  stepUp: "stepUp: a person signs",
  forbidden: "forbidden: never runs",
  none: "not there",
} as const satisfies Record<(typeof COUNTED)[number], string>;

export function buildOverviewView(subject: Subject): OverviewView {
  const { tables, processes, proofs } = subject;
  const sessions = new Set(tables.rows.map(({ session }) => session)).size;
  const figures = [
    { count: sessions, what: sessions === 1 ? "session" : "sessions", href: "#sessions" },
    { count: tables.tools.length, what: "tools", href: "#tools" },
    { count: tables.backends.length, what: tables.backends.length === 1 ? "model" : "models", href: "#models" },
    { count: processes.length, what: "processes", href: "#processes" },
    { count: countProved(subject), what: `of ${proofs.assertions.length} assertions proved`, href: "#proofs" },
  ];
  return { figures, gates: countGates(subject), notes: collectNotes(subject) };
}

function countProved({ proofs }: Subject): number {
  return proofs.assertions.filter(({ verdict }) => verdict === "proved").length;
}

function countGates({ tables }: Subject): readonly GateView[] {
  const counts = new Map<string, number>();
  for (const { cells } of tables.rows) {
    for (const cell of cells) {
      const { kind } = describeCell(tables.decisions, cell);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  const all = tables.rows.length * tables.tools.length;
  let from = 0;
  return COUNTED.map((kind) => {
    const cells = counts.get(kind) ?? 0;
    const long = all === 0 ? 0 : Math.round((cells * 1000) / all);
    const view = { kind, words: WORDS[kind], cells, from, long };
    from += long;
    return view;
  });
}

function collectNotes(subject: Subject): readonly NoteView[] {
  return [
    ...collectProofNotes(subject),
    ...changeNotes(subject),
    ...collectWideningNotes(subject),
    ...collectUngatedNotes(subject),
    ...collectMachineNotes(subject),
  ];
}

function collectWideningNotes({ model }: Subject): readonly NoteView[] {
  return model.sessions.flatMap(({ id, widenings }) =>
    widenings.map(({ node: { because, until } }): NoteView => {
      const end = until === undefined ? "" : ` until ${until.value}`;
      return { tone: "mind", words: `${id} is widened${end}: “${because.value}”`, href: "#sessions" };
    }),
  );
}

function collectProofNotes({ proofs }: Subject): readonly NoteView[] {
  const { assertions, waived, prompts, dead, loosened } = proofs;
  const failed = assertions.filter(({ verdict }) => verdict !== "proved");
  const endless = prompts.filter(({ asked }) => asked === "unbounded");
  return [
    ...failed.map(
      ({ assertion, verdict }): NoteView => ({ tone: "bad", words: `${verdict}: ${assertion}`, href: "#proofs" }),
    ),
    ...(failed.length > 0 ? [] : [{ tone: "well", words: "all that is asserted is proved", href: "#proofs" } as const]),
    ...note(waived.length, {
      one: "inherited assertion is taken back",
      many: "inherited assertions are taken back",
      href: "#proofs",
    }),
    ...note(dead.length, {
      one: "permission is of no use to any conversation",
      many: "permissions are of no use to any conversation",
      href: "#dead",
    }),
    ...note(loosened.length, {
      one: "line that forbids or asks for a signature has a looser one before it",
      many: "lines that forbid or ask for a signature have looser ones before them",
      href: "#loosened",
    }),
    ...note(endless.length, {
      one: "place may ask people without end",
      many: "places may ask people without end",
      href: "#sessions",
    }),
  ];
}

function changeNotes({ changes }: Subject): readonly NoteView[] {
  if (changes === undefined) return [];
  const count = (kind: ChangeKind) => changes.told.filter((change) => change.kind === kind).length;
  const open = changes.told.filter(({ widens, because }) => widens && because.length === 0).length;
  return [
    ...note(open, {
      one: "change widens authority and says no reason",
      many: "changes widen authority and say no reason",
      href: "#changes",
      tone: "bad",
    }),
    ...note(count("widened"), { one: "change widens authority", many: "changes widen authority", href: "#changes" }),
    ...note(count("moved"), {
      one: "change is neither wider nor narrower",
      many: "changes are neither wider nor narrower",
      href: "#changes",
    }),
    ...note(count("renamed"), { one: "thing has a new name", many: "things have new names", href: "#changes" }),
    ...collectUnchangedNotes(changes),
  ];
}

/**
 * Returns the note that nothing changed, or no note if something changed. For an incomplete comparison, returns only a
 * note with the reason why a change may be missing.
 */
function collectUnchangedNotes({ told, before, unseen }: Changes): readonly NoteView[] {
  const same = `nothing means anything else than in ${before}`;
  if (unseen !== undefined) return [{ tone: "mind", words: unseen, href: "#changes" }];
  return told.length > 0 ? [] : [{ tone: "well", words: same, href: "#changes" }];
}

/** Returns notes about tools that change something or send data out of the machine without a prompt. */
function collectUngatedNotes({ tables }: Subject): readonly NoteView[] {
  const found = { changing: new Set<string>(), leaving: new Set<string>() };
  for (const { cells } of tables.rows) {
    for (const [index, tool] of tables.tools.entries()) {
      if (describeCell(tables.decisions, cells[index] ?? 0).kind !== "auto") continue;
      if (!tool.readOnly) found.changing.add(tool.name);
      if (tool.networked) found.leaving.add(tool.name);
    }
  }
  return [
    ...noteTools(found.changing, "may change something at auto"),
    ...noteTools(found.leaving, "may reach the network at auto"),
  ];
}

const MOST_NAMED = 4;

function noteTools(tools: ReadonlySet<string>, what: string): readonly NoteView[] {
  if (tools.size === 0) return [];
  return [{ tone: "mind", words: `${renderNames([...tools], MOST_NAMED)} ${what}`, href: "#matrix" }];
}

function collectMachineNotes({ policy, tables, processes }: Subject): readonly NoteView[] {
  const { storage, image, network } = policy;
  const boots = tables.rows.find(({ session }) => session === image.boot);
  const open = boots?.login === "none" ? [`${image.boot}, which boots, is whoever's at the console`] : [];
  const facts = [
    ...open,
    ...(storage === undefined ? ["there is no data disk: what is on record ends with the run"] : []),
    ...(network === undefined ? [] : ["the machine has a network"]),
    ...(processes.length === 0 ? ["no image can be built of this page yet"] : []),
  ];
  return facts.map((words) => ({ tone: "mind", words, href: "#sessions" }) as const);
}

/** Words of a note for one item and for many items, and the link of the note. */
interface NoteWords {
  readonly one: string;
  readonly many: string;
  readonly href: string;
  readonly tone?: "bad" | "mind";
}

function note(count: number, { one, many, href, tone = "mind" }: NoteWords): readonly NoteView[] {
  return count === 0 ? [] : [{ tone, words: `${count} ${count === 1 ? one : many}`, href }];
}
