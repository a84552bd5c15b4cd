/** Amounts of money as people write them, and as costs show them. Browsers read them too. */

/** What an amount of zero reads. */
export const freeText = 'Free';

/** One amount: what was written, the plain decimal number that it means, and its symbol. */
export interface Amount {
  readonly written: string;
  readonly value: string;
  readonly symbol: string;
  readonly position: '' | 'prefix' | 'postfix';
}

/** An amount without separators or with either kind of them, and what people write beside it. */
export const number = String.raw`\d+(?:[.,'\u00a0\u202f ]\d{3})*(?:[.,]\d+)?|[.,]\d+`;
export const symbol = String.raw`[A-Z]{0,3}\p{Sc}|[A-Z]{3}|[Kk]r\.?`;
const amountForm = new RegExp(`^(${symbol})?\\s*(${number})\\s*(${symbol})?$`, 'u');

/** Reads the text of a cost as it is shown: one amount, or the ends of a range; undefined for words. */
export function shownAmounts(text: string): readonly Amount[] | undefined {
  const parts = text.split(' \u2013 ');
  const amounts = parts.flatMap((part) => amountOf(part === freeText ? '0' : part) ?? []);
  return amounts.length === parts.length ? amounts : undefined;
}

/** Reads a text that is one amount. */
export function amountOf(text: string): Amount | undefined {
  const [, before, written, after] = amountForm.exec(text) ?? [];
  if (written === undefined || (before !== undefined && after !== undefined)) return undefined;
  return amount(written, before, after);
}

/** Returns the amount of a number and of the symbol before or after it. */
export function amount(written: string, before: string | undefined, after: string | undefined): Amount {
  const position = before !== undefined ? 'prefix' : after !== undefined ? 'postfix' : '';
  return { written, value: plainNumber(written), symbol: before ?? after ?? '', position };
}

/** Turns both ways of writing separators into a plain decimal number: the last separator is the decimal one, unless it groups three digits. */
function plainNumber(written: string): string {
  const [, whole = '', fraction] = /^(.*?)(?:[.,](\d+))?$/.exec(written) ?? [];
  const separators = written.replace(/\d/g, '');
  const last = separators.at(-1);
  const isGroup = fraction?.length === 3 && [...separators].every((other) => other === last) && whole !== '0';
  if (isGroup && !(separators === '.' && written.startsWith('0'))) return written.replace(/\D/g, '');
  const digits = whole.replace(/\D/g, '') || '0';
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}
