/** From the text of a setting to its value. Each throws a TypeError that completes "The setting ... is not usable: it ...". */

/** One variable of the environment. */
export interface Variable<T> {
  readonly description: string;
  readonly parse: (text: string) => T;
  /** The value when the variable is not set; without one the variable is required. */
  readonly fallback?: T;
  /** Code of the error when the value is missing or unusable. */
  readonly code: 'configuration' | 'database-connection';
  /** Whether the fallback counts in place of an unusable value, since it stops nothing: it decides how something looks. Default: no. */
  readonly isLenient?: boolean;
}

type Options<T> = Partial<Pick<Variable<T>, 'fallback' | 'code' | 'isLenient'>>;

/** Creates a variable from its parser and its description. Required unless the options have a fallback. */
export function setting<T>(
  parse: (text: string) => T,
  description: string,
  options: Options<T> = {},
): Variable<T> {
  return { description, parse, code: 'configuration', ...options };
}

/** Parses nothing: any text is good. */
export function text(value: string): string {
  return value;
}

export function flag(value: string): boolean {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new TypeError('must be true or false');
}

export function wholeNumber(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new TypeError('must be a whole number');
}

/** Creates the parser of a whole number up to a maximum. */
export function wholeNumberUpTo(maximum: number): (value: string) => number {
  return (value) => {
    if (/^\d{1,9}$/.test(value) && Number(value) <= maximum) return Number(value);
    throw new TypeError(`must be a whole number from 0 to ${maximum}`);
  };
}

export function positiveNumber(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new TypeError('must be a whole number above 0');
}

/** Creates the parser of one of some words, in any case. */
export function oneOf<const Word extends string>(...words: readonly Word[]): (value: string) => Word {
  return (value) => {
    const word = words.find((word) => word.toLowerCase() === value.trim().toLowerCase());
    if (word === undefined) throw new TypeError(`must be one of ${words.join(', ')}`);
    return word;
  };
}

/** Parses a GUID, which has no case; tokens and metadata write it in lower case. */
export function guid(value: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return value.toLowerCase();
  throw new TypeError('must be a GUID');
}

/** Parses an absolute URL; slashes at its end do not count. */
export function url(value: string): string {
  if (isHttp(value)) return value.replace(/\/+$/, '');
  throw new TypeError('must be an absolute http(s) URL');
}

/** Characters of a path: names of functions hold two of them and may not be longer than 128. */
const longestPath = 40;

/** Parses a path of plain segments; slashes at its ends do not count, so that `/` is the empty path. */
export function path(value: string): string {
  const bare = value.replace(/^\/+|\/+$/g, '');
  const isPlain = bare === '' || bare.split('/').every((segment) => /^[\w~-][\w.~-]*$/.test(segment));
  if (!isPlain || bare.length > longestPath)
    throw new TypeError(
      `must be a path such as /api, of letters, digits, "-", "." and "_", with ${longestPath} characters at most`,
    );
  if (/^(admin|runtime)(\/|$)/i.test(bare))
    throw new TypeError('must not begin with admin or runtime, which the host keeps for itself');
  return bare;
}

/** A root at the root of a site: its path, and its public URL where one was given. */
export interface SiteRoot {
  readonly path: string;
  readonly url: string;
}

/** Parses paths and absolute URLs of roots, separated by commas; `none` for no root. */
export function siteRoots(value: string): readonly SiteRoot[] {
  if (value.trim().toLowerCase() === 'none') return [];
  return list(value).map((item) => {
    const root = isHttp(item)
      ? { path: path(new URL(item).pathname), url: url(item) }
      : { path: path(item), url: '' };
    if (root.path === '') throw new TypeError('must be paths such as wp-json/tribe/events/v1, or their URLs');
    return root;
  });
}

/** Parses origins of pages, such as https://app.example.org, separated by commas; `*` for any. */
export function origins(value: string): readonly string[] {
  return list(value).map((item) => {
    if (item === '*') return item;
    const origin = isHttp(item) ? new URL(item).origin : '';
    if (origin === item.toLowerCase()) return origin;
    throw new TypeError('must be origins such as https://app.example.org, without a path, or *');
  });
}

/** A link of the site: its text and where it leads. */
export interface SiteLink {
  readonly text: TextByLanguage;
  readonly href: string;
}

/** Parses links such as `Contact=https://www.example.org/contact`, separated by commas; a comma in an address is written %2C. */
export function siteLinks(value: string): readonly SiteLink[] {
  const items = value.split(',').map((item) => item.trim());
  return items.filter(Boolean).map((item) => {
    const [, text = '', href = ''] = /^([^=]+?)\s*=\s*(\S+)$/.exec(item) ?? [];
    if (/^(?:https?:\/\/|mailto:|tel:)/i.test(href) && URL.canParse(href))
      return { text: textByLanguage(text), href };
    throw new TypeError(
      'must be links such as Contact=https://www.example.org/contact, separated by commas; addresses begin with http, mailto or tel',
    );
  });
}

