/** The records that a person edits: the caller's rights, the fields, and how records are read and written. */

import { type Answer, send, sendOnce } from '../../common/browser/api-client.ts';
import type { Values } from '../../common/browser/fields.tsx';
import { type ListName, type ListPage, plain, readAll, readPage } from '../../common/browser/lists.ts';
import { calendar, language, root, user } from '../../common/browser/session.tsx';
import type { ContactView, EventView, FormField, PictureView, TermView } from '../../common/views/types.ts';
import type { PageLanguage } from '../../common/views/words.ts';
import { type Scope, type SeriesView, seriesPath } from './series.ts';

export const collections = { event: 'events', venue: 'venues', organizer: 'organizers' } as const;
export type Kind = keyof typeof collections;
export type Entry = EventView | ContactView;

/** The box of a size; null for any height. */
interface SizeBox {
  readonly width: number;
  readonly height: number | null;
  readonly isCropped?: true;
}

/** A language of the texts of the calendar. */
export interface TextLanguage {
  /** The name under which the API has its texts. */
  readonly part: string;
  readonly code: PageLanguage;
  /** Whether its texts are those that others are made on. */
  readonly isOriginal: boolean;
  /** Whether the fields of the form are in it. */
  readonly isOfForm: boolean;
}

interface EditData {
  readonly textLanguages: readonly TextLanguage[];
  readonly forms: Readonly<Record<Kind, readonly FormField[]>>;
  /** Colours of categories by their ids. */
  readonly colors: Readonly<Record<number, string>>;
  /** Zone of the calendar, and the code of its currency. */
  readonly zone: string;
  readonly currency: string;
  /** Names and boxes of the sizes, in pixels, and the bytes of an upload at most. */
  readonly pictures: {
    readonly sizes: readonly (readonly [name: string, box: SizeBox])[];
    readonly maxBytes: number;
  };
}

export const { forms, colors, zone, currency, pictures, textLanguages }: EditData = JSON.parse(
  root.dataset['edit'] ?? '{}',
);

interface Me {
  readonly id: number;
  readonly may: Readonly<Record<'edit' | 'publish' | 'upload' | 'edit_others', boolean>>;
}

/** The caller; undefined without a sign-in. */
export const me = user ? (await send<Me>(`${calendar}/users/me`)).value : undefined;

/** Checks whether the caller has a right on events, and so on venues and organizers. */
export function may(action: keyof Me['may']): boolean {
  return me?.may[action] === true;
}

export const address = new URLSearchParams(location.search);

/** Returns the address of the page for editing with other values, in the language of this one. */
export function hrefOf(values: Readonly<Record<string, string>>): string {
  const ofLanguage = address.get('translation_language');
  return `?${new URLSearchParams({ ...values, ...(ofLanguage && { translation_language: ofLanguage }) })}`;
}

/** The texts of a record are read and written in the language of the page. */
const ofLanguage = language === 'en' ? '' : `&translation_language=${language}`;
export const pathOf = (kind: Kind, id?: number | string) =>
  `${calendar}/${collections[kind]}${id === undefined ? '' : `/${id}`}?context=edit${ofLanguage}`;

/** Reads a record, with the entity tag of its version. */
export function readEntry(kind: Kind, id: number | string): Promise<Answer<Entry>> {
  return send<Entry>(pathOf(kind, id));
}

/** Creates a record, or a series of events; returns it, or the first event, or those that the same request has created before. Throws a `Refusal`. */
export async function createEntry(kind: Kind, body: Values, key: string): Promise<Answer<Entry>> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'Idempotency-Key': key } };
  if (isSeries(body)) {
    const { value } = await sendOnce<SeriesView>(seriesPath(), init);
    return readEntry(kind, value.dates[0]?.event ?? 0);
  }
  const { value } = await sendOnce<Entry>(pathOf(kind), init);
  return readEntry(kind, value.id);
}

/** Changes the version of a record that was read; returns the new one. Throws a `Refusal`. */
export async function changeEntry(kind: Kind, body: Values, base: Answer<Entry>): Promise<Answer<Entry>> {
  const init = { method: 'PATCH', body: JSON.stringify(body), headers: { 'If-Match': base.etag } };
  const { value } = await send<Entry>(pathOf(kind, base.value.id), init);
  return readEntry(kind, value.id);
}

