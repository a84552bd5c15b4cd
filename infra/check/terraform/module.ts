/** A folder of Terraform files as a module. */

import { basename } from 'node:path';
import {
  commentAbove,
  isObject,
  type Module,
  type ModuleCall,
  type Parameter,
  type Resource,
  type Value,
} from '../model.ts';
import { parseHcl } from './syntax.ts';
import { textOf } from './value.ts';

type Body = Record<string, Value>;
interface Block {
  readonly labels: readonly string[];
  readonly body: Body;
  readonly file: string;
}

/** Reads a module from the files of its folder. Throws an error for text that is not HCL. */
export async function readTerraformModule(files: ReadonlyMap<string, string>): Promise<Module> {
  const parsed = new Map<string, Body>();
  for (const [file, text] of files) {
    const content = await parseHcl(file, text);
    if (isObject(content)) parsed.set(file, content);
  }
  const blocks = (kind: string) => [...parsed].flatMap(([file, content]) => blocksOf(file, content[kind]));
  const byName = <T>(kind: string, read: (body: Body) => T): Record<string, T> =>
    Object.fromEntries(blocks(kind).map(({ labels: [name = ''], body }) => [name, read(body)]));
  return {
    file: [...files.keys()].find((file) => file.endsWith('main.tf')) ?? [...files.keys()][0] ?? '',
    text: [...files.values()].join('\n'),
    parameters: byName('variable', toParameter),
    outputs: byName('output', (body) => ({
      description: textOf(body['description']),
      value: body['value'] ?? null,
    })),
    locals: Object.assign({}, ...blocks('locals').map(({ body }) => body)),
    resources: blocks('resource').map((block) => toResource(block, files.get(block.file) ?? '')),
    calls: blocks('module').map(toCall),
    providers: blocks('terraform').flatMap(({ body }) => toProviders(body['required_providers'])),
  };
}

/** Blocks nested by their labels, `{ type: { name: [body] } }`, as a flat list. */
function blocksOf(file: string, value: Value | undefined, labels: readonly string[] = []): Block[] {
  if (Array.isArray(value)) return value.filter(isObject).map((body) => ({ labels, body, file }));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([label, inner]) => blocksOf(file, inner, [...labels, label]));
}

function toParameter(body: Body): Parameter {
  const [validation] = Array.isArray(body['validation']) ? body['validation'] : [];
  const condition = isObject(validation) ? textOf(validation['condition']) : '';
  const list = /^contains\((\[.*\]), var\.\w+\)$/.exec(condition)?.[1];
  return {
    type: textOf(body['type'])
      .replace(/\s*\n\s*/g, ',')
      .replace(/\s/g, '')
      .replace('({,', '({')
      .replace(',})', '})'),
    description: textOf(body['description']),
    default: body['default'],
    allowed: list ? (JSON.parse(list) as unknown[]).map(String) : [],
  };
}

function toResource({ labels: [type = '', symbol = ''], body, file }: Block, text: string): Resource {
  const lines = text.split('\n');
  const line = lines.findIndex((line) => line.startsWith(`resource "${type}" "${symbol}"`));
  const isArm = type.startsWith('azapi_');
  const [armType = '', version = ''] = isArm ? textOf(body['type']).split('@') : [];
  return {
    symbol,
    type: isArm ? armType : type,
    version,
    body: withDynamicBlocks(body),
    file,
    line: line + 1,
    comment: commentAbove(lines, line),
    condition: textOf(body['count'] ?? body['for_each']),
  };
}

/** Turns `dynamic "x" { content { ... } }` into the block that it makes. */
function withDynamicBlocks(body: Body): Body {
  const { dynamic, ...rest } = body;
  if (!isObject(dynamic)) return rest;
  const made = Object.entries(dynamic).map(([name, blocks]) => [
    name,
    Array.isArray(blocks) ? blocks.filter(isObject).flatMap(({ content }) => content ?? []) : [],
  ]);
  return { ...rest, ...Object.fromEntries(made) };
}

function toProviders(value: Value | undefined): { name: string; constraint: string }[] {
  const [providers] = Array.isArray(value) ? value : [];
  if (!isObject(providers)) return [];
  return Object.entries(providers).map(([name, provider]) => ({
    name,
    constraint: isObject(provider) ? textOf(provider['version']) : '',
  }));
}

const metaArguments = new Set(['source', 'count', 'for_each', 'depends_on', 'providers']);

function toCall({ labels: [symbol = ''], body }: Block): ModuleCall {
  const given = Object.entries(body).filter(([name]) => !metaArguments.has(name));
  return { symbol, module: basename(textOf(body['source'])), arguments: Object.fromEntries(given) };
}
