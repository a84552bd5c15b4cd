/** The parameters that people may give, as infra/bicep/main.bicep declares them; Terraform takes the same. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './context.ts';

/** What a parameter takes. */
export interface Parameter {
  /** As in the template: `string`, `int`, `bool`, `string[]`, `object`, or the name of a type with members. */
  readonly type: string;
  /** The only values; undefined: any. */
  readonly allowed: readonly unknown[] | undefined;
  readonly least: number;
  readonly most: number;
  /** The names that an object may have, all of texts; undefined: any. */
  readonly members: readonly string[] | undefined;
}

const declaration = /((?:^@.*\n)*)^param (\w+) (\S+)/gm;
const typeDeclaration = /^type (\w+) = \{([^}]*)\}/gm;

/** Reads the parameters of the template, by their names in camelCase. */
export function readParameters(): ReadonlyMap<string, Parameter> {
  const template = readFileSync(join(root, 'infra/bicep/main.bicep'), 'utf8');
  const members = new Map(
    [...template.matchAll(typeDeclaration)].map(([, name = '', body = '']) => [
      name,
      [...body.matchAll(/(\w+): string\?/g)].map(([, member = '']) => member),
    ]),
  );
  return new Map(
    [...template.matchAll(declaration)].map(([, decorators = '', name = '', type = '']) => {
      const number = (decorator: string) => new RegExp(`@${decorator}\\((-?\\d+)\\)`).exec(decorators)?.[1];
      const allowed = /@allowed\((\[.*\])\)/.exec(decorators)?.[1];
      const parameter: Parameter = {
        type,
        allowed: allowed === undefined ? undefined : JSON.parse(allowed.replaceAll("'", '"')),
        least: Number(number('minValue') ?? Number.NEGATIVE_INFINITY),
        most: Number(number('maxValue') ?? Number.POSITIVE_INFINITY),
        members: members.get(type),
      };
      return [name, parameter];
    }),
  );
}
