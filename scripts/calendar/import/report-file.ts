/** The report of one run of an import: its lists are shortened where they are printed, and whole in a file of text and one of JSON. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Keys and rows in a list. */
export const maxListed = 20;

/** A list of a report. */
export interface ReportList {
  /** What programs know it by, such as `filesLeft`. */
  readonly name: string;
  readonly title: string;
  readonly items: readonly string[];
}

/** Prints a list, and keeps it for the file; nothing for an empty one. */
export type ListItems = (name: string, title: string, items: readonly string[]) => void;

/** Facts about a run, which stand at the beginning of its files. */
export interface RunFacts {
  readonly source: string;
  readonly isDryRun: boolean;
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

export class RunReport {
  readonly #say: (line: string) => void;
  readonly #lists: ReportList[] = [];

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  readonly list: ListItems = (name, title, items) => {
    this.keep(name, title, items);
    for (const line of section(title, items)) this.#say(line);
  };

  /** Whether a list was printed in part. */
  get isShortened(): boolean {
    return this.#lists.some(({ items }) => items.length > maxListed);
  }

  /** Keeps a list that is printed otherwise. */
  keep(name: string, title: string, items: readonly string[]): void {
    if (items.length > 0) this.#lists.push({ name, title, items });
  }

  /** Writes the files `<path>.txt` and `<path>.json`, readable by their owner alone, since they may name what is private. */
  write(path: string, facts: RunFacts, now = new Date()): void {
    mkdirSync(dirname(path), { recursive: true });
    const { source, isDryRun, ...counts } = facts;
    const head = [
      `Import of ${source}, ${now.toISOString()}${isDryRun ? ': a dry run, nothing was written' : ''}`,
      Object.entries(counts)
        .map(([name, count]) => `${name}: ${count}`)
        .join(', '),
    ];
    const lists = this.#lists.map(({ title, items }) =>
      [`${title} (${items.length}):`, ...items.map((item) => `  ${item}`)].join('\n'),
    );
    const json = { ...facts, at: now.toISOString(), lists: this.#lists };
    writeFileSync(`${path}.txt`, `${[head.join('\n'), ...lists].join('\n\n')}\n`, { mode: 0o600 });
    writeFileSync(`${path}.json`, `${JSON.stringify(json, null, 2)}\n`, { mode: 0o600 });
  }
}

/** Returns the line of a list of keys, without a line for an empty list. */
export function section(title: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  return [
    `${title}: ${keys.slice(0, maxListed).join(', ')}${keys.length > maxListed ? ', ...' : ''} (${keys.length}).`,
  ];
}
