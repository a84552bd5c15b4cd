/** Tables as the reader's spreadsheet reads them when a file is opened by a double click: by the rules of the country that it is set to. */

import { columnHeads } from '../../../../shared/text/column-heads.ts';
import { isFormula } from '../../../../shared/text/formula.ts';
import { numberSource } from '../../common/browser/json.ts';
import type { PageLanguage } from '../../common/views/words.ts';

/** Where the comma is for decimals, the semicolon is between cells. */
const signs: Readonly<Record<PageLanguage, { readonly separator: string; readonly decimal: string }>> = {
  en: { separator: ',', decimal: '.' },
  da: { separator: ';', decimal: ',' },
  sv: { separator: ';', decimal: ',' },
};

/** Texts that a spreadsheet would make a number, a date or a truth of, such as the case 2026/2, 1E5 and 12 May. */
const rewritten = [
  /^(?=.*\d)[\d\s.,:/+%-]+$/,
  /^[+-]?[\d.,]+e[+-]?\d+$/i,
  /^\d{1,4}[\s.-]*(?:jan|feb|mar|apr|ma[ijy]|jun|jul|aug|sep|o[ck]t|nov|dec)[a-z]{0,6}\.?(?:[\s.-]*\d{1,4})?$/i,
  /^(?:jan|feb|mar|apr|ma[ijy]|jun|jul|aug|sep|o[ck]t|nov|dec)[a-z]{0,6}\.?[\s.,-]*\d[\d\s.,-]*$/i,
  /^(?:true|false|sand|falsk|sant)$/i,
];
/** Digits of a number that a spreadsheet keeps. */
const maxDigits = 15;
const moment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const day = /^\d{4}-\d\d-\d\d$/;

/** Returns rows as CSV, with the columns that any of them has something in. */
export function tableFor(
  rows: readonly Readonly<Record<string, unknown>>[],
  headOf: (name: string) => string,
  language: PageLanguage,
): string {
  const { separator } = signs[language];
  const isFilled = (name: string) => rows.some((row) => ![null, undefined, ''].includes(row[name] as null));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(isFilled);
  const labels = Object.fromEntries(names.map((name) => [name, headOf(name)]));
  const lines = [
    columnHeads(names, labels).map(({ head }) => quoted(harmless(head))),
    ...rows.map((row) => names.map((name) => cellOf(name, row[name], language))),
  ];
  // By the mark a spreadsheet knows UTF-8.
  return `\uFEFF${lines.map((cells) => `${cells.join(separator)}\r\n`).join('')}`;
}

function cellOf(name: string, value: unknown, language: PageLanguage): string {
  if (value === null || value === undefined) return '';
  const source = numberSource(value);
  if (source !== undefined)
    return /^-?\d+$/.test(source) && source.replace('-', '').length > maxDigits
      ? asText(source)
      : source.replace('.', signs[language].decimal);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (/^(created|updated)At$/.test(name) && moment.test(text)) return timeHere(text);
  if (name.startsWith('bkDate') && day.test(text)) return text;
  return rewritten.some((pattern) => pattern.test(text)) ? asText(text) : quoted(harmless(text));
}

/** A formula whose result is the text is the one form that stays a text. */
const asText = (text: string) => quoted(`="${text}"`);

/** A time in the zone of the reader: spreadsheets read no other zone. */
function timeHere(text: string): string {
  const time = new Date(text);
  const two = (part: number) => String(part).padStart(2, '0');
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

function harmless(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
