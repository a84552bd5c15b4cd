/** Plans of the Bicep stack: a template evaluated for given parameters, with its modules. */

import { dirname, join } from 'node:path/posix';
import type { Node } from 'web-tree-sitter';
import { children, parseBicep } from '../bicep/syntax.ts';
import { idUnder, resourceValue } from './bicep-resource.ts';
import { type Data, entriesOf, member, parseJson, Runtime, textOf } from './data.ts';
import { compile, type Scope } from './expression.ts';
import { bicepFunctions, Refusal, subscriptionId, tenantId } from './functions.ts';
import { normalized, type Plan, type PlannedResource } from './plan.ts';

type Files = ReadonlyMap<string, string>;
type Values = Readonly<Record<string, Data>>;
interface Declaration {
  readonly kind: 'param' | 'var' | 'resource' | 'module' | 'output';
  readonly name: string;
  /** `Microsoft.Web/sites`, the path of a module, or the type of a parameter. */
  readonly type: string;
  readonly existing: boolean;
  readonly body: string;
  /** The expression of the values that are allowed; empty: any. */
  readonly allowed: string;
  /** Decorators that limit a value, with their numbers. */
  readonly limits: readonly (readonly [word: string, limit: number])[];
}

const subscription = `/subscriptions/${subscriptionId}`;
const declaration =
  /^(param|var|resource|module|output) (\w+)(?: ('[^']*'|[^=]*?))??( existing)?(?: = ([\s\S]*))?$/;

/** Plans a template with the values of a parameter file for the given variables of the environment. */
export async function planBicep(
  files: Files,
  parameterFile: string,
  environment: Readonly<Record<string, string>>,
  more: Values = {},
): Promise<Plan> {
  const template = join(
    dirname(parameterFile),
    /^using '(.*)'/m.exec(files.get(parameterFile) ?? '')?.[1] ?? '',
  );
  const values = { ...(await parameterValues(files, parameterFile, environment)), ...more };
  const modules = await declarationsByFile(files);
  const resources: PlannedResource[] = [];
  const main = new BicepModule({ files, modules, resources }, template, values, subscription);
  main.plan();
  return normalized(resources, main.outputs());
}

/** The values of a parameter file. */
export async function parameterValues(
  files: Files,
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<Values> {
  const text = files.get(file) ?? '';
  const names = new Set([...text.matchAll(/^param (\w+)/gm)].map(([, name = '']) => name));
  const declarations = declarationsOf(await parseBicep(file, text));
  const functions: Record<string, (...values: Data[]) => Data> = {
    readEnvironmentVariable: (name, other = null) => {
      const value = environment[textOf(name ?? null)] ?? other;
      if (value === null) throw new Refusal(`The variable ${textOf(name ?? null)} is not set`);
      return value;
    },
  };
  const scope = scopeOf({ files, file }, functions, (name) => {
    const found = declarations.find((declaration) => declaration.name === name);
    return found ? compile(found.body, 'bicep')(scope) : undefined;
  });
  return Object.fromEntries(
    declarations
      .filter(({ name }) => names.has(name))
      .map(({ name, body }) => [name, compile(body, 'bicep')(scope)]),
  );
}

async function declarationsByFile(files: Files): Promise<ReadonlyMap<string, readonly Declaration[]>> {
  const found = new Map<string, readonly Declaration[]>();
  for (const [file, text] of files)
    if (file.endsWith('.bicep')) found.set(file, declarationsOf(await parseBicep(file, text)));
  return found;
}

const declared = new WeakMap<Node, readonly Declaration[]>();

/** Declarations of a tree that was read before are not read again. */
function declarationsOf(root: Node): readonly Declaration[] {
  const found = declared.get(root) ?? newDeclarations(root);
  declared.set(root, found);
  return found;
}

function newDeclarations(root: Node): Declaration[] {
  let decorators = '';
  return children(root).flatMap((node) => {
    if (node.type === 'decorators') decorators += `${node.text}\n`;
    if (!node.type.endsWith('_declaration')) return [];
    const [, kind, name = '', type = '', existing, body = ''] = declaration.exec(node.text) ?? [];
    const made = {
      kind: kind as Declaration['kind'],
      name,
      type: type.replaceAll("'", ''),
      existing: Boolean(existing),
      body,
      allowed: /@allowed\(([\s\S]*?)\)\n/.exec(decorators)?.[1] ?? '',
      limits: [...decorators.matchAll(/@(\w+)\((-?\d+)\)/g)].map(
        ([, word = '', limit]) => [word, Number(limit)] as const,
      ),
    };
    decorators = '';
    return kind ? [made] : [];
  });
}

interface Place {
  readonly files: Files;
  readonly file: string;
}

function scopeOf(
  { files, file }: Place,
  more: Readonly<Record<string, (...values: Data[]) => Data>>,
  lookup: Scope['lookup'],
): Scope {
  const load = (path: Data | undefined) => {
    const text = files.get(join(dirname(file), textOf(path ?? null)));
    if (text === undefined) throw new ReferenceError(`${file}: there is no file ${textOf(path ?? null)}`);
    return text;
  };
  const functions: typeof more = {
    ...bicepFunctions,
    loadTextContent: load,
    loadJsonContent: (path) => parseJson(load(path)),
    tenant: () => ({ tenantId }),
    subscription: () => ({ id: subscription, subscriptionId, tenantId }),
    environment: () => ({
      suffixes: {
        storage: 'core.windows.net',
        sqlServerHostname: '.database.windows.net',
        keyvaultDns: '.vault.azure.net',
      },
      authentication: { loginEndpoint: 'https://login.microsoftonline.com/' },
    }),
    subscriptionResourceId: (type, name) =>
      `${subscription}/providers/${textOf(type ?? null)}/${textOf(name ?? null)}`,
    ...more,
  };
  return {
    lookup,
    call: (name, values) => {
      const called = functions[name];
      if (!called) throw new ReferenceError(`${file}: there is no function ${name}`);
      return called(...values.map((value) => value()));
    },
  };
}

interface World {
  readonly files: Files;
  readonly modules: ReadonlyMap<string, readonly Declaration[]>;
  readonly resources: PlannedResource[];
}

/** One use of a module: everything in it is computed once, when it is asked for. */
class BicepModule {
  private readonly cache = new Map<string, Data>();
  private readonly declarations: readonly Declaration[];
  private readonly scope: Scope;
  private readonly world: World;
  private readonly file: string;
  private readonly given: Values;
  private readonly base: string;

  constructor(world: World, file: string, given: Values, base: string) {
    [this.world, this.file, this.given, this.base] = [world, file, given, base];
    const declarations = world.modules.get(file);
    if (!declarations) throw new ReferenceError(`There is no module ${file}`);
    this.declarations = declarations;
    const groupId = (type: Data | undefined, ...names: Data[]) =>
      idUnder(base, textOf(type ?? null), names.map(textOf));
    this.scope = scopeOf(
      { files: world.files, file },
      {
        resourceId: groupId,
        // Of this group, of another one, or of another one in a given subscription.
        resourceGroup: (...names) => ({
          id:
            names.length === 0
              ? base
              : `${names.length > 1 ? `/subscriptions/${textOf(names[0] ?? null)}` : subscription}/resourceGroups/${textOf(names.at(-1) ?? null)}`,
        }),
      },
      (name) => this.lookup(name),
    );
  }

  plan(): void {
    for (const { kind, name } of this.declarations)
      if (kind === 'resource' || kind === 'module' || kind === 'param') this.lookup(name);
  }

  outputs(): Record<string, Data> {
    const outputs = this.declarations.filter(({ kind }) => kind === 'output');
    return Object.fromEntries(outputs.map(({ name, body }) => [name, this.evaluate(body)]));
  }

  private evaluate(body: string): Data {
    try {
      return compile(body, 'bicep')(this.scope);
    } catch (error) {
      throw error instanceof SyntaxError
        ? new SyntaxError(`${this.file}: ${error.message}`, { cause: error })
        : error;
    }
  }

  private lookup(name: string): Data | undefined {
    const cached = this.cache.get(name);
    if (cached !== undefined) return cached;
    const found = this.declarations.find(
      (declaration) => declaration.name === name && declaration.kind !== 'output',
    );
    if (!found) return undefined;
    const value = this.valueOf(found);
    this.cache.set(name, value);
    return value;
  }

  private valueOf(found: Declaration): Data {
    if (found.kind === 'var') return this.evaluate(found.body);
    if (found.kind === 'param') return this.parameter(found);
    const body = this.conditional(found);
    const make = (item: Data) =>
      item === null ? null : found.kind === 'module' ? this.call(found, item) : this.resource(found, item);
    return Array.isArray(body) ? body.map(make) : make(body);
  }

  private parameter({ name, body, allowed, limits }: Declaration): Data {
    const given = this.given[name];
    if (given === undefined && body === '') throw new Refusal(`${this.file}: ${name} is not given`);
    const value = given ?? this.evaluate(body);
    const list = allowed ? this.evaluate(allowed) : [];
    if (Array.isArray(list) && list.length > 0 && !list.some((item) => textOf(item) === textOf(value)))
      throw new Refusal(`${name} is ${textOf(value)}; it must be one of ${list.map(textOf).join(', ')}`);
    for (const [word, limit] of limits)
      if (exceeds[word]?.(value, limit)) throw new Refusal(`${name} is ${textOf(value)}: ${word} ${limit}`);
    return value;
  }

  /** The body of a resource or module, or null where its condition does not hold; a list where there is a loop. */
  private conditional({ body }: Declaration): Data {
    if (!/^if\b/.test(body)) return this.evaluate(body);
    const object = body.indexOf('{\n');
    if (this.evaluate(body.slice(2, object)) !== true) return null;
    return this.evaluate(body.slice(object));
  }

  private call({ type }: Declaration, body: Data): Data {
    const scope = member(body, 'scope');
    const base = scope === null ? this.base : textOf(member(scope, 'id'));
    const params = member(body, 'params');
    const values =
      params === null
        ? {}
        : Object.fromEntries(entriesOf(params).map(([key, value]) => [textOf(key), value]));
    const module = new BicepModule(this.world, join(dirname(this.file), type), values, base);
    module.plan();
    const outputs = module.outputs();
    return { outputs };
  }

  private resource({ type: reference, existing }: Declaration, body: Data): Data {
    const [type = ''] = reference.split('@');
    const { name = null, parent, scope, dependsOn: _, ...rest } = body as Record<string, Data>;
    const ownName = name ?? rest['uniqueName'] ?? rest['appId'] ?? rest['principalId'] ?? '';
    const id = this.idOf(type, textOf(ownName), parent, scope);
    if (!existing) this.world.resources.push({ type, id, body: rest });
    return resourceValue(type, id, textOf(name), rest);
  }

  private idOf(type: string, name: string, parent: Data | undefined, scope: Data | undefined): string {
    if (type === 'Microsoft.Resources/resourceGroups') return `${subscription}/resourceGroups/${name}`;
    if (type.startsWith('Microsoft.Graph/')) return `${type}/${name}`;
    if (parent instanceof Runtime) return `${textOf(parent.member('id'))}/${type.split('/').at(-1)}/${name}`;
    const base = scope instanceof Runtime ? textOf(scope.member('id')) : this.base;
    return idUnder(base, type, name.split('/'));
  }
}

const exceeds: Readonly<Record<string, (value: Data, limit: number) => boolean>> = {
  minValue: (value, limit) => Number(value) < limit,
  maxValue: (value, limit) => Number(value) > limit,
  minLength: (value, limit) => textOf(value).length < limit,
  maxLength: (value, limit) => typeof value === 'string' && value.length > limit,
};
