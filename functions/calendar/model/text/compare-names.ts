/** Created on first use, since its data takes milliseconds to load. */
let collator: Intl.Collator | undefined;

/** Compares two names for lists by the rules of English. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator('en');
  return collator.compare(a, b);
}