/** Parses one link, such as `Havneby=https://www.example.org`. */
export function siteLink(value: string): SiteLink {
  const [link, ...others] = siteLinks(value);
  if (link !== undefined && others.length === 0) return link;
  throw new TypeError('must be one link, such as Havneby=https://www.example.org');
}

/** A text of the site in the languages of its pages: `text` in those that have none of their own. */
export interface TextByLanguage {
  readonly text: string;
  readonly others: Readonly<Partial<Record<'en' | 'da' | 'sv', string>>>;
}

/** Parses a text, with those of other languages behind bars: `About us|da:Om os|sv:Om oss`. */
export function textByLanguage(value: string): TextByLanguage {
  const [text = '', ...others] = value.split('|').map((part) => part.trim());
  const pairs = others.map((part) => {
    const [, language = '', translated = ''] = /^(en|da|sv):\s*(.+)$/s.exec(part) ?? [];
    if (translated === '')
      throw new TypeError(
        'must be a text, and those of other languages (en, da, sv) behind bars: About us|da:Om os',
      );
    return [language, translated] as const;
  });
  return { text, others: Object.fromEntries(pairs) };
}

/** Parses an absolute URL, with those of other languages behind bars. */
export function urlByLanguage(value: string): TextByLanguage {
  const { text, others } = textByLanguage(value);
  return {
    text: url(text),
    others: Object.fromEntries(Object.entries(others).map(([language, other]) => [language, url(other)])),
  };
}

/** Parses a colour, `#0b57a4` or `#05a`, into its six hexadecimal digits. */
export function color(value: string): string {
  const [, digits = ''] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value.trim()) ?? [];
  if (digits === '') throw new TypeError('must be a colour such as #0b57a4');
  return (digits.length === 3 ? digits.replace(/./g, '$&$&') : digits).toLowerCase();
}

/** A tile server: the template of its URLs, and the attribution that its maps show. */
export interface MapTiles {
  readonly url: string;
  readonly attribution: string;
}

