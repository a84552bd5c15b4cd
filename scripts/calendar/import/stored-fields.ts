/** The stored fields of every kind of record, each with the parser of its field in the tables of `functions/calendar/`. */

import { wallIn } from '../../../functions/calendar/model/dates/wall.ts';
import { organizerFields, venueFields } from '../../../functions/calendar/model/fields/contact.ts';
import { eventFields } from '../../../functions/calendar/model/fields/event.ts';
import type { FieldTable } from '../../../functions/calendar/model/fields/field.ts';
import { flag } from '../../../functions/calendar/model/fields/flags.ts';
import { InvalidValue, map, type Parameter } from '../../../functions/calendar/model/fields/parameter.ts';
import { choice, text, zone } from '../../../functions/calendar/model/fields/parsers.ts';
import { html } from '../../../functions/calendar/model/fields/post.ts';
import { translatedOf } from '../../../functions/calendar/model/fields/table.ts';
import { termFields } from '../../../functions/calendar/model/fields/term.ts';
import { comparablePath, maxPathLength, maxPaths } from '../../../functions/calendar/model/page-paths.ts';
import { maxKeys } from '../../../functions/calendar/model/picture-keys.ts';
import { slugOf } from '../../../functions/calendar/model/text/slug.ts';
import { type Kind, languages, statuses } from '../../../functions/calendar/model/values.ts';
import { maxId } from './limits.ts';
import { isImageUrl, storedPicture } from './stored-picture.ts';

export interface StoredField {
  readonly parameter: Parameter<unknown>;
  readonly isRequired?: boolean;
  /** Whether 0 and false are stored. */
  readonly isKept?: boolean;
}

type StoredFields = Readonly<Record<string, StoredField>>;

/** Creates a parameter of a stored form that clients do not send. */
function stored<T>(message: string, parse: (value: unknown) => T | undefined): Parameter<T> {
  return { description: '', parse: (value) => parse(value) ?? new InvalidValue(message) };
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxId;
const isLink = (value: unknown) =>
  isId(value) || (Array.isArray(value) && value.length === 2 && value.every(isId));
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const id = stored(`must be a whole number up to ${maxId}`, (value) => (isId(value) ? value : undefined));
const ids = stored('must be a list of ids', (value) =>
  Array.isArray(value) && value.every(isId) ? [...new Set(value)] : undefined,
);
const links = stored('must be a list of links', (value) =>
  Array.isArray(value) && value.every(isLink) ? value : undefined,
);
const wall = stored('must be a date, such as 2027-01-31 19:30:00', (value) =>
  typeof value === 'string' && wallIn(value) !== undefined ? value : undefined,
);
const status = choice('', statuses);
const zoneName = map(zone(''), ({ name }) => name);

/** Characters and length of a slug that a write has made: it is stored unchanged. */
const slugForm = /^(?:[a-z0-9_-]|%[89a-f][0-9a-f]){1,200}$/;

const slug = map(text(''), (value) =>
  slugForm.test(value) && value.length <= 200
    ? value
    : slugOf(value) || new InvalidValue('must have a letter or a digit'),
);

const url = stored('must be an absolute http(s) URL', (value) => (isImageUrl(value) ? value : undefined));

const passwordHash = stored('must be the hash of a password', (value) => {
  if (!isObject(value)) return undefined;
  const { shared_salt, salt, hash } = value;
  const isHash = [shared_salt, salt, hash].every(
    (part) => typeof part === 'string' && /^[0-9a-f]+$/.test(part),
  );
  return isHash ? { shared_salt, salt, hash } : undefined;
});

const stateOfLog = stored('must be a version and a date', (value) =>
  isObject(value) &&
  isId(value['version']) &&
  typeof value['utc'] === 'string' &&
  wallIn(value['utc']) !== undefined
    ? { version: value['version'], utc: value['utc'] }
    : undefined,
);

const importedFrom = stored('must be the identity of an import', (value) => {
  if (!isObject(value)) return undefined;
  const { source, uid, recurrence, digests, is_cancelled } = value;
  if (![source, uid, recurrence].every((part) => typeof part === 'string')) return undefined;
  if (!isObject(digests) || !Object.values(digests).every((digest) => typeof digest === 'string'))
    return undefined;
  return { source, uid, recurrence, digests, ...(is_cancelled === true ? { is_cancelled } : {}) };
});

const keys = stored(`must be a list of at most ${maxKeys} keys of addresses`, (value) =>
  Array.isArray(value) && value.length <= maxKeys && value.every((key) => /^[0-9a-f]{16}$/.test(key))
    ? value
    : undefined,
);

const paths = stored(`must be a list of at most ${maxPaths} paths of pages`, (value) =>
  Array.isArray(value) &&
  value.length <= maxPaths &&
  value.every((path) => typeof path === 'string' && path.length <= maxPathLength)
    ? value.map(comparablePath)
    : undefined,
);

/** Characters of the name of an event in feeds, at most. */
const maxGuidLength = 1_000;

const guid = stored('must be a name of a feed', (value) =>
  typeof value === 'string' && value.length <= maxGuidLength && /^[^\p{Cc}]+$/u.test(value)
    ? value.toWellFormed()
    : undefined,
);

const placeInSeries = stored('must be a series and a day', (value) =>
  isObject(value) &&
  isId(value['id']) &&
  typeof value['recurrence'] === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value['recurrence'])
    ? { id: value['id'], recurrence: value['recurrence'] }
    : undefined,
);

/** The sizes of an image. An invalid size is left out. */
const sizes = stored('must be an object of sizes', (value) => {
  if (!isObject(value)) return undefined;
  const valid = Object.entries(value).flatMap(([name, size]) => {
    const parsed = sizeIn(size);
    return parsed === undefined || !/^[\w-]{1,40}$/.test(name) ? [] : [[name, parsed] as const];
  });
  return Object.fromEntries(valid);
});

