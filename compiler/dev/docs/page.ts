/** A page of the site. */
export interface SitePage {
  /** Path below the root of the site, without an extension, for example `language/session`. */
  readonly path: string;
  readonly title: string;
  readonly group: Group;
  /**
   * Source file relative to the checkout; links to that file lead to this page. Empty if the page has no source file.
   */
  readonly source: string;
  /** File to whose folder the page's links are relative; empty if the links are relative to the page itself. */
  readonly linksFrom: string;
  /** Text in Markdown. */
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
