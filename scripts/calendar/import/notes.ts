/** What an import did not understand in a file, collected for its report. */

/** Values that a message lists, at most. */
const maxListed = 20;
/** Characters of a listed value, at most. */
const maxLength = 60;

/** Values by the sentence that explains them. */
export class Notes {
  readonly #values = new Map<string, Set<string>>();

  add(title: string, value: string): void {
    this.#values.set(title, (this.#values.get(title) ?? new Set()).add(value));
  }

  lines(): string[] {
    return [...this.#values].map(([title, values]) => `${title}: ${shortList([...values])}.`);
  }
}

function shortList(texts: readonly string[]): string {
  const names = texts
    .slice(0, maxListed)
    .map((text) => `"${text.slice(0, maxLength)}"`)
    .join(', ');
  return texts.length > maxListed ? `${names} and ${texts.length - maxListed} more` : names;
}
