/** The functions of both languages that the templates use. */

import { createHash } from 'node:crypto';
import { type Data, elements, type Lambda, parseJson, Runtime, textOf } from './data.ts';

/** The subscription, tenant and moment that plans are made for. */
export const subscriptionId = '11111111-1111-1111-1111-111111111111';
export const tenantId = '22222222-2222-2222-2222-222222222222';
const month = '2026-08-01';

/** The templates refuse to be deployed; the message is theirs. */
export class Refusal extends Error {}

type Table = Readonly<Record<string, (...values: Data[]) => Data>>;
const isList = (value: Data | undefined): value is Data[] => Array.isArray(value);
const keysOf = (value: Data) => (isPlain(value) ? Object.keys(value).sort() : []);
const isPlain = (value: Data | undefined): value is { [name: string]: Data } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Runtime);
const text = (value: Data | undefined) => textOf(value ?? null);
const isEmpty = (value: Data | undefined) =>
  value === null ||
  value === '' ||
  (isList(value) && value.length === 0) ||
  (isPlain(value) && keysOf(value).length === 0);
const hash = (value: string) => createHash('sha256').update(value).digest('hex');
const distinct = (list: Data[]) =>
  list.filter((item, index) => list.findIndex((other) => text(other) === text(item)) === index);
const contains = (where: Data | undefined, what: Data | undefined) =>
  isList(where)
    ? where.some((item) => text(item) === text(what))
    : isPlain(where)
      ? Object.hasOwn(where, text(what))
      : text(where).includes(text(what));
const join = (list: Data | undefined, glue: Data | undefined) =>
  (isList(list) ? list : []).map(text).join(text(glue));

/** One level of one object over another, as `union` of Bicep joins objects at every depth. */
function mergeDeep(item: Data, other: Data): Data {
  if (!isPlain(item) || !isPlain(other)) return other;
  const merged: Record<string, Data> = { ...item };
  for (const [name, value] of Object.entries(other))
    merged[name] = name in item ? mergeDeep(item[name] ?? null, value) : value;
  return merged;
}

/** A subnet of an address range: `size` bits of prefix, the one with this number. */
function subnet(range: string, prefix: number, index: number): string {
  const [base = '', length = ''] = range.split('/');
  const start = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - prefix);
  const first = start + index * size;
  if (prefix < Number(length) || first + size > start + 2 ** (32 - Number(length)))
    throw new Refusal(`${range} holds no subnet /${prefix} number ${index}`);
  const octets = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
  return `${octets.join('.')}/${prefix}`;
}

/** Functions that both languages have under one name. */
const shared: Table = {
  length: (value = null) => (typeof value === 'string' ? value.length : elements(value).length),
  contains: (where, what) => contains(where, what),
  concat: (...lists) => lists.flatMap((list) => (isList(list) ? list : [list])),
  replace: (where, what, by) => text(where).replaceAll(text(what), text(by)),
  range: (start, count) => Array.from({ length: Number(count) }, (_, index) => Number(start) + index),
  max: (...values) => Math.max(...values.flatMap((value) => (isList(value) ? value : [value])).map(Number)),
  min: (...values) => Math.min(...values.flatMap((value) => (isList(value) ? value : [value])).map(Number)),
};

