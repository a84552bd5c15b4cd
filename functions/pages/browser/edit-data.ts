/** What editing knows: the forms, the caller and their rights, and the records as the API has them. */

import type { ContactView, EventView, FormField, PictureView, TermView } from '../views/types.ts';
import type { Word } from '../views/words.ts';
import { type Answer, send } from './api-client.ts';
import { readAll } from './lists.ts';
import { plain } from './plain.ts';
import { calendar, language, root, site, user } from './session.tsx';

export const collections = { event: 'events', venue: 'venues', organizer: 'organizers' } as const;
export type Kind = keyof typeof collections;
export type Entry = EventView | ContactView;
export type Values = Readonly<Record<string, unknown>>;

/** Words of a kind: its form when new and when not, and its list. */
export const wordsOf: Readonly<Record<Kind, readonly [Word, Word, Word]>> = {
  event: ['newEvent', 'editEvent', 'events'],
  venue: ['newVenue', 'editVenue', 'venues'],
  organizer: ['newOrganizer', 'editOrganizer', 'organizers'],
};
/** What a record is called in each status. */
export const statusWords: Readonly<Record<string, Word>> = {
  ...{ draft: 'draft', pending: 'pending', future: 'future', publish: 'isPublic', trash: 'trash' },
};

interface EditData {
  readonly forms: Readonly<Record<Kind, readonly FormField[]>>;
  /** Colours of categories by their ids. */
  readonly colors: Readonly<Record<number, string>>;
  /** Zone of the calendar. */
  readonly zone: string;
}

export const { forms, colors, zone }: EditData = JSON.parse(root.dataset['edit'] ?? '{}');
/** What the control of a field gets: the value that it shows, and what takes another one. */
export interface ControlProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

/** Address of the API of the platform, which has pictures and people. */
export const platform = `${site}/wp-json/wp/v2`;

interface Me {
  readonly id: number;
  readonly capabilities: Readonly<Record<string, boolean>>;
}

/** The caller; undefined for one who is not signed in. */
export const me = user ? (await send<Me>(`${platform}/users/me?context=edit`)).value : undefined;

/** Checks whether the caller may do something with events, and so with venues and organizers. */
export function may(action: 'edit' | 'publish' | 'edit_others'): boolean {
  return me?.capabilities[`${action}_tribe_events`] === true;
}

export const asked = new URLSearchParams(location.search);

/** Returns the address of the page for editing with other values, in the language that was chosen. */
export function hrefOf(values: Readonly<Record<string, string>>): string {
  const chosen = asked.get('translation_language');
  return `?${new URLSearchParams({ ...values, ...(chosen ? { translation_language: chosen } : {}) })}`;
}

/** The texts of a record are read and written in the language of the page. */
const ofLanguage = language === 'en' ? '' : `&translation_language=${language}`;
const pathOf = (kind: Kind, id?: number | string) =>
  `${calendar}/${collections[kind]}${id === undefined ? '' : `/${id}`}?context=edit${ofLanguage}`;

/** Reads a record, with the entity tag of its version. */
export function readEntry(kind: Kind, id: number | string): Promise<Answer<Entry>> {
  return send<Entry>(pathOf(kind, id));
}

/** Creates a record, or changes the version that was read; returns it as it is then. Throws a `Refusal`. */
export async function writeEntry(kind: Kind, body: Values, before?: Answer<Entry>): Promise<Answer<Entry>> {
  const init = { method: before ? 'PATCH' : 'POST', body: JSON.stringify(body) };
  const headers = before ? { 'If-Match': before.etag } : {};
  const { value } = await send<Entry>(pathOf(kind, before?.value.id), { ...init, headers });
  return readEntry(kind, value.id);
}

/** Moves a version of a record to the trash. */
export async function trashEntry(kind: Kind, { value, etag }: Answer<Entry>): Promise<void> {
  await send(pathOf(kind, value.id), { method: 'DELETE', headers: { 'If-Match': etag } });
}

/** Reads a list as the caller sees it. */
export function readList<View>(list: Parameters<typeof readAll>[0], filters: Record<string, string> = {}) {
  return readAll<View>(list, filters, async (path) => (await send<never>(path)).value);
}

/** Returns the title or name of a record. */
export function titleOf(kind: Kind, record: Entry): string {
  return plain(String((record as object as Values)[kind === 'event' ? 'title' : kind] ?? ''));
}

/** Returns what the control of a field shows of a record, or of a new one. */
export function valueIn(record: Entry | undefined, { name, control, initial }: FormField): unknown {
  const value = (record as Values | undefined)?.[name];
  if (control === 'check') return record === undefined ? initial === true : value === true;
  if (control === 'date')
    return String(value ?? '')
      .replace(' ', 'T')
      .slice(0, 16);
  if (control === 'names') return ((value ?? []) as TermView[]).map((term) => plain(term.name)).join(', ');
  if (control === 'terms' || control === 'links') return [value ?? []].flat();
  if (control === 'picture') return typeof value === 'object' ? value : false;
  if (control === 'html') return value ?? '';
  if (control === 'zone')
    return value ?? (zone === 'UTC' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone);
  // An event without a website shows the address of its page.
  return control === 'url' && value === record?.url ? '' : plain(String(value ?? ''));
}

const dateFields = ['start_date', 'end_date', 'all_day', 'timezone'];

/** Returns what is sent of the values of a form: those that were changed, and all of the dates together. */
export function bodyOf(kind: Kind, values: Values, changed: readonly string[]): Values {
  const isDated = kind === 'event' && dateFields.some((name) => changed.includes(name));
  const sent = forms[kind].filter(
    ({ name }) => changed.includes(name) || (isDated && dateFields.includes(name)),
  );
  return Object.fromEntries(
    sent.map(({ name, control }) => [name, sentOf(control, values[name], kind, values)]),
  );
}

function sentOf(control: FormField['control'], value: unknown, kind: Kind, values: Values): unknown {
  if (control === 'date')
    return String(value)
      .slice(0, values['all_day'] === true ? 10 : 16)
      .replace('T', ' ');
  if (control === 'names') return String(value).split(',');
  // Addresses with letters beyond ASCII are written as programs read them.
  if (control === 'url') return URL.parse(String(value))?.href ?? value;
  if (control === 'picture') return (value as PictureView).id ?? (kind === 'event' ? null : '');
  if (control === 'terms' || control === 'links')
    return (value as Values[]).map((item) => item['id'] ?? item);
  return value;
}