function sizeIn(value: unknown) {
  if (!isObject(value)) return undefined;
  const { width, height, filesize, 'mime-type': type, url: address, file } = value;
  if (!isId(width) || !isId(height) || !isImageUrl(address)) return undefined;
  if (typeof type !== 'string' || !/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type)) return undefined;
  const isFile = typeof file === 'string' && /^[A-Za-z0-9._-]{1,110}$/.test(file);
  const optional = { ...(isId(filesize) ? { filesize } : {}), ...(isFile ? { file } : {}) };
  return { width, height, 'mime-type': type, ...optional, url: address };
}

/** Digests of the originals of texts in other languages. */
const translatedFrom = stored('must be digests by language and field', (value) =>
  isObject(value) &&
  Object.values(value).every(
    (texts) => isObject(texts) && Object.values(texts).every((digest) => typeof digest === 'string'),
  )
    ? value
    : undefined,
);

/** Texts in other languages. Unknown languages and fields are left out. */
function translations(fields: FieldTable): Parameter<object> {
  const parsers = translatedOf(fields).map(
    ([storedAs, sentAs]) => [storedAs, fields[sentAs]?.parameter ?? html('')] as const,
  );
  return {
    description: '',
    parse(value, context) {
      if (!isObject(value)) return new InvalidValue('must be an object');
      const byLanguage: Record<string, object> = {};
      for (const language of languages) {
        const texts = value[language];
        if (texts === undefined) continue;
        if (!isObject(texts)) return new InvalidValue(`must have an object for ${language}`);
        const parsed: Record<string, unknown> = {};
        for (const [name, parameter] of parsers) {
          if (texts[name] === undefined) continue;
          const result = parameter.parse(texts[name], context);
          if (result instanceof InvalidValue)
            return new InvalidValue(`has an invalid ${name}, which ${result.message}`);
          parsed[name] = result;
        }
        byLanguage[language] = parsed;
      }
      return byLanguage;
    },
  };
}

/** Returns the fields that are stored in the form in which they are sent. */
function sentFields(fields: FieldTable): StoredFields {
  const entries = Object.entries(fields).flatMap(([name, { parameter, storedAs = name, isKept = false }]) =>
    parameter === undefined ? [] : [[storedAs, { parameter, isKept }] as const],
  );
  return Object.fromEntries(entries);
}

const required = (parameter: Parameter<unknown>): StoredField => ({ parameter, isRequired: true });
const dates = (...names: readonly string[]): StoredFields =>
  Object.fromEntries(names.map((name) => [name, required(wall)]));

function postFields(fields: FieldTable, title: string): StoredFields {
  return {
    ...sentFields(fields),
    author: { parameter: id, isRequired: true, isKept: true },
    status: required(status),
    ...dates('date', 'date_utc', 'modified', 'modified_utc'),
    title: { parameter: fields[title]?.parameter ?? text('') },
    slug: required(slug),
    excerpt: { parameter: fields['excerpt']?.parameter ?? html('') },
    image: { parameter: id },
    translations: { parameter: translations(fields) },
    translated_from: { parameter: translatedFrom },
    earlier_paths: { parameter: paths },
  };
}

function contactFields(fields: FieldTable, title: string): StoredFields {
  return {
    ...postFields(fields, title),
    generation: { parameter: id },
    hidden_since: { parameter: stateOfLog },
  };
}

const event: StoredFields = {
  ...postFields(eventFields, 'title'),
  ...dates('start_date', 'end_date', 'utc_start_date', 'utc_end_date'),
  timezone: required(zoneName),
  categories: { parameter: ids },
  tags: { parameter: ids },
  venue: { parameter: links },
  organizer: { parameter: links },
  post_parent: { parameter: id },
  access_password: { parameter: passwordHash },
  trashed_from: { parameter: status },
  renamed_in_trash: { parameter: flag('') },
  imported_from: { parameter: importedFrom },
  guid: { parameter: guid },
  series: { parameter: placeInSeries },
};

const subject = stored('must be a text on one line', (value) =>
  typeof value === 'string' && /^[^\p{Cc}]{1,500}$/u.test(value) ? value.toWellFormed() : undefined,
);

function termStoredFields(fields: FieldTable): StoredFields {
  return {
    ...sentFields(fields),
    name: required(fields['name']?.parameter ?? text('')),
    slug: required(slug),
    parent: { parameter: id },
    deleted: { parameter: flag('') },
    shown_since: { parameter: stateOfLog },
    imported_from: { parameter: subject },
    translations: { parameter: translations(fields) },
    translated_from: { parameter: translatedFrom },
    earlier_paths: { parameter: paths },
  };
}

/** Kinds of records whose fields are decided one by one. */
export type ImportedKind = Exclude<Kind, 'series'>;

/** The stored fields by the kind of the record, without its kind and id. */
export const storedFields: Readonly<Record<ImportedKind, StoredFields>> = {
  event,
  venue: contactFields(venueFields, 'venue'),
  organizer: contactFields(organizerFields, 'organizer'),
  category: termStoredFields(termFields.category),
  tag: termStoredFields(termFields.tag),
  image: {
    url: required(url),
    width: { parameter: id },
    height: { parameter: id },
    filesize: { parameter: id },
    sizes: { parameter: sizes },
    stored: { parameter: storedPicture },
    shown_since: { parameter: stateOfLog },
    earlier_keys: { parameter: keys },
  },
  author: { subject: required(subject), list_paths: { parameter: paths } },
};