/** A UUID of version 5, from a namespace and a name. */
function uuidOf(namespace: string, name: string): string {
  const bytes = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  const hash = createHash('sha1').update(bytes).update(name).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Functions of Bicep; those that read files or the deployment are added where it is planned. */
export const bicepFunctions: Table = {
  ...shared,
  any: (value = null) => value,
  bool: (value) => text(value).toLowerCase() === 'true',
  cidrSubnet: (range, prefix, index) => subnet(text(range), Number(prefix), Number(index)),
  empty: (value) => isEmpty(value),
  endsWith: (value, end) => text(value).toLowerCase().endsWith(text(end).toLowerCase()),
  fail: (message) => {
    throw new Refusal(text(message));
  },
  filter: (list = [], keep) => elements(list).filter((item) => (keep as Lambda)(item) === true),
  first: (value = null) => (isList(value) ? (value[0] ?? null) : text(value).slice(0, 1)),
  flatten: (list = []) => elements(list).flatMap((item) => (isList(item) ? item : [item])),
  guid: (...values) => uuidOf('11fb06fb-712d-4ddd-98c7-e71bbd588830', values.map(text).join('-')),
  indexOf: (where, what) => text(where).indexOf(text(what)),
  int: (value) => Number(value),
  items: (value = null) =>
    keysOf(value).map((key) => ({ key, value: isPlain(value) ? (value[key] ?? null) : null })),
  join,
  json: (value) => parseJson(text(value)),
  last: (value = null) => (isList(value) ? (value.at(-1) ?? null) : text(value).slice(-1)),
  map: (list = [], change) => elements(list).map((item) => (change as Lambda)(item)),
  objectKeys: (value = null) => keysOf(value),
  reduce: (list = [], start = null, step) =>
    elements(list).reduce((sum, item, index) => (step as Lambda)(sum, item, index), start),
  shallowMerge: (list = []) => Object.assign({}, ...elements(list)) as Data,
  split: (value, by) => text(value).split(text(by)),
  startsWith: (value, start) => text(value).toLowerCase().startsWith(text(start).toLowerCase()),
  string: (value) => text(value),
  substring: (value, start, count) =>
    text(value).substring(Number(start), count === undefined ? undefined : Number(start) + Number(count)),
  take: (value = null, count) =>
    isList(value) ? value.slice(0, Number(count)) : text(value).slice(0, Number(count)),
  toLower: (value) => text(value).toLowerCase(),
  toObject: (list = [], key, value) =>
    Object.fromEntries(
      elements(list).map((item) => [text((key as Lambda)(item)), value ? (value as Lambda)(item) : item]),
    ),
  toUpper: (value) => text(value).toUpperCase(),
  trim: (value) => text(value).trim(),
  union: (...values) =>
    values.every(isList)
      ? distinct(values.flatMap((value) => (isList(value) ? value : [])))
      : values.reduce(mergeDeep, {}),
  uniqueString: (...values) =>
    hash(values.map((value) => text(value).replace('/subscriptions/', '')).join('/')).slice(0, 13),
  utcNow: () => month,
};

/** Functions of Terraform; those that read files are added where it is planned. */
export const terraformFunctions: Table = {
  ...shared,
  abs: (value) => Math.abs(Number(value)),
  cidrsubnet: (range, bits, index) =>
    subnet(text(range), Number(text(range).split('/')[1]) + Number(bits), Number(index)),
  coalesce: (...values) => values.find((value) => value !== null && value !== '') ?? null,
  compact: (list = []) => elements(list).filter((item) => item !== null && item !== ''),
  distinct: (list) => (isList(list) ? distinct(list) : []),
  endswith: (value, end) => text(value).endsWith(text(end)),
  flatten: (list = []) => elements(list).flatMap((item) => (isList(item) ? item : [item])),
  format: (pattern, ...values) => text(pattern).replaceAll(/%[sd]/g, () => text(values.shift())),
  formatdate: (_, moment) => text(moment),
  join: (glue, list) => join(list, glue),
  jsondecode: (value) => parseJson(text(value)),
  uuidv5: (namespace, name) => uuidOf(text(namespace), text(name)),
  jsonencode: (value = null) => JSON.stringify(value),
  keys: (value = null) => keysOf(value),
  lookup: (where, key, other = null) => (isPlain(where) ? (where[text(key)] ?? other) : other),
  lower: (value) => text(value).toLowerCase(),
  merge: (...values) => Object.assign({}, ...values) as Data,
  one: (list = []) => elements(list)[0] ?? null,
  plantimestamp: () => month,
  regex: (pattern, value) => {
    const found = new RegExp(text(pattern)).exec(text(value));
    if (!found) throw new Refusal('regex matches nothing');
    return found[0];
  },
  setsubtract: (entry = [], other = []) => elements(entry).filter((item) => !contains(other, item)),
  sha256: (value) => hash(text(value)),
  sort: (list = []) => elements(list).map(text).sort(),
  split: (by, value) => text(value).split(text(by)),
  strcontains: (value, part) => text(value).includes(text(part)),
  alltrue: (list) => elements(list ?? []).every((item) => item === true),
  startswith: (value, start) => text(value).startsWith(text(start)),
  substr: (value, start, count) => text(value).substring(Number(start), Number(start) + Number(count)),
  tolist: (list = []) => elements(list),
  tonumber: (value) => Number(value),
  toset: (list) => (isList(list) ? distinct(list).sort() : []),
  tostring: (value) => text(value),
  trimprefix: (value, start) =>
    text(value).startsWith(text(start)) ? text(value).slice(text(start).length) : text(value),
  trimsuffix: (value, end) =>
    text(value).endsWith(text(end)) ? text(value).slice(0, -text(end).length) : text(value),
  upper: (value) => text(value).toUpperCase(),
  values: (value = null) => elements(value),
};
