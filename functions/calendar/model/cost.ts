/** Costs: texts, numbers and ranges as people write them, read for display and for machines (docs/calendar-contract.md, "Costs"). */

import { type Amount, amount, amountOf, freeText, number, symbol } from './for-browsers/amounts.ts';
import { contactLine } from './text/html.ts';
import { slugOf } from './text/slug.ts';

/** The currency of a calendar: of amounts that are written without one. */
export interface Currency {
  /** Three letters of ISO 4217. */
  readonly code: string;
  readonly symbol: string;
  readonly position: 'prefix' | 'postfix';
}

/** The currency of a calendar that names none, as clients of The Events Calendar know it. */
export const dollars: Currency = { code: 'USD', symbol: '$', position: 'prefix' };

/** Returns a currency with its symbol and where it stands in a language; undefined for a code that nobody knows. */
export function currencyOf(code: string, language: string): Currency | undefined {
  if (!Intl.supportedValuesOf('currency').includes(code)) return undefined;
  const style = { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat(language, style).formatToParts(1);
  const place = parts.findIndex(({ type }) => type === 'currency');
  return { code, symbol: parts[place]?.value ?? code, position: place === 0 ? 'prefix' : 'postfix' };
}

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

const noSymbol = { symbol: '', position: '' } as const;

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
export function readCost(texts: readonly string[], currency = dollars): Cost {
  if (texts.length === 0) return { text: '', details: noDetails };
  const amounts = texts.flatMap(amountsOf);
  return amounts.length > 0 ? rangeOf(sorted(amounts), texts.length === 1, currency) : wordsOf(texts);
}

/** Returns the amounts of a text that is an amount or a range of two, else none. A symbol on one side of a range is that of both. */
function amountsOf(text: string): Amount[] {
  const parts = text.split(rangeSeparator);
  const amounts = parts.map(amountOf).filter((amount) => amount !== undefined);
  if (parts.length > 2 || amounts.length < parts.length) return [];
  const { symbol, position } = amounts.find((amount) => amount.symbol !== '') ?? noSymbol;
  return amounts.map((amount) => (amount.symbol === '' ? { ...amount, symbol, position } : amount));
}

function sorted(amounts: readonly Amount[]): Amount[] {
  return amounts.toSorted((a, b) => Number(a.value) - Number(b.value));
}

/** A range in one text with the default symbol has the default of the site, as clients know it; a list of costs has its symbol. */
function rangeOf(amounts: readonly Amount[], isOneText: boolean, currency: Currency): Cost {
  const bounds = [amounts[0], amounts.at(-1)].filter((end) => end !== undefined);
  const [low, high] = bounds;
  if (low === undefined || high === undefined) return wordsOf([]);
  const isOne = Number(low.value) === Number(high.value);
  if (isOne && Number(low.value) === 0) return { text: freeText, details: { ...noDetails, values: ['0'] } };
  const [first, last] = [low, high].map((amount) => display(amount, currency));
  const text = isOne ? `${first}` : `${first} \u2013 ${last}`;
  const values = [...new Set(amounts.map(({ value }) => value))];
  const withSymbol = bounds.find((end) => end.symbol !== '') ?? low;
  const isDefault =
    isOneText && !isOne && withSymbol.symbol === currency.symbol && withSymbol.position === currency.position;
  const details = {
    ...noDetails,
    currency_symbol: isDefault ? '' : withSymbol.symbol,
    currency_position: isDefault ? '' : withSymbol.position,
  };
  return { text, details: { ...details, values } };
}

function display(amount: Amount, currency: Currency): string {
  const { written, value } = amount;
  if (Number(value) === 0) return freeText;
  const { symbol, position } = amount.symbol === '' ? currency : amount;
  return position === 'postfix' ? written + symbol : symbol + written;
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
