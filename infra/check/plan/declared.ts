/** What the templates say beside their resources: parameters with their limits, what waits for what, versions and providers. */

import { type Module, type Project, type Stack, snakeCase, type Value } from '../model.ts';
import { namesIn, show } from '../rules/walk.ts';
import { parseYaml } from '../yaml.ts';
import type { Lines } from './lines.ts';

/** One line per parameter, per symbol that waits, per pinned version, of both stacks. */
export function declaredLines({ bicep, terraform, files }: Project): Lines {
  const lines = new Map<string, string>();
  for (const stack of [bicep, terraform])
    for (const [name, module] of Object.entries(stack.modules)) {
      for (const [key, value] of linesOfModule(stack, module))
        lines.set(`${stack.name} ${name}: ${key}`, value);
    }
  for (const file of [...files.keys()].filter((name) => deploying.test(name)))
    for (const { path, value } of literals(parseYaml(files.get(file) ?? '') as Value))
      lines.set(`${file}: ${path}`, show(value));
  for (const file of [...files.keys()].filter((name) => name.endsWith('.bicepparam')))
    for (const [, name = '', value = ''] of (files.get(file) ?? '').matchAll(
      /^var (\w+) = ([\s\S]*?)$(?=\n(?:var|param|\n))/gm,
    ))
      lines.set(`${file}: variable ${name}`, oneLine(value));
  const configuration: Value = JSON.parse(files.get('infra/bicep/bicepconfig.json') ?? '{}');
  for (const { path, value } of namesIn(configuration))
    if (typeof value !== 'object') lines.set(`bicepconfig.json: ${path}`, show(value));
  return lines;
}

const ofModules = new WeakMap<Module, readonly [string, string][]>();

/** The lines of a module, which are read once: a check of many changes has most modules as they were. */
function linesOfModule(stack: Stack, module: Module): readonly [string, string][] {
  const lines = ofModules.get(module) ?? [
    ...parameters(module),
    ...variables(module),
    ...conditions(stack, module),
    ...order(stack, module),
    ...settings(module),
  ];
  ofModules.set(module, lines);
  return lines;
}

/** What deploys, besides the templates: pipelines and azd. */
const deploying = /^(?:azure\.yaml|\.github\/workflows\/(?!ci\.yml|release\.yml).*)$/;

/** Every literal with its path, elements of lists by their position. */
function* literals(value: Value, path = ''): Generator<{ path: string; value: Value }> {
  if (typeof value !== 'object' || value === null) yield { path, value };
  else
    for (const [name, inner] of Object.entries(value))
      yield* literals(inner, path === '' ? name : `${path}.${name}`);
}

function parameters({ text, parameters }: Module): [string, string][] {
  return Object.entries(parameters).map(([name, { type, default: value, allowed }]) => [
    `parameter ${name}`,
    [
      type,
      value === undefined ? 'required' : `default ${show(value)}`,
      allowed.length ? `one of ${allowed.join(' ')}` : '',
      limits(text, name),
    ]
      .filter(Boolean)
      .join('; '),
  ]);
}

/** What is computed from parameters: tables, conditions, and what is refused. */
function variables({ locals }: Module): [string, string][] {
  return Object.entries(locals).map(([name, value]) => [`variable ${name}`, oneLine(show(value))]);
}

/** When there is a resource or module, or how many there are. */
function conditions({ name: stack }: Stack, { text }: Module): [string, string][] {
  if (stack === 'bicep') return bicepConditions(text);
  const blocks = text.matchAll(/^(resource|module) ("\w+"(?: "\w+")?) \{\n([\s\S]*?)^\}$/gm);
  return [...blocks].map(([, kind = '', symbol = '', body = '']) => [
    `${kind} ${symbol.replaceAll('"', '')}`,
    [...body.matchAll(/^ {2}(?:count|for_each|source) *= .*$/gm)]
      .map(([line]) => oneLine(line))
      .join(' | ') || 'one',
  ]);
}

