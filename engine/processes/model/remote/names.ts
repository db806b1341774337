// Translates names of functions: providers accept letters, digits, "_" and "-", but names of our tools have dots. Each name of a
// request is translated to a distinct name for the provider.

const MOST_CHARACTERS = 64;

export class Names {
  readonly #theirs = new Map<string, string>();
  readonly #ours = new Map<string, string>();

  constructor(names: Iterable<string>) {
    for (const name of names) this.#add(name);
  }

  /** Returns the provider's name for a tool of the request. */
  translateToTheirs(ours: string): string {
    return this.#theirs.get(ours) ?? sanitizeName(ours);
  }

  /** Returns whether this name was sent to the provider. */
  isTheirs(theirs: string): boolean {
    return this.#ours.has(theirs);
  }

  /** Returns the tool that a call means. An unknown name is returned unchanged: the gate reports that the tool does not exist. */
  translateToOurs(theirs: string): string {
    return this.#ours.get(theirs) ?? theirs;
  }

  #add(name: string): void {
    if (this.#theirs.has(name)) return;
    let candidate = sanitizeName(name);
    for (let count = 2; this.#ours.has(candidate); count += 1) candidate = numberName(name, count);
    this.#theirs.set(name, candidate);
    this.#ours.set(candidate, name);
  }
}

function sanitizeName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, MOST_CHARACTERS) || "_";
}

function numberName(name: string, count: number): string {
  const end = `_${count}`;
  return `${sanitizeName(name).slice(0, MOST_CHARACTERS - end.length)}${end}`;
}
