/** Plans of the Terraform stack: a configuration evaluated for given variables, with its modules. */

import { dirname, join } from 'node:path/posix';
import { isObject, type Value } from '../model.ts';
import { parseHclRaw } from '../terraform/syntax.ts';
import { toArm } from './arm.ts';
import { type Data, entriesOf, member, textOf } from './data.ts';
import { compileTemplate, type Expression, type Scope, within } from './expression.ts';
import { Refusal, subscriptionId, tenantId, terraformFunctions } from './functions.ts';
import { Lazy, normalized, type Plan, type PlannedResource } from './plan.ts';

type Files = ReadonlyMap<string, string>;
type Values = Readonly<Record<string, Data>>;
type Json = null | string | number | boolean | Json[] | { [name: string]: Json };
type Block = { [name: string]: Json };

/** Plans a configuration (`infra/terraform`) with values for its variables. */
export async function planTerraform(files: Files, folder: string, values: Values): Promise<Plan> {
  const folders = new Map<string, Block>();
  for (const [file, text] of files)
    if (file.startsWith('infra/terraform/') && file.endsWith('.tf')) {
      const path = dirname(file);
      folders.set(path, mergeBlocks(folders.get(path) ?? {}, (await parseHclRaw(file, text)) as Block));
    }
  const resources: PlannedResource[] = [];
  const main = new TerraformModule({ files, folders, resources }, folder, values);
  main.plan();
  return normalized(resources, main.outputs());
}

/** Blocks of several files of one folder: by kind, then by labels. */
function mergeBlocks(item: Block, other: Block): Block {
  const merged: Block = { ...item };
  for (const [name, value] of Object.entries(other)) {
    const before = merged[name];
    if (Array.isArray(before) && Array.isArray(value)) merged[name] = [...before, ...value];
    else if (isBlock(before) && isBlock(value)) merged[name] = mergeBlocks(before, value);
    else merged[name] = value;
  }
  return merged;
}

const isBlock = (value: Json | undefined): value is Block => isObject(value as Value | undefined);
const blocksIn = (value: Json | undefined): Block[] =>
  Array.isArray(value) ? value.filter(isBlock) : isBlock(value) ? [value] : [];

interface World {
  readonly files: Files;
  readonly folders: ReadonlyMap<string, Block>;
  readonly resources: PlannedResource[];
}

const meta = new Set([
  'count',
  'for_each',
  'depends_on',
  'lifecycle',
  'provider',
  'providers',
  'source',
  'dynamic',
  'retry',
]);
const compiled = new Map<string, Expression>();

class TerraformModule {
  private readonly cache = new Map<string, Data>();
  private readonly world: World;
  private readonly folder: string;
  private readonly given: Values;
  private readonly content: Block;
  private readonly scope: Scope;

  constructor(world: World, folder: string, given: Values) {
    [this.world, this.folder, this.given] = [world, folder, given];
    const content = world.folders.get(folder);
    if (!content) throw new ReferenceError(`There is no module ${folder}`);
    this.content = content;
    this.scope = { lookup: (name) => this.root(name), call: (name, values) => this.call(name, values) };
  }

  plan(): void {
    for (const name of Object.keys(this.blocks('variable'))) this.variable(name);
    for (const [type, symbols] of Object.entries(this.blocks('resource')))
      if (isBlock(symbols)) for (const symbol of Object.keys(symbols)) this.resource(type, symbol);
    for (const symbol of Object.keys(this.blocks('module'))) this.module(symbol);
  }

  outputs(): Record<string, Data> {
    const names = Object.keys(this.blocks('output'));
    return Object.fromEntries(names.map((name) => [name, this.output(name)]));
  }

  private preconditions(place: string, block: Block, scope: Scope): void {
    for (const { condition = true, error_message = '' } of blocksIn(block['precondition']))
      this.mustHold(place, condition, error_message, scope);
  }

  private output(name: string): Data {
    const [block] = blocksIn(this.blocks('output')[name]);
    if (!block) throw new ReferenceError(`${this.folder} has no output ${name}`);
    return this.once(`output ${name}`, () => {
      this.preconditions(`output ${name}`, block, this.scope);
      return this.evaluate(block['value'] ?? null, this.scope);
    });
  }

  private blocks(kind: string): Block {
    const found = this.content[kind];
    return isBlock(found) ? found : {};
  }

  private once(key: string, make: () => Data): Data {
    const cached = this.cache.get(key);
    if (cached !== undefined) return cached;
    const value = make();
    this.cache.set(key, value);
    return value;
  }

  private root(name: string): Data | undefined {
    const roots: Readonly<Record<string, (property: string) => Data>> = {
      var: (property) => this.variable(property),
      local: (property) => this.local(property),
      module: (property) => this.module(property),
      path: () => this.folder,
      data: () => new Lazy(name, () => ({ tenant_id: tenantId, subscription_id: subscriptionId })),
    };
    const get = roots[name];
    if (get) return new Lazy(name, get);
    return isBlock(this.blocks('resource')[name])
      ? new Lazy(name, (symbol) => this.resource(name, symbol))
      : undefined;
  }

  private local(name: string): Data {
    const block = blocksIn(this.content['locals']).find((item) => name in item);
    if (!block) throw new ReferenceError(`${this.folder}: there is no local.${name}`);
    return this.once(`local ${name}`, () => this.evaluate(block[name] ?? null, this.scope));
  }

