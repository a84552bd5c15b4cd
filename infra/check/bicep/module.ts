/** A Bicep file as a module. */

import { basename } from 'node:path';
import type { Node } from 'web-tree-sitter';
import {
  commentAbove,
  isObject,
  type Module,
  type ModuleCall,
  type Parameter,
  type Resource,
  snakeCase,
  type Value,
} from '../model.ts';
import { children, parseBicep } from './syntax.ts';
import { last, plainText, properties, toValue } from './value.ts';

/** A declaration with the decorators that stand before it. */
interface Declaration {
  readonly node: Node;
  readonly decorators: ReadonlyMap<string, Node | undefined>;
}

const cache = new WeakMap<Node, Module>();

/** Reads a module, unless it was read before. Throws a SyntaxError for text that is not Bicep. */
export async function readBicepModule(file: string, text: string): Promise<Module> {
  const root = await parseBicep(file, text);
  const module = cache.get(root) ?? moduleOf(root, file, text);
  cache.set(root, module);
  return module;
}

function moduleOf(root: Node, file: string, text: string): Module {
  const declarations = withDecorators(root);
  const lines = text.split('\n');
  const ofKind = (kind: string) => declarations.filter(({ node }) => node.type === `${kind}_declaration`);
  return {
    file,
    text,
    parameters: byName(ofKind('parameter'), toParameter),
    outputs: byName(ofKind('output'), (item) => ({
      description: description(item),
      value: toValue(last(item.node)),
    })),
    locals: byName(ofKind('variable'), ({ node }) => toValue(last(node))),
    resources: ofKind('resource').map(({ node }) => toResource(file, lines, node)),
    calls: ofKind('module').map(({ node }) => toCall(node)),
    providers: [],
  };
}

function withDecorators(root: Node): Declaration[] {
  const declarations: Declaration[] = [];
  let decorators = new Map<string, Node | undefined>();
  for (const node of children(root)) {
    if (node.type === 'decorators')
      for (const call of children(node).map(last)) decorators.set(nameOf(call), argumentOf(call));
    else if (node.type.endsWith('_declaration')) {
      declarations.push({ node, decorators });
      decorators = new Map();
    }
  }
  return declarations;
}

const nameOf = (declaration: Node): string => children(declaration)[0]?.text ?? '';
const argumentOf = (call: Node): Node | undefined => children(last(call))[0];

function byName<T>(declarations: Declaration[], read: (item: Declaration) => T): Record<string, T> {
  return Object.fromEntries(
    declarations.map((declaration) => [snakeCase(nameOf(declaration.node)), read(declaration)]),
  );
}

function description({ decorators }: Declaration): string {
  const text = decorators.get('description');
  return text ? plainText(text) : '';
}

function toParameter(declaration: Declaration): Parameter {
  const [, type, value] = children(declaration.node);
  const allowed = declaration.decorators.get('allowed');
  return {
    type: terraformType(type?.text ?? ''),
    description: description(declaration),
    default: value ? toValue(value) : undefined,
    allowed: allowed ? children(allowed).map((item) => String(toValue(item))) : [],
  };
}

function terraformType(type: string): string {
  if (type.endsWith('[]')) return `list(${terraformType(type.slice(0, -2))})`;
  const values = /^\{ \*: (\w+) \}$/.exec(type)?.[1];
  if (values !== undefined) return `map(${terraformType(values)})`;
  if (type.startsWith('{')) {
    const members = type.slice(1, -1).split(',');
    const fields = members.map((member) => member.split(':').map((part) => part.trim()));
    return `object({${fields.map(([name = '', inner = '']) => `${snakeCase(name)}=${terraformType(inner)}`).join(',')}})`;
  }
  const declared: Readonly<Record<string, string>> = {
    int: 'number',
    object: 'map(string)',
    string: 'string',
    bool: 'bool',
  };
  // A user-defined type has texts by name.
  return declared[type] ?? 'map(string)';
}

function toResource(file: string, lines: readonly string[], node: Node): Resource {
  const [symbol, reference] = children(node);
  const [type = '', version = ''] = plainText(reference ?? node).split('@');
  const body = toValue(last(node));
  const object = Array.isArray(body) ? body[0] : body;
  const line = node.startPosition.row;
  const existing = children(node, true).some((child) => child.text === 'existing');
  return {
    symbol: symbol?.text ?? '',
    type: existing ? `existing ${type}` : type,
    version,
    body: isObject(object) ? object : {},
    file,
    line: line + 1,
    comment: commentAbove(lines, line),
    condition: conditionOf(node),
  };
}

function conditionOf(node: Node): string {
  const inner = children(node).find((child) => ['if_statement', 'for_statement'].includes(child.type));
  if (!inner) return '';
  return inner.type === 'if_statement' ? (children(inner)[0]?.text ?? '') : conditionOf(inner);
}

function toCall(node: Node): ModuleCall {
  const [symbol, path] = children(node);
  const body = last(node);
  const object = body.type === 'object' ? body : last(body);
  const params = properties(object).find(([name]) => name === 'params')?.[1];
  const given: [string, Value][] = (params ? properties(params) : []).map(([name, value]) => [
    snakeCase(name),
    toValue(value),
  ]);
  return {
    symbol: snakeCase(symbol?.text ?? ''),
    module: basename(plainText(path ?? node), '.bicep'),
    arguments: Object.fromEntries(given),
  };
}