/**
 * Changes dates of the series of an event that was read, this one, later ones or all; or makes it the first of a series. Returns the event, or
 * the next one where its date is one of the series no longer.
 */
export async function changeSeries(body: Values, scope: Scope, base: Answer<Entry>): Promise<Answer<Entry>> {
  const { series, id } = base.value as EventView;
  const method = series === undefined ? 'POST' : 'PATCH';
  const sent = JSON.stringify({ ...body, event: id, ...(series === undefined ? {} : { scope }) });
  const init = { method, body: sent, headers: { 'If-Match': base.etag } };
  const { dates } = (await send<SeriesView>(seriesPath(series?.id), init)).value;
  const day = series?.recurrence_id ?? '';
  const isSame = dates.some(({ event }) => event === id);
  const next = dates.find(({ recurrence_id }) => recurrence_id >= day) ?? dates.at(-1);
  return readEntry('event', isSame ? id : (next?.event ?? id));
}

/** Moves dates of the series of an event that was read to the trash. */
export async function trashSeries(scope: Scope, { value, etag }: Answer<Entry>): Promise<void> {
  const { series, id } = value as EventView;
  const path = `${seriesPath(series?.id).split('?')[0]}?${new URLSearchParams({ scope, event: String(id) })}`;
  await send(path, { method: 'DELETE', headers: { 'If-Match': etag } });
}

/** Checks whether a body has a rule, or chosen dates. */
const isSeries = (body: Values) => 'rrule' in body;

/** Moves a version of a record to the trash. */
export async function trashEntry(kind: Kind, { value, etag }: Answer<Entry>): Promise<void> {
  await send(pathOf(kind, value.id), { method: 'DELETE', headers: { 'If-Match': etag } });
}

const read = async (path: string) => (await send<ListPage>(path)).value;

/** Reads a list as the caller may see it. */
export function readList<View>(list: ListName) {
  return readAll<View>(list, {}, read);
}

/** Reads one page of the records of a kind as the caller may see them, and how many there are on all pages. */
export async function readEntries(kind: Kind, filters: Readonly<Record<string, string>>, page: number) {
  const list = collections[kind];
  const { [list]: items, total } = await readPage(list, filters, page, read);
  return { items: items as readonly Entry[], total };
}

/** Reads what waits for review among the records that filters find, whatever their status; what waits longest comes first. */
export async function readWaiting(
  kind: Kind,
  filters: Readonly<Record<string, string>>,
): Promise<readonly Entry[]> {
  const items = await readAll<Entry>(collections[kind], { ...filters, status: 'pending' }, read);
  const since = ({ submitted_utc, date }: Entry & { readonly date?: string }) => submitted_utc ?? date ?? '';
  return items.sort((one, other) => since(one).localeCompare(since(other)) || one.id - other.id);
}

/** Returns the title or name of a record. */
export function titleOf(kind: Kind, record: Entry): string {
  return plain(String((record as object as Values)[kind === 'event' ? 'title' : kind] ?? ''));
}

const textOfLanguage = /^translations\.(\w+)\.(\w+)$/;

/** Returns the name of a text in another language than that of the form. */
export const translationName = (part: string, name: string) => `translations.${part}.${name}`;

/** The texts that are said to be right still, `da.title`. */
export const confirmedField = 'confirmed_translations';

/** Checks whether a field of a form stands beside one of its own. */
export const isOfOtherLanguage = ({ name, translates }: FormField) =>
  translates !== undefined || name === confirmedField;

/** Returns the value of a field in a form of a record, or of a new one. */
export function valueIn(record: Entry | undefined, { name, control, initial, options }: FormField): unknown {
  const [, part = '', ofField = ''] = textOfLanguage.exec(name) ?? [];
  const value =
    record?.translations?.[part]?.[ofField] ?? record?.raw?.[name] ?? (record as Values | undefined)?.[name];
  const text = String(value ?? '');
  switch (control) {
    case 'check':
      return record === undefined ? initial === true : value === true;
    case 'date':
    case 'moment':
      return text.replace(' ', 'T').slice(0, 16);
    case 'names':
      return ((value ?? []) as TermView[]).map(({ id, name }) => ({ id, name: plain(name) }));
    case 'terms':
    case 'links':
      return [value ?? []].flat();
    case 'picture':
      return typeof value === 'object' ? value : false;
    case 'confirmed':
      return [];
    case 'repeat':
      return record !== undefined && 'series' in record ? { series: record.series } : undefined;
    case 'html':
      return text;
    case 'zone':
      return text || (zone === 'UTC' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone);
    case 'choice':
      return text || options?.[0]?.[0];
    case 'url':
      // An event without a website shows the address of its page.
      return value === record?.url ? '' : text;
    default:
      return plain(text);
  }
}