  private variable(name: string): Data {
    const [block] = blocksIn(this.blocks('variable')[name]);
    if (!block) throw new ReferenceError(`${this.folder}: there is no var.${name}`);
    const cached = this.cache.get(`var ${name}`);
    if (cached !== undefined) return cached;
    const value = this.given[name] ?? this.evaluate(block['default'] ?? null, this.scope);
    if (!(name in this.given) && !('default' in block))
      throw new Refusal(`${this.folder}: ${name} is not given`);
    this.cache.set(`var ${name}`, value);
    for (const { condition = true, error_message = '' } of blocksIn(block['validation']))
      this.mustHold(`${name} is ${textOf(value)}`, condition, error_message, this.scope);
    return value;
  }

  private mustHold(what: string, condition: Json, message: Json, scope: Scope): void {
    if (this.evaluate(condition, scope) !== true)
      throw new Refusal(`${what}: ${textOf(this.evaluate(message, scope))}`);
  }

  private call(name: string, values: readonly (() => Data)[]): Data {
    if (name === 'try' || name === 'can') return attempt(name, values);
    const [first, second] = values.map((value) => value());
    const read = () => {
      const path = join(textOf(first ?? null));
      const text = this.world.files.get(path);
      if (text === undefined) throw new ReferenceError(`${this.folder}: there is no file ${path}`);
      return text;
    };
    if (name === 'file') return read();
    if (name === 'templatefile')
      return compileTemplate(read())({
        ...this.scope,
        lookup: (item) => member(second ?? null, item) ?? undefined,
      });
    const called = terraformFunctions[name];
    if (!called) throw new ReferenceError(`${this.folder}: there is no function ${name}`);
    return called(...values.map((value) => value()));
  }

  /** A value of hcl2json: texts are templates, everything else is what it is. */
  private evaluate(value: Json, scope: Scope): Data {
    if (typeof value === 'string') {
      const expression = compiled.get(value) ?? compileTemplate(value);
      compiled.set(value, expression);
      return expression(scope);
    }
    if (Array.isArray(value)) return value.map((item) => this.evaluate(item, scope));
    if (!isBlock(value)) return value;
    const { dynamic, ...rest } = value;
    const made = Object.entries(rest).map(([name, inner]) => [
      this.evaluate(name, scope),
      this.evaluate(inner, scope),
    ]);
    const result: Record<string, Data> = Object.fromEntries(
      made.map(([name, inner]) => [textOf(name ?? null), inner ?? null]),
    );
    for (const [name, blocks] of Object.entries(isBlock(dynamic) ? dynamic : {})) {
      const list = blocksIn(blocks).flatMap((block) => this.dynamic(name, block, scope));
      const before = result[name];
      result[name] = Array.isArray(before) ? [...before, ...list] : list;
    }
    return result;
  }

  private dynamic(name: string, block: Block, scope: Scope): Data[] {
    const iterator = typeof block['iterator'] === 'string' ? block['iterator'] : name;
    return entriesOf(this.evaluate(block['for_each'] ?? [], scope)).flatMap(([key, value]) => {
      const inner = within(scope, { [iterator]: { key, value } });
      return blocksIn(block['content']).map((content) => this.evaluate(content, inner));
    });
  }

  /** What a block with `count` or `for_each` makes: one, a list, or an object. */
  private instances(block: Block, make: (scope: Scope) => Data): Data {
    if ('count' in block) {
      const count = Number(this.evaluate(block['count'] ?? 0, this.scope));
      return Array.from({ length: count }, (_, index) => make(within(this.scope, { count: { index } })));
    }
    if (!('for_each' in block)) return make(this.scope);
    const list = this.evaluate(block['for_each'] ?? [], this.scope);
    const made = entriesOf(list).map(([key, value]) => {
      const name = Array.isArray(list) ? value : key;
      return [textOf(name), make(within(this.scope, { each: { key: name, value } }))] as const;
    });
    return Object.fromEntries(made);
  }

  private module(symbol: string): Data {
    const [block] = blocksIn(this.blocks('module')[symbol]);
    if (!block) throw new ReferenceError(`${this.folder}: there is no module.${symbol}`);
    return this.once(`module ${symbol}`, () =>
      this.instances(block, (scope) => {
        const given = Object.entries(block).filter(([name]) => !meta.has(name));
        const values = Object.fromEntries(given.map(([name, value]) => [name, this.evaluate(value, scope)]));
        const made = new TerraformModule(
          this.world,
          join(this.folder, textOf(block['source'] as Data)),
          values,
        );
        made.plan();
        return new Lazy(symbol, (name) => made.output(name));
      }),
    );
  }

  private resource(type: string, symbol: string): Data {
    const symbols = this.blocks('resource')[type];
    const [block] = blocksIn(isBlock(symbols) ? symbols[symbol] : undefined);
    if (!block) throw new ReferenceError(`${this.folder}: there is no ${type}.${symbol}`);
    return this.once(`${type}.${symbol}`, () =>
      this.instances(block, (scope) => {
        const given = Object.entries(block).filter(([name]) => !meta.has(name) || name === 'dynamic');
        const values = this.evaluate(Object.fromEntries(given), scope) as Record<string, Data>;
        for (const lifecycle of blocksIn(block['lifecycle']))
          this.preconditions(`${type}.${symbol}`, lifecycle, scope);
        const { resources, value } = toArm(type, values);
        this.world.resources.push(...resources);
        return value;
      }),
    );
  }
}

function attempt(name: string, values: readonly (() => Data)[]): Data {
  for (const value of values) {
    try {
      const made = value();
      if (name === 'can') return made !== null;
      if (made !== null) return made;
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
    }
  }
  return name === 'can' ? false : null;
}
