/** The parameters of a Bicep template as it declares them, for all that ask what they are; Terraform takes the same. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** What a parameter takes. */
export interface Parameter {
  readonly description: string;
  /** As in the template: `string`, `int`, `bool`, `string[]`, `object`, or the name of a type with members. */
  readonly type: string;
  /** The value where none is given, or the text of the expression that makes it; undefined: one must be given. */
  readonly default: unknown;
  /** The only values; undefined: any. */
  readonly allowed: readonly unknown[] | undefined;
  readonly least: number;
  readonly most: number;
  /** The names that an object may have, all of texts; undefined: any. */
  readonly members: readonly string[] | undefined;
}

/** Parameters by their names in camelCase, in the order of the template. */
export type Parameters = ReadonlyMap<string, Parameter>;

/** `databaseSku` as `database_sku`; names that are all capitals stay. */
export function snakeCase(name: string): string {
  if (/^[A-Z_]+$/.test(name)) return name;
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** A line, and those that go on with what it has begun. */
const statement = String.raw`.*(?:\n[ )\]}].*)*`;
const declaration = new RegExp(
  String.raw`((?:^@${statement}\n)*)^param (\w+) (.+?)(?: = (${statement}))?$`,
  'gm',
);
const typeDeclaration = /^type (\w+) = \{([^}]*)\}/gm;

/** Reads the parameters of a template. */
export function readParameters(template: string): Parameters {
  const members = new Map(
    [...template.matchAll(typeDeclaration)].map(([, name = '', body = '']) => [
      name,
      [...body.matchAll(/(\w+): string\?/g)].map(([, member = '']) => member),
    ]),
  );
  return new Map(
    [...template.matchAll(declaration)].map(([, decorators = '', name = '', type = '', text]) => {
      const argument = (decorator: string) =>
        new RegExp(String.raw`^@${decorator}\((${statement})\s*\)$`, 'm').exec(decorators)?.[1];
      const allowed = argument('allowed');
      const parameter: Parameter = {
        description: String(literal(argument('description') ?? '')),
        type,
        default: text === undefined ? undefined : literal(text),
        allowed: allowed === undefined ? undefined : (literal(allowed) as unknown[]),
        least: Number(argument('minValue') ?? Number.NEGATIVE_INFINITY),
        most: Number(argument('maxValue') ?? Number.POSITIVE_INFINITY),
        members: members.get(type),
      };
      return [name, parameter];
    }),
  );
}

const ofBicep = 'infra/bicep/main.bicep';
const isOfBicep = existsSync(join(root, ofBicep));

/** The file that declares the parameters which people may give; where there is only Terraform, its variables, whose names are in snake_case there. */
export const parameterFile = isOfBicep ? ofBicep : 'infra/terraform/variables.tf';

let ofMain: Parameters | undefined;

/** The parameters that people may give. */
export function mainParameters(): Parameters {
  const read = isOfBicep ? readParameters : readVariables;
  ofMain ??= read(readFileSync(join(root, parameterFile), 'utf8'));
  return ofMain;
}

/** Types of Terraform as Bicep has them. */
const types: Readonly<Record<string, string>> = {
  number: 'int',
  'list(string)': 'string[]',
  'map(string)': 'object',
};

/** Reads the variables of Terraform as parameters, by their names in camelCase. */
export function readVariables(text: string): Parameters {
  const declared = text.matchAll(/^variable "(\w+)" \{\n([\s\S]*?)^\}$/gm);
  return new Map(
    [...declared].map(([, name = '', body = '']) => {
      const found = (expression: RegExp) => expression.exec(body)?.[1];
      const value = (expression: RegExp) => {
        const literal = found(expression);
        return literal === undefined ? undefined : literalOfTerraform(literal);
      };
      const type = found(/^ {2}type\s*= (.*)$/m) ?? '';
      const parameter: Parameter = {
        description: String(value(/^ {2}description\s*= (.*)$/m) ?? ''),
        type: types[type] ?? type,
        default: value(/^ {2}default\s*= (.*)$/m),
        allowed: value(new RegExp(`contains\\((\\[.*\\]), var\\.${name}\\)`)) as unknown[] | undefined,
        least: Number(found(new RegExp(`var\\.${name} >= (-?\\d+)`)) ?? Number.NEGATIVE_INFINITY),
        most: Number(found(new RegExp(`var\\.${name} <= (-?\\d+)`)) ?? Number.POSITIVE_INFINITY),
        members: value(new RegExp(`setsubtract\\(keys\\(var\\.${name}\\), (\\[.*?\\])\\)`)) as
          | string[]
          | undefined,
      };
      return [camelCase(name), parameter];
    }),
  );
}

/** The other way round; sizes are `MB` and `GB` in Bicep. */
const camelCase = (name: string) =>
  name
    .replace(/_([mg]b)$/, (_, size: string) => size.toUpperCase())
    .replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The value of a literal of HCL on one line; of another expression its text. */
function literalOfTerraform(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The value of a literal of Bicep, whose lists may have an element a line; of another expression its text. */
function literal(text: string): unknown {
  const json = text
    .replaceAll(/'((?:[^'\\]|\\.)*)'/g, (_, inner: string) =>
      JSON.stringify(inner.replaceAll(/\\(.)/g, (__, letter: string) => escapes[letter] ?? letter)),
    )
    .replaceAll(/(?<=[^[\s])\n\s*(?=[^\]\s])/g, ',');
  try {
    return JSON.parse(json);
  } catch {
    return text;
  }
}
