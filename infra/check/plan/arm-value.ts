/** What a snapshot leaves open: expressions of Azure Resource Manager about what only Azure knows. They become labels: `<id-dev:clientId>`. */

import type { Data } from './data.ts';

/** What Azure tells of a resource: the path in its properties, and the label. */
const labels: Readonly<Record<string, string>> = {
  'identity.principalId': 'principalId',
  'primaryEndpoints.blob': 'blobEndpoint',
  'primaryEndpoints.table': 'tableEndpoint',
  defaultHostName: 'hostName',
  fullyQualifiedDomainName: 'hostName',
  ConnectionString: 'connectionString',
  gatewayUrl: 'url',
};

/** A value, a function of a lambda, or what is read of a resource at run time. */
type Item = Data | ((item: Item) => Item) | Reference;

class Reference {
  readonly name: string;
  readonly path: readonly string[];
  constructor(name: string, path: readonly string[] = []) {
    [this.name, this.path] = [name, path];
  }
  toString(): string {
    const path = this.path.filter((step) => step !== 'properties').join('.');
    return `<${this.name}:${labels[path] ?? path}>`;
  }
}

const cloud = {
  authentication: { loginEndpoint: 'https://login.microsoftonline.com/' },
  suffixes: {
    storage: 'core.windows.net',
    sqlServerHostname: '.database.windows.net',
    keyvaultDns: '.vault.azure.net',
  },
};

/** Returns a value without open expressions. `names` gives the names of resources of extensions by their symbols. */
export function closed(value: Data, names: Readonly<Record<string, string>> = {}): Data {
  if (typeof value === 'string') {
    if (value.startsWith('[[')) return value.slice(1);
    return value.startsWith('[') && value.endsWith(']') ? plain(read(value.slice(1, -1), names)) : value;
  }
  if (Array.isArray(value)) return value.map((item) => closed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [String(closed(name, names)), closed(inner, names)]),
  );
}

const plain = (item: Item): Data =>
  item instanceof Reference
    ? String(item)
    : Array.isArray(item)
      ? item.map(plain)
      : typeof item === 'object' && item !== null
        ? Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, plain(inner as Item)]))
        : (item as Data);
const text = (item: Item) => (item === null ? '' : String(item));

/** Reads one expression: a function with its arguments, a text in quotes or a number, and properties behind. */
function read(source: string, names: Readonly<Record<string, string>>): Item {
  let at = 0;
  const variables = new Map<string, Item>();
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found?.[1] ?? found?.[0];
  };
  const whole = expression();
  next(/\s*/y);
  if (at < source.length) throw new SyntaxError(`Cannot read "${source}" at ${source.slice(at)}`);
  return whole();

  function expression(): () => Item {
    let value = operand();
    for (;;) {
      const property = next(/\s*\.(\w+)/y);
      if (property !== undefined) value = member(value, () => property);
      else if (next(/\s*\[/y) !== undefined) {
        value = member(value, expression());
        next(/\s*\]/y);
      } else return value;
    }
  }

  function operand(): () => Item {
    const quoted = next(/\s*'((?:[^']|'')*)'/y);
    if (quoted !== undefined) return () => quoted.replaceAll("''", "'");
    const number = next(/\s*(-?\d+)/y);
    if (number !== undefined) return () => Number(number);
    const name = next(/\s*(\w+)\s*\(/y);
    if (name === undefined) throw new SyntaxError(`Cannot read "${source}" at ${source.slice(at)}`);
    const list: (() => Item)[] = [];
    while (next(/\s*\)/y) === undefined) {
      list.push(expression());
      next(/\s*,/y);
    }
    return () => call(name, list);
  }

  function call(name: string, list: readonly (() => Item)[]): Item {
    if (name === 'lambda')
      return (item: Item) => {
        variables.set(text(list[0]?.() ?? ''), item);
        return list[1]?.() ?? null;
      };
    if (name === 'coalesce') return list.map((item) => item()).find((item) => item !== null) ?? null;
    if (name === 'if') return (list[0]?.() === true ? list[1]?.() : list[2]?.()) ?? null;
    const values = list.map((item) => item());
    if (name === 'lambdaVariables') return variables.get(text(values[0] ?? '')) ?? null;
    if (name === 'reference') return referenceTo(text(values[0] ?? ''), values.includes('full'), names);
    const called = functions[name];
    if (!called)
      throw new SyntaxError(`The snapshot uses ${name}, which infra/check/plan/arm-value.ts does not know`);
    return called(...values);
  }
}

/** A resource by its id or, of an extension, by its symbol. */
function referenceTo(id: string, full: boolean, names: Readonly<Record<string, string>>): Reference {
  return new Reference(names[id] ?? id.split('/').at(-1) ?? '', full || id in names ? [] : ['properties']);
}

const member = (value: () => Item, key: () => Item) => () => {
  const [of, name] = [value(), text(key())];
  if (of instanceof Reference) return new Reference(of.name, [...of.path, name]);
  return (of as Record<string, Item> | null)?.[name] ?? null;
};

const join = (base: Item, type: Item, names: readonly Item[]) => {
  const [namespace = '', ...parts] = text(type).split('/');
  return [
    text(base),
    'providers',
    namespace,
    ...parts.flatMap((part, index) => [part, text(names[index] ?? '')]),
  ].join('/');
};

const functions: Readonly<Record<string, (...values: Item[]) => Item>> = {
  null: () => null,
  true: () => true,
  false: () => false,
  environment: () => cloud,
  utcNow: () => '<now>',
  format: (pattern = '', ...values) =>
    text(pattern).replaceAll(/\{(\d+)\}/g, (_, at) => text(values[at] ?? '')),
  concat: (...values) => (values.every(Array.isArray) ? (values.flat() as Item) : values.map(text).join('')),
  guid: (...values) => values.map(text).join(' '),
  createArray: (...values) => values as Item,
  createObject: (...values) =>
    Object.fromEntries(
      values.flatMap((name, at) => (at % 2 === 0 ? [[text(name), values[at + 1]]] : [])),
    ) as Item,
  tryGet: (value = null, ...path) =>
    path.reduce<Item>(
      (of, step) =>
        member(
          () => of,
          () => step,
        )(),
      value,
    ),
  split: (value = '', by = '') => text(value).split(text(by)),
  filter: (list = [], keep) =>
    (list as Item[]).filter((item) => (keep as (item: Item) => Item)(item)) as Item,
  not: (value = null) => value !== true,
  empty: (value = null) => value === null || value === '' || (Array.isArray(value) && value.length === 0),
  resourceId: (subscription = '', group = '', type = '', ...names) =>
    join(`/subscriptions/${text(subscription)}/resourceGroups/${text(group)}`, type, names),
  extensionResourceId: (base = '', type = '', ...names) => join(base, type, names),
};
