import { GROUPS, type SitePage } from "./page.ts";

/** An entry of the menu; an entry without a link only contains other entries. */
interface MenuEntry {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly MenuEntry[];
  readonly collapsed?: boolean;
}

/**
 * Returns the menu, which has one part for each group, in the order of the groups. The entries of rooms are grouped
 * by folder.
 */
export function createMenu(pages: readonly SitePage[]): readonly MenuEntry[] {
  return GROUPS.flatMap((group): MenuEntry[] => {
    const own = pages.filter((page) => page.group === group && page.path !== "index");
    if (own.length === 0) return [];
    const items = group === "Rooms" ? nestRooms(own) : own.map(createEntry);
    return [{ text: group, collapsed: group === "Messages" || group === "Rooms", items }];
  });
}

function createEntry({ path, title }: SitePage): MenuEntry {
  return { text: title, link: `/${path}` };
}

function nestRooms(pages: readonly SitePage[]): readonly MenuEntry[] {
  const byFolder = Map.groupBy(pages, ({ path }) => path.split("/")[1] ?? "");
  return [...byFolder].map(([folder, own]) => ({ text: folder, collapsed: true, items: own.map(createRoomEntry) }));
}

function createRoomEntry(page: SitePage): MenuEntry {
  return { text: page.path.split("/").slice(1).join("/"), link: `/${page.path}` };
}
