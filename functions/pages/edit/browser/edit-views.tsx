/** Readings of a record that is edited: as its page would be, and the texts of its fields. */

import { useEffect, useRef } from 'preact/hooks';
import type { Values } from '../../common/browser/fields.tsx';
import { plain } from '../../common/browser/lists.ts';
import { calendar, language, site, word } from '../../common/browser/session.tsx';
import { locales, timeOfText } from '../../common/views/when.ts';
import { Article } from '../../site/views/article.tsx';
import { colors, currency, type Entry, type Kind } from './edit-data.ts';
import { isPending, previewOf } from './picture-upload.ts';

interface PreviewProps {
  readonly kind: Kind;
  readonly values: Values;
  readonly record: Entry | undefined;
  readonly close: () => void;
}

/** The page of a record with its unsaved changes, in a dialog over the form. */
export function Preview({ kind, values, record, close }: PreviewProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const title = String(values['title'] ?? values[kind] ?? '') || word('untitled');
  const start_date = wallTime(String(values['start_date']));
  const end_date = wallTime(String(values['end_date']));
  const dates = { start_date, end_date, utc_start_date: start_date, utc_end_date: end_date };
  const ofEvent = {
    ...dates,
    timezone_abbr: abbreviationOf(String(values['timezone']), start_date),
    tags: [],
  };
  const { image } = values;
  const picture = isPending(image) ? { url: previewOf(image), alt: image.alt } : image;
  // The API says nothing of an event that takes place as announced.
  const status = values['event_status'] === 'scheduled' ? { event_status: undefined } : {};
  const ofKind = kind === 'event' ? { ...ofEvent, ...status } : {};
  const view = { ...record, ...values, image: picture, ...ofKind } as unknown as Entry;
  // What is written in the form is in the language of the page.
  const here = { language, textLanguage: language } as const;
  const context = { site, calendar, ...here, query: '', word, plain, currency, target: '_blank' } as const;
  return (
    <dialog ref={dialog} class="preview" aria-label={word('preview')} onClose={close}>
      <button type="button" class="outline" onClick={() => dialog.current?.close()}>
        {word('close')}
      </button>
      <Article record={view} title={title} context={context} colorOf={({ id }) => colors[id] ?? ''} />
    </dialog>
  );
}

/** Returns the abbreviation of a zone at a time, as pages have it: `CET`; the name of a zone that browsers do not know. */
function abbreviationOf(zone: string, wall: string): string {
  if (zone !== 'UTC' && !Intl.supportedValuesOf('timeZone').includes(zone)) return zone;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' });
  return format.formatToParts(timeOfText(wall)).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** Returns a time of a form as the API shows it: `2030-06-01 19:00:00`; the present one for none. */
function wallTime(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\d/.test(text);
  const minutes = (isTime ? text : `${new Date().toISOString().slice(0, 10)}T23:59`)
    .slice(0, 16)
    .replace('T', ' ');
  return `${minutes.padEnd(16, ' 00:00')}:00`;
}

const moment = new Intl.DateTimeFormat(locales[language], {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Returns the value of a field for people: times as they write them. */
export function readableOf(value: unknown): string {
  if (typeof value === 'boolean') return word(value ? 'yes' : 'no');
  const text = textOf(value);
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?$/.test(text)
    ? moment.format(timeOfText(text.replace('T', ' ').padEnd(19, ':00')))
    : text;
}

/** Returns the value of a field for reading: the name of a linked record, or that of a picture's file. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return plain(String(value ?? ''));
  const { name, venue, organizer, url } = value as Partial<Record<string, string>>;
  return plain(name ?? venue ?? organizer ?? url ?? '');
}