function bicepConditions(text: string): [string, string][] {
  const declared = /^(resource|module) (\w+) ('[^']*') ?(existing)? ?= (\[?(?:if|for)? ?.*)$/gm;
  const moduleNames = /^module (\w+) [^\n]*\n {2}name: (.*)$/gm;
  return [
    ...[...text.matchAll(/^(targetScope) = (.*)$/gm)].map(([, name = '', scope = '']): [string, string] => [
      name,
      scope,
    ]),
    ...[...text.matchAll(moduleNames)].map(([, symbol = '', name = '']): [string, string] => [
      `deployment ${symbol}`,
      name,
    ]),
    ...[...text.matchAll(declared)].map(
      ([, kind = '', symbol = '', type = '', existing = '', when = '']): [string, string] => [
        `${kind} ${symbol}`,
        [type, existing, when].filter(Boolean).join(' '),
      ],
    ),
  ];
}

/** Decorators of Bicep other than the description, and conditions of validations in Terraform. */
function limits(text: string, name: string): string {
  const block = new RegExp(`^variable "${name}" \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text)?.[1];
  if (block !== undefined)
    return [...block.matchAll(/condition\s*= (.*)/g)].map(([, condition]) => condition).join(' and ');
  const lines = text.split('\n');
  const at = lines.findIndex((line) => snakeCase(/^param (\w+)/.exec(line)?.[1] ?? '') === name);
  const found: string[] = [];
  for (let line = at - 1; line >= 0 && lines[line]?.startsWith('@'); line -= 1)
    if (!/^@(description|allowed)/.test(lines[line] ?? '')) found.unshift(lines[line] ?? '');
  return found.join(' ');
}

/** For each resource and module, the others of the same file that it names: it waits for those. */
function order({ name: stack }: Stack, module: Module): [string, string][] {
  const pattern =
    stack === 'bicep'
      ? /^(?:resource|module) (\w+) [\s\S]*?^(?:\}|\])$/gm
      : /^(?:resource "(\w+)" "(\w+)"|module "(\w+)"|output "(\w+)") \{\n[\s\S]*?^\}$/gm;
  const blocks = [...module.text.matchAll(pattern)].map(([text, ...names]) => ({
    text,
    symbol:
      names[0] !== undefined && names[1] !== undefined
        ? `${names[0]}.${names[1]}`
        : (names.find(Boolean) ?? ''),
  }));
  const symbols = new Set(blocks.map(({ symbol }) => symbol));
  const mention = (symbol: string) =>
    new RegExp(
      stack === 'bicep'
        ? `(?<![\\w.'])${symbol}(?![\\w:'])`
        : `(?:module\\.|(?<![\\w.]))${symbol.replace('.', '\\.')}\\b`,
    );
  return blocks.map(({ symbol, text }) => {
    const body = text.replace(/^(?:resource|module|output) \S+( "\w+")?/, '');
    const waits = [...symbols]
      .filter((other) => other !== symbol && mention(other).test(body))
      .map(snakeCase);
    return [`${snakeCase(symbol)} waits for`, waits.sort().join(', ') || 'nothing'];
  });
}

/** Blocks of Terraform that say how it works: versions, providers, lifecycles, retries. */
function settings({ text }: Module): [string, string][] {
  const found: [string, string][] = [];
  const blocks = text.matchAll(/^(\w+)(?: "([\w-]+)")?(?: "([\w-]+)")? \{\n([\s\S]*?)^\}$/gm);
  for (const [, kind = '', label = '', name = '', body = ''] of blocks) {
    for (const [, condition = '', message = ''] of body.matchAll(
      /precondition \{\s+condition\s*= (.*)\n\s*error_message\s*= "(.*)"/g,
    ))
      found.push([`refuses: ${message}`, `unless ${condition}`]);
    if (kind === 'terraform' || kind === 'provider')
      found.push([[kind, label].filter(Boolean).join(' '), oneLine(body)]);
    if (kind !== 'resource') continue;
    const inner = [
      ...body.matchAll(
        /^ {2}(lifecycle \{\n[\s\S]*?^ {2}\}|retry = \{\n[\s\S]*?^ {2}\}|schema_validation_enabled.*|ignore_null_property.*|response_export_values.*)$/gm,
      ),
    ];
    if (inner.length > 0)
      found.push([`${label}.${name} is managed`, inner.map(([item]) => oneLine(item)).join(' | ')]);
  }
  return found;
}

const oneLine = (text: string) =>
  text
    .replace(/^\s*#.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
