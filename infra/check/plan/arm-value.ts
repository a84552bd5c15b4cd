/** What a snapshot leaves open: expressions of Azure Resource Manager about what only Azure knows. They become labels: `<id-dev:clientId>`. */

import { compileFunction } from 'node:vm';
import type { Data } from './data.ts';

/** What Azure tells of a resource: the path in its properties, and the label. */
const labels: Readonly<Record<string, string>> = {
  'identity.principalId': 'principalId',
  'primaryEndpoints.blob': 'blobEndpoint',
  'primaryEndpoints.table': 'tableEndpoint',
  defaultHostName: 'hostName',
  customDomainVerificationId: 'verificationId',
  fullyQualifiedDomainName: 'hostName',
  ConnectionString: 'connectionString',
  gatewayUrl: 'url',
};

const cloud = {
  authentication: { loginEndpoint: 'https://login.microsoftonline.com/' },
  suffixes: {
    storage: 'core.windows.net',
    sqlServerHostname: '.database.windows.net',
    keyvaultDns: '.vault.azure.net',
  },
};

type Names = Readonly<Record<string, string>>;

/** Returns a value without open expressions. `names` gives the names of resources of extensions by their symbols. */
export function closed(value: Data, names: Names = {}): Data {
  if (typeof value === 'string') {
    if (value.startsWith('[[')) return value.slice(1);
    return value.startsWith('[') && value.endsWith(']') ? compute(value.slice(1, -1), names) : value;
  }
  if (Array.isArray(value)) return value.map((item) => closed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [String(closed(name, names)), closed(inner, names)]),
  );
}

/** Computes an expression as JavaScript: functions are members of `f`, lambdas are functions, and members of null are undefined. */
function compute(source: string, names: Names): Data {
  const literals: string[] = [];
  const code = source
    .replaceAll(/'((?:[^']|'')*)'/g, (_, text) => `_${literals.push(text.replaceAll("''", "'")) - 1}_`)
    .replaceAll(/lambda\(\s*_(\d+)_\s*,/g, (_, at) => `((${literals[at]}) =>`)
    .replaceAll(/lambdaVariables\(_(\d+)_\)/g, (_, at) => literals[at] ?? '')
    .replaceAll(/\.(?=\w)|(?=\[)/g, '?.')
    .replaceAll(/(?<![\w.])(\w+)\(/g, 'f.$1(')
    .replaceAll(/_(\d+)_/g, (_, at) => JSON.stringify(literals[at]));
  try {
    const run = compileFunction(`return ${code}`, ['f']);
    return JSON.parse(JSON.stringify(run({ ...functions, reference: referenceTo(names) }) ?? null));
  } catch (error) {
    throw new SyntaxError(`infra/check/plan/arm-value.ts cannot compute "${source}"`, { cause: error });
  }
}

/** A resource by its id or, of an extension, by its symbol. */
const referenceTo = (names: Names) => (id: string, _version: string, full: string) =>
  reference(names[id] ?? id.split('/').at(-1) ?? '', full === 'full' || id in names ? [] : ['properties']);

/** What Azure will tell of a resource: any member of it, and as a text its label. */
function reference(name: string, path: readonly string[]): object {
  const steps = path.filter((step) => step !== 'properties').join('.');
  const label = () => `<${name}:${labels[steps] ?? steps}>`;
  return new Proxy(
    {},
    {
      get: (_, step) =>
        typeof step === 'symbol' || step === 'toJSON' ? label : reference(name, [...path, step]),
    },
  );
}

type Item = unknown;
const text = (item: Item) => (item === null || item === undefined ? '' : `${item}`);
const join = (base: Item, type: Item, names: readonly Item[]) => {
  const [namespace = '', ...parts] = text(type).split('/');
  const steps = parts.flatMap((part, at) => [part, text(names[at])]);
  return [text(base), 'providers', namespace, ...steps].join('/');
};

const functions: Readonly<Record<string, (...values: Item[]) => Item>> = {
  null: () => null,
  true: () => true,
  false: () => false,
  environment: () => cloud,
  utcNow: () => '<now>',
  if: (condition, value, other) => (condition === true ? value : other),
  coalesce: (...values) => values.find((item) => item !== null && item !== undefined),
  format: (pattern, ...values) => text(pattern).replaceAll(/\{(\d+)\}/g, (_, at) => text(values[at])),
  concat: (...values) => (values.every(Array.isArray) ? values.flat() : values.map(text).join('')),
  guid: (...values) => values.map(text).join(' '),
  createArray: (...values) => values,
  createObject: (...values) =>
    Object.fromEntries(values.flatMap((name, at) => (at % 2 === 0 ? [[text(name), values[at + 1]]] : []))),
  tryGet: (value, ...path) =>
    path.reduce((of, step) => (of as Record<string, Item> | null | undefined)?.[text(step)], value),
  split: (value, by) => text(value).split(text(by)),
  filter: (list, keep) => (list as Item[]).filter((item) => (keep as (item: Item) => boolean)(item)),
  not: (value) => value !== true,
  empty: (value) =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0),
  resourceId: (subscription, group, type, ...names) =>
    join(`/subscriptions/${text(subscription)}/resourceGroups/${text(group)}`, type, names),
  extensionResourceId: (base, type, ...names) => join(base, type, names),
};
