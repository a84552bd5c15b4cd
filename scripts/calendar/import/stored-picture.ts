/** Uploaded pictures in records: their addresses, and what is stored of them. */

import type { CalendarContext } from '../../../functions/calendar/model/calendar-context.ts';
import { wallIn } from '../../../functions/calendar/model/dates/wall.ts';
import { InvalidValue, type Parameter } from '../../../functions/calendar/model/fields/parameter.ts';
import { isAbsoluteUrl } from '../../../functions/calendar/model/fields/parsers.ts';
import type { StoredPicture } from '../../../functions/calendar/model/values.ts';
import { pictureTexts } from '../../../functions/calendar/write/picture-records.ts';
import { maxId } from './limits.ts';

const blobName = '[0-9a-f-]{36}\\.(?:jpg|png|gif|webp|avif)';
const form: Readonly<Record<string, RegExp>> = {
  blob: new RegExp(`^${blobName}$`),
  file: /^[A-Za-z0-9._-]{1,110}$/,
  mime_type: /^image\/(?:jpeg|png|gif|webp|avif)$/,
};
const dates = ['date', 'date_utc', 'modified', 'modified_utc'] as const;
const storedUrl = new RegExp(`^urn:picture:${blobName}$`);

/** Characters of what names the state of a picture in its source, at most. */
const maxValidator = 500;

/** Checks whether a text is the address of an image: an http(s) URL, or the name of an uploaded picture. */
export function isImageUrl(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  return storedUrl.test(value) || (/^https?:\/\//i.test(value) && isAbsoluteUrl(value));
}

/** What is stored of an uploaded picture. Each text passes the parser of its field. */
export const storedPicture: Parameter<StoredPicture> = {
  description: '',
  parse: (value, context) => parse(value, context) ?? new InvalidValue('must be an uploaded picture'),
};

function parse(value: unknown, context: CalendarContext): StoredPicture | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const raw = value as Readonly<Record<string, unknown>>;
  const { author } = raw;
  const isValid =
    Object.entries(form).every(([name, pattern]) => pattern.test(String(raw[name]))) &&
    dates.every((name) => typeof raw[name] === 'string' && wallIn(raw[name]) !== undefined) &&
    Number.isInteger(author) &&
    Number(author) >= 0 &&
    Number(author) <= maxId;
  if (!isValid) return undefined;
  const parsed: Record<string, unknown> = { author };
  for (const name of [...Object.keys(form), ...dates]) parsed[name] = raw[name];
  for (const [name, parameter] of Object.entries(pictureTexts)) {
    if (raw[name] === undefined) continue;
    const text = parameter.parse(raw[name], context);
    if (text instanceof InvalidValue) return undefined;
    parsed[name] = text;
  }
  const { source, slug, post, key } = raw;
  if (typeof key === 'string' && /^[0-9a-f]{16}$/.test(key)) parsed['key'] = key;
  if (typeof slug === 'string' && /^[^\s/?#"<>]{1,200}$/.test(slug)) parsed['slug'] = slug;
  if (Number.isInteger(post) && Number(post) >= 1 && Number(post) <= maxId) parsed['post'] = post;
  if (typeof source === 'string' && /^https?:/i.test(source) && isAbsoluteUrl(source))
    parsed['source'] = source;
  for (const name of ['source_state', 'source_validator'])
    if (typeof raw[name] === 'string' && raw[name].length <= maxValidator) parsed[name] = raw[name];
  const sizes = Object.entries(typeof raw['source_sizes'] === 'object' ? (raw['source_sizes'] ?? {}) : {});
  if (sizes.length > 0 && sizes.every(([, url]) => isImageUrl(url)))
    parsed['source_sizes'] = Object.fromEntries(sizes);
  return typeof parsed['title'] === 'string' ? (parsed as unknown as StoredPicture) : undefined;
}
