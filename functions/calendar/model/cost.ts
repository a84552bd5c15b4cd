/** Costs: texts, numbers and ranges as people write them, read for display and for machines (docs/calendar-contract.md, "Costs"). */

import { contactLine } from './text/html.ts';
import { slugOf } from './text/slug.ts';

/** Symbol before an amount that comes without one. */
const defaultSymbol = '$';

/** What an amount of zero reads. */
const freeText = 'Free';

/** What stands in `cost_details`: an empty symbol and position mean the default of the site. */
export interface CostDetails {
  readonly currency_symbol: string;
  readonly currency_code: string;
  readonly currency_position: string;
  readonly values: readonly string[];
}

/** A cost as it is shown. */
export interface Cost {
  readonly text: string;
  readonly details: CostDetails;
}

/** One amount: what was written, the plain decimal number that it means, and its symbol. */
interface Amount {
  readonly written: string;
  readonly value: string;
  readonly symbol: string;
  readonly position: '' | 'prefix' | 'postfix';
}

const noSymbol = { symbol: '', position: '' } as const;

const number = String.raw`\d+(?:[.,'\u00a0\u202f ]\d{3})*(?:[.,]\d+)?|[.,]\d+`;
const symbol = String.raw`[A-Z]{0,3}\p{Sc}|[A-Z]{3}|[Kk]r\.?`;
const amountForm = new RegExp(`^(${symbol})?\\s*(${number})\\s*(${symbol})?$`, 'u');
const rangeSeparator = /\s*[-\u2013\u2014]\s*/;
const amountInText = new RegExp(`(${symbol})?\\s*(${number})\\s*(${symbol})?`, 'gu');

const noDetails: CostDetails = {
  currency_symbol: '',
  currency_code: '',
  currency_position: '',
  values: [],
};

/** Returns the texts to store of a cost as it was sent: without tags, empty ones dropped. */
export function costTexts(cost: string | number | readonly (string | number)[]): string[] {
  return [cost]
    .flat()
    .map((item) => contactLine(String(item)))
    .filter((text) => text !== '');
}

/** Reads stored costs for display. Several make a range from the lowest to the highest; words among them are left out. */
export function readCost(texts: readonly string[]): Cost {
  if (texts.length === 0) return { text: '', details: noDetails };
  const amounts = texts.flatMap(amountsOf);
  return amounts.length > 0 ? rangeOf(sorted(amounts), texts.length === 1) : wordsOf(texts);
}

/** Returns the amounts of a text that is an amount or a range of two, else none. A symbol on one side of a range is that of both. */
function amountsOf(text: string): Amount[] {
  const parts = text.split(rangeSeparator);
  const amounts = parts.map(amountOf).filter((amount) => amount !== undefined);
  if (parts.length > 2 || amounts.length < parts.length) return [];
  const { symbol, position } = amounts.find((amount) => amount.symbol !== '') ?? noSymbol;
  return amounts.map((amount) => (amount.symbol === '' ? { ...amount, symbol, position } : amount));
}

function amountOf(text: string): Amount | undefined {
  const [, before, written, after] = amountForm.exec(text) ?? [];
  if (written === undefined || (before !== undefined && after !== undefined)) return undefined;
  return amount(written, before, after);
}

function amount(written: string, before: string | undefined, after: string | undefined): Amount {
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

function sorted(amounts: readonly Amount[]): Amount[] {
  return amounts.toSorted((a, b) => Number(a.value) - Number(b.value));
}

/** A range in one text with the default symbol has the default of the site, as clients know it; a list of costs has its symbol. */
function rangeOf(amounts: readonly Amount[], isOneText: boolean): Cost {
  const bounds = [amounts[0], amounts.at(-1)].filter((end) => end !== undefined);
  const [low, high] = bounds;
  if (low === undefined || high === undefined) return wordsOf([]);
  const isOne = Number(low.value) === Number(high.value);
  if (isOne && Number(low.value) === 0) return { text: freeText, details: { ...noDetails, values: ['0'] } };
  const text = isOne ? display(low) : `${display(low)} \u2013 ${display(high)}`;
  const values = [...new Set(amounts.map(({ value }) => value))];
  const withSymbol = bounds.find((end) => end.symbol !== '') ?? low;
  const isDefault =
    isOneText && !isOne && withSymbol.symbol === defaultSymbol && withSymbol.position === 'prefix';
  const details = {
    ...noDetails,
    currency_symbol: isDefault ? '' : withSymbol.symbol,
    currency_position: isDefault ? '' : withSymbol.position,
  };
  return { text, details: { ...details, values } };
}

function display({ written, value, symbol, position }: Amount): string {
  if (Number(value) === 0) return freeText;
  if (position === 'postfix') return written + symbol;
  return (position === 'prefix' ? symbol : defaultSymbol) + written;
}

/**
 * Texts with words are unchanged. The amounts in them are their values; without an amount, the words as slugs, so that every cost has a
 * value.
 */
function wordsOf(texts: readonly string[]): Cost {
  const text = texts.join(', ');
  const amounts = [...text.matchAll(amountInText)].map(([, before, written = '', after]) =>
    amount(written, before, after),
  );
  const values = amounts.length > 0 ? amounts.map(({ value }) => value) : texts.map(slugOrText);
  const withSymbol = amounts.find(({ symbol }) => symbol !== '');
  return {
    text,
    details: {
      ...noDetails,
      currency_symbol: withSymbol?.symbol ?? '',
      currency_position: withSymbol?.position ?? '',
      values: [...new Set(values)],
    },
  };
}

function slugOrText(text: string): string {
  return slugOf(text) || text;
}