/** Parses the template of a tile server, such as `https://tile.example.org/{z}/{x}/{y}.png`, with the attribution behind a space. */
export function mapTiles(value: string): MapTiles {
  const [, url = '', attribution = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(value) ?? [];
  if (isHttp(url) && ['{z}', '{x}', '{y}'].every((part) => url.includes(part))) return { url, attribution };
  throw new TypeError(
    'must be a URL with {z}, {x} and {y}, such as https://tile.example.org/{z}/{x}/{y}.png, then the attribution',
  );
}

/** Where a SQL Server listens. A named instance has no port: its browser service tells it. */
export interface ServerAddress {
  readonly host: string;
  readonly port?: number;
  readonly instance?: string;
}

const serverPattern =
  /^(?:tcp:)?(?<host>[^\\,:\s]+|\[[0-9a-f:.]+\])(?:\\(?<instance>[^\\,\s]+))?(?:,(?<port>\d{1,5}))?$/i;

const localNames = new Set(['.', '(local)']);

/** Parses `host`, `host,port`, `host\instance` or `tcp:host,port`. */
export function serverAddress(value: string): ServerAddress {
  const { host, instance, port } = serverPattern.exec(value.trim())?.groups ?? {};
  if (host === undefined || Number(port ?? 1433) > 65_535)
    throw new TypeError('must be the address of a server: host, host,port or host\\instance');
  const name = localNames.has(host) ? 'localhost' : host.replace(/^\[|\]$/g, '');
  if (port !== undefined) return { host: name, port: Number(port) };
  return instance === undefined ? { host: name } : { host: name, instance };
}

/** Checks that a text is the address of a server. */
export function serverName(value: string): string {
  serverAddress(value);
  return value;
}

export function list(value: string): readonly string[] {
  return value.split(/[\s,]+/).filter((item) => item !== '');
}

const utcOffset = /^UTC([+-]((0?\d|1[0-3])(:[0-5]\d)?|14(:00)?))?$/i;

/** Checks that a time zone is one that Node's calendar knows, or an offset from UTC. */
export function timeZone(value: string): string {
  if (utcOffset.test(value) || (/^[a-z]/i.test(value) && isNamedZone(value))) return value;
  throw new TypeError('must be an IANA time zone, such as Europe/Copenhagen');
}

/** A currency by its code (ISO 4217), in any case; empty for none. */
export function currency(value: string): string {
  const code = value.trim().toUpperCase();
  if (code === '' || Intl.supportedValuesOf('currency').includes(code)) return code;
  throw new TypeError('must be the code of a currency, such as DKK');
}

function isNamedZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What the API calls the kinds of objects. */
export const collections = ['diaries', 'journalized-cases', 'deeds', 'documents'] as const;

/** The APIs of the service. */
export const apiNames = ['records', 'calendar'] as const;

export type ApiName = (typeof apiNames)[number];

/** Parses the names of APIs, separated by commas: one at least. */
export function apis(value: string): readonly ApiName[] {
  const given = list(value);
  const selected = apiNames.filter((name) => given.includes(name));
  if (selected.length > 0 && given.every((name) => apiNames.some((apiName) => apiName === name)))
    return selected;
  throw new TypeError(`must be one or more of ${apiNames.join(', ')}, separated by commas`);
}

/** Creates a parser of some of these names, each alone or as `name=view`; or none. A name may stand once. */
export function metadataOf<Name extends string>(
  names: readonly Name[],
): (value: string) => readonly (Name | `${Name}=view`)[] {
  const allowed = names.flatMap((name) => [name, `${name}=view` as const]);
  return (value) => {
    const given = list(value);
    const choices = given.length === 1 && given[0] === 'none' ? [] : given;
    const chosenNames = choices.map((choice) => choice.replace('=view', ''));
    const isValid = choices.every((choice): choice is Name | `${Name}=view` =>
      allowed.some((form) => form === choice),
    );
    if (isValid && new Set(chosenNames).size === chosenNames.length)
      return choices as (Name | `${Name}=view`)[];
    throw new TypeError(
      `must be none, or some of ${names.join(', ')}, each alone or with =view, separated by commas`,
    );
  };
}

/** Creates a parser of whole numbers by some of these names, such as `diaries=2,deeds=4`. Each name and each number may stand once. */
export function numbersOf<Name extends string>(
  names: readonly Name[],
): (value: string) => Readonly<Partial<Record<Name, number>>> {
  return (value) => {
    const pairs = list(value).map((pair) => /^(?<name>[a-z-]+)=(?<number>\d{1,9})$/.exec(pair)?.groups);
    const numbers = new Map(pairs.map((pair) => [pair?.['name'] ?? '', Number(pair?.['number'])]));
    const isKnown = [...numbers.keys()].every((name) => names.includes(name as Name));
    if (isKnown && numbers.size === pairs.length && new Set(numbers.values()).size === pairs.length)
      return Object.fromEntries(numbers) as Partial<Record<Name, number>>;
    throw new TypeError(
      `must give a number of its own to some of ${names.join(', ')}, such as ${names[0]}=2,${names[1]}=3`,
    );
  };
}

/** Checks the name of a table by the rules of Azure Tables. */
export function tableName(value: string): string {
  if (/^[A-Za-z][A-Za-z0-9]{2,62}$/.test(value)) return value;
  throw new TypeError('must be 3 to 63 letters and digits, and start with a letter');
}

/** Checks the name of a container by the rules of Azure Blob Storage. */
export function containerName(value: string): string {
  if (/^(?=.{3,63}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value)) return value;
  throw new TypeError('must be 3 to 63 lower-case letters, digits and single hyphens');
}

/** What a key may not hold, and `%`, which some clients decode twice. */
const forbiddenInKeys = /[/\\#?%\p{Cc}]/u;

/** Checks the key of a partition by the rules of Azure Tables. */
export function partitionKey(value: string): string {
  if (value.length <= 512 && !forbiddenInKeys.test(value)) return value;
  throw new TypeError('must be 1 to 512 characters, without / \\ # ? % and control characters');
}

/** Checks that a connection string of Azure Storage names an account and its key, or a table service and a shared access signature. */
export function connectionString(value: string): string {
  return connectionStringTo(value, 'table');
}

/** Checks that a connection string of Azure Storage names an account and its key, or a blob service and a shared access signature. */
export function blobConnectionString(value: string): string {
  return connectionStringTo(value, 'blob');
}

function connectionStringTo(value: string, service: 'table' | 'blob'): string {
  const parts = new Map(value.split(';').map(partOf));
  const endpoint = parts.get(`${service}endpoint`);
  const hasAccount =
    /^https?$/i.test(parts.get('defaultendpointsprotocol') ?? '') &&
    ['accountname', 'accountkey'].every((name) => parts.get(name) !== undefined) &&
    (endpoint !== undefined || parts.get('endpointsuffix') !== undefined);
  const hasSignature = endpoint !== undefined && parts.get('sharedaccesssignature') !== undefined;
  const isUsable = (hasAccount || hasSignature) && (endpoint === undefined || isHttp(endpoint));
  if (isUsable || parts.get('usedevelopmentstorage') === 'true') return value;
  throw new TypeError(`must be a connection string of an Azure Storage account or of its ${service} service`);
}

function partOf(part: string): readonly [string, string | undefined] {
  const [, name = '', value] = /^\s*([^=]+)=(.*?)\s*$/.exec(part) ?? [];
  return [name.toLowerCase(), value === '' ? undefined : value];
}

function isHttp(value: string): boolean {
  return /^https?:$/.test(URL.parse(value)?.protocol ?? '');
}
