/** Prices in the form of the reader's language. */

import { type Amount, shownAmounts } from '../../../calendar/model/for-browsers/amounts.ts';
import type { EventView, ViewContext } from './types.ts';
import { locales } from './when.ts';

type Price = Pick<EventView, 'cost'> & Partial<Pick<EventView, 'cost_details'>>;
type PriceContext = Pick<ViewContext, 'currency' | 'language' | 'plain' | 'word'>;

/** Checks whether an event costs nothing. */
export function isFree({ cost }: Price): boolean {
  return shownAmounts(cost)?.every(({ value }) => Number(value) === 0) ?? false;
}

/** Returns the price of an event, `25 kr.` or `75–150 kr.`: as it was written where it has words, or a currency that nothing names. Empty for an event without one. */
export function priceOf({ cost, cost_details: details }: Price, context: PriceContext): string {
  const { language, plain, word } = context;
  if (isFree({ cost })) return word('free');
  const text = plain(cost);
  const amounts = shownAmounts(text);
  const currency = amounts && (details?.currency_code || currencyOf(amounts, context));
  if (!amounts || !currency) return text.replace(/^Free\b/, word('free'));
  const format = new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  });
  const [low = 0, high = low] = amounts.map(({ value }) => Number(value));
  if (low === high) return format.format(low);
  return low === 0 ? `${word('free')} – ${format.format(high)}` : format.formatRange(low, high);
}

/** Returns the currency of amounts: that of their symbol; undefined where it may be one of several. */
function currencyOf(amounts: readonly Amount[], { currency, language }: PriceContext): string | undefined {
  const symbol = amounts.find(({ symbol }) => symbol !== '')?.symbol ?? '';
  if (symbol === '€') return 'EUR';
  if (/^[A-Z]{3}$/.test(symbol)) return symbol;
  return currency !== '' && isSymbolOf(symbol, currency, language) ? currency : undefined;
}

function isSymbolOf(symbol: string, currency: string, language: ViewContext['language']): boolean {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat(locales[language], style).formatToParts(0);
  const own = parts.find(({ type }) => type === 'currency')?.value ?? '';
  const plainForm = (text: string) => text.replace('.', '').toLowerCase();
  return symbol === '' || plainForm(symbol) === plainForm(own);
}
