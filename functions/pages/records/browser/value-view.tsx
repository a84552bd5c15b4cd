/** Values in the form of their reader: lists of facts, tables, dates, numbers and words, however deep they are nested. */

import type { ComponentChildren } from 'preact';
import type { Values } from '../../common/browser/fields.tsx';
import { isObject, numberSource } from '../../common/browser/json.ts';
import { useMore } from '../../common/browser/more.tsx';
import { language, word } from '../../common/browser/session.tsx';
import { Table } from '../../common/browser/table.tsx';
import { readableMoment, readableNumber, wordsByName } from './reading.ts';
import { useTechnical } from './technical.tsx';

interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  /** Whether a number is one of a column of amounts. */
  readonly isAmount?: boolean;
}

/** Checks whether a number has decimals, as amounts and measures do. One without is as often a reference, a year or an id, whose digits belong together. */
function hasDecimals(source: string): boolean {
  return source.includes('.');
}

/** A value under its name, which who does not see its place hears before a table. */
export function Value({ name, value, isAmount = false }: ValueProps) {
  const source = numberSource(value);
  if (source !== undefined)
    return isAmount || hasDecimals(source) ? (
      <span class="exact amount">{readableNumber(source, language)}</span>
    ) : (
      <span class="exact">{readableNumber(source, language, 'ungrouped')}</span>
    );
  if (typeof value === 'string' && value !== '') return <Moment text={value} />;
  if (typeof value === 'boolean') return <>{word(value ? 'yes' : 'no')}</>;
  if (Array.isArray(value)) return <Elements name={name} values={value} />;
  if (isObject(value) && Object.keys(value).length > 0) return <Members value={value} />;
  return <span class="muted">{word(isObject(value) ? 'noValues' : 'notSet')}</span>;
}

interface MomentProps {
  readonly text: string;
  readonly to?: 'minute';
}

/** A day or time in words; another text as it is. */
export function Moment({ text, to }: MomentProps) {
  const readable = readableMoment(text, language, to);
  if (readable === undefined) return <Text text={text} />;
  return (
    <time class="exact" dateTime={text}>
      {readable}
    </time>
  );
}

/** Characters of a text that wants more room than a narrow column. */
const longText = 40;

/** Rows, elements and members that are drawn at once, and characters. */
const step = 100;
const charactersOfStep = 20_000;

/** A text with its lines. */
export function Text({ text }: { readonly text: string }) {
  const { shown, more } = useMore(text.length, charactersOfStep);
  return (
    <>
      <span class={text.length > longText ? 'lines long' : 'lines'}>
        {shown === text.length ? text : text.slice(0, shown).toWellFormed()}
      </span>
      {more}
    </>
  );
}

function Elements({ name, values }: { readonly name: string; readonly values: readonly unknown[] }) {
  const isTechnical = useTechnical();
  const { shown, more } = useMore(values.length, step);
  const drawn = values.slice(0, shown);
  if (values.length === 0) return <span class="muted">{word('noValues')}</span>;
  if (values.every((value) => isObject(value) && Object.keys(value).length > 0))
    return (
      <>
        <Table
          caption={name}
          isCaptionHidden
          {...rowsOf(values as readonly Values[], shown, isTechnical)}
          rowCount={values.length}
        />
        {more}
      </>
    );
  return (
    <>
      <ul class="elements">
        {drawn.map((value, index) => (
          <li key={index}>
            <Value name={name} value={value} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** Returns the first rows, and the heads of amounts; the words of the heads are those of all. */
function rowsOf(values: readonly Values[], count: number, isTechnical: boolean) {
  const words = wordsByName([...new Set(values.flatMap((value) => Object.keys(value)))]);
  // In one column all numbers are read alike.
  const amounts = new Set(
    values.flatMap((value) =>
      Object.entries(value).flatMap(([name, member]) =>
        hasDecimals(numberSource(member) ?? '') ? [name] : [],
      ),
    ),
  );
  const headIn = (name: string) => headOf(words.get(name) ?? name, name, isTechnical);
  const rows = values
    .slice(0, count)
    .map((value) =>
      Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          headIn(name),
          <Value key={name} name={words.get(name) ?? name} value={member} isAmount={amounts.has(name)} />,
        ]),
      ),
    );
  return { rows, amounts: new Set([...amounts].map(headIn)) };
}

/** Returns what a field is called: its words, with the technical name where that is shown and says more. */
export function headOf(words: string, name: string, isTechnical: boolean): string {
  return isTechnical && name !== '' && words !== name ? `${words} (${name})` : words;
}

export interface Fact {
  readonly name: string;
  readonly label: string;
  readonly value: ComponentChildren;
}

/** Facts under their labels. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const isTechnical = useTechnical();
  return (
    <dl class="facts">
      {facts.map(({ name, label, value }) => (
        <div key={name}>
          <dt>
            {label}
            {isTechnical && label !== name && (
              <>
                {' '}
                <code>{name}</code>
              </>
            )}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Members({ value }: { readonly value: Values }) {
  const members = Object.entries(value);
  const { shown, more } = useMore(members.length, step);
  const words = wordsByName(members.map(([name]) => name));
  const facts = members.slice(0, shown).map(([name, member]) => {
    const label = words.get(name) ?? name;
    return { name, label, value: <Value name={label} value={member} /> };
  });
  return (
    <>
      <Facts facts={facts} />
      {more}
    </>
  );
}
