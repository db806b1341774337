/** A page of the site. */
export interface SitePage {
  /** Below the root of the site, without an extension: `language/session`. */
  readonly path: string;
  readonly title: string;
  readonly group: Group;
  /** The file that it is made of, relative to the checkout: links to that file lead here. Empty if it is made of none. */
  readonly source: string;
  /** The file from whose folder its links lead; empty if they lead from the page itself. */
  readonly linksFrom: string;
  /** Markdown. */
  readonly text: string;
}

/** The parts of the site, in the order of its menu. */
export const GROUPS = ["Start", "Tutorials", "Language", "Library", "Messages", "Rooms"] as const;

export type Group = (typeof GROUPS)[number];

/** Returns the first heading of a page, or the name of its file. */
export function readTitle(text: string, path: string): string {
  const [, heading] = /^# (.+)$/m.exec(text) ?? [];
  return heading?.replaceAll("`", "") ?? path.slice(path.lastIndexOf("/") + 1);
}