/** Returns the values of all fields in a form of a record, or of a new one. */
export function valuesOf(kind: Kind, record: Entry | undefined): Values {
  return Object.fromEntries(forms[kind].map((field) => [field.name, valueIn(record, field)]));
}

/** Checks whether two values of a field are the same: records are, whatever a list shows of them. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const { id } = one as { readonly id?: number };
  return one === other || (id !== undefined && id === (other as { readonly id?: number }).id);
}

/** Dates mean something together alone, so that a person who compares two versions sees all of them. */
export const dateFields = ['start_date', 'end_date', 'all_day', 'timezone'];

/** Returns the fields of which some have changes, with those that belong to them. */
export function fieldsAround(kind: Kind, changes: Values): readonly FormField[] {
  const isDated = dateFields.some((name) => name in changes);
  const originals = new Set(originalsOf(kind, changes));
  return forms[kind].filter(
    ({ name, control }) =>
      control !== 'repeat' &&
      (name in changes || originals.has(name) || (isDated && dateFields.includes(name))),
  );
}

/** Returns the names of the originals of texts that were changed in another language: those may have changed, too. */
function originalsOf(kind: Kind, changes: Values): readonly string[] {
  const original = textLanguages.find(({ isOriginal }) => isOriginal);
  if (original === undefined) return [];
  const isOfForm = original.isOfForm;
  return forms[kind].flatMap(({ name, translates }) => {
    const own = forms[kind].some((field) => field.translates === name) ? name : translates;
    if (!(name in changes) || own === undefined) return [];
    return [isOfForm ? own : translationName(original.part, own)];
  });
}

/** Returns the body of a write: the changed values alone. `values` has those of all fields. */
export function bodyOf(kind: Kind, changes: Values, values: Values): Values {
  // A repetition is a rule, and no value of an event.
  const fields = forms[kind].filter(({ name, control }) => name in changes && control !== 'repeat');
  const body: Record<string, unknown> = {};
  const translations: Record<string, Record<string, unknown>> = {};
  for (const { name, control } of fields) {
    const [, part, text = ''] = textOfLanguage.exec(name) ?? [];
    const member = memberOf(control, values, name, kind);
    if (part === undefined) body[name] = member;
    else translations[part] = { ...translations[part], [text]: member };
  }
  return Object.keys(translations).length === 0 ? body : { ...body, translations };
}

function memberOf(control: FormField['control'], values: Values, name: string, kind: Kind): unknown {
  const value = values[name];
  const text = String(value);
  switch (control) {
    case 'date':
      return text.slice(0, values['all_day'] === true ? 10 : 16).replace('T', ' ');
    case 'moment':
      // Nothing is left as it is: a record has always a date of publication.
      return text === '' ? undefined : text.replace('T', ' ');
    case 'text':
      return toHtml(text);
    case 'names':
      return (value as Partial<TermView>[]).map(({ id, name = '' }) => id ?? { name: toHtml(name) });
    case 'url':
      return addressOf(text);
    case 'picture':
      return (value as PictureView).id ?? (kind === 'event' ? null : '');
    case 'terms':
    case 'links':
      return (value as Values[]).map((item) => item['id'] ?? newRecord(item));
    default:
      return value;
  }
}

/** Returns the body of a new venue or organizer. */
const newRecord = (texts: Values) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, toHtml(String(text))]));

/** Returns an address as programs read it: with a scheme, and in ASCII. */
function addressOf(text: string): string {
  const written = text.trim();
  const hasScheme = written === '' || /^(?:https?|ftps?|mailto|tel|webcal):/i.test(written);
  return URL.parse(hasScheme ? written : `https://${written}`)?.href ?? written;
}

/** Returns a plain text as the API takes it, which reads texts as HTML: what looks like an entity stays as it was typed. */
function toHtml(text: string): string {
  const html = text.replaceAll('<', '&lt;');
  return plain(html) === text.trim() ? html : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
