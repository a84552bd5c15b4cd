/** Calls of `pCustomData_<identifier>_Set`: the properties of a REF value become the parameters `@p<property>`. */

import { CodedError, type FieldError } from '../../errors.ts';
import { quoteName } from '../../sql/transaction.ts';
import type { SqlParameter } from '../../sql/values.ts';
import { jsonPointer } from './body.ts';
import { toSqlParameter } from './json-to-sql.ts';
import { type JsonMember, jsonElements, jsonMembers } from './members.ts';
import type { ProcedureParameter } from './registrations.ts';

/** One call of a procedure, with its arguments by parameter name (with the @). */
export interface SetCall {
  readonly identifier: string;
  readonly arguments: readonly { readonly name: string; readonly parameter: SqlParameter }[];
}

/** Parameters that the service fills in itself. */
const ownParameters = new Set(['@propid', '@usrpropid', '@langid']);

/** Values in all calls of one PUT, and objects in one REF value: a request to SQL Server has at most 2,100 parameters. */
const maxValues = 2_000;

/** Returns the name of the procedure that writes an identifier. */
export function setProcedure(identifier: string): string {
  return `pCustomData_${identifier}_Set`;
}

/** Returns the source texts of the objects in a REF value, or undefined when it is not an object or an array of objects. */
export function objectsIn(source: string): string[] | undefined {
  if (source.startsWith('{')) return [source];
  if (!source.startsWith('[')) return undefined;
  const elements = jsonElements(source);
  return elements.every((element) => element.startsWith('{')) ? elements : undefined;
}

/** Turns a REF value (one object, or an array of objects in order) into calls; adds what does not fit to `errors`. Throws `too-many-values`. */
export function toSetCalls(
  { name: identifier, text }: JsonMember,
  parameters: readonly ProcedureParameter[],
  errors: FieldError[],
): SetCall[] {
  const objects = objectsIn(text);
  if (objects === undefined) {
    errors.push({ pointer: jsonPointer(identifier), detail: 'must be an object or an array of objects' });
    return [];
  }
  if (objects.length > maxValues) throw tooManyValues();
  const isArray = text.startsWith('[');
  return objects.map((object, index) => {
    const pointer = isArray ? jsonPointer(identifier, index) : jsonPointer(identifier);
    return { identifier, arguments: toArguments(jsonMembers(object), parameters, pointer, errors) };
  });
}

function toArguments(
  members: readonly JsonMember[],
  parameters: readonly ProcedureParameter[],
  pointer: string,
  errors: FieldError[],
): SetCall['arguments'] {
  const wanted = new Map(
    parameters
      .filter(({ name }) => !ownParameters.has(name.toLowerCase()))
      .map((parameter) => [parameter.name.toLowerCase(), parameter]),
  );
  const found = members.flatMap(({ name, text }) => {
    const parameter = wanted.get(`@p${name.toLowerCase()}`);
    wanted.delete(`@p${name.toLowerCase()}`);
    const at = pointer + jsonPointer(name);
    if (parameter === undefined) errors.push({ pointer: at, detail: 'is not known here, or is given twice' });
    const conversion = parameter && toSqlParameter(text, parameter);
    if (conversion === undefined) return [];
    if ('error' in conversion) errors.push({ pointer: at, detail: conversion.error });
    return 'error' in conversion || parameter === undefined
      ? []
      : [{ name: parameter.name, parameter: conversion.parameter }];
  });
  for (const { name } of wanted.values())
    errors.push({ pointer: pointer + jsonPointer(name.slice(2)), detail: 'is missing' });
  return found;
}

/** The statements and parameters of all calls, in order; throws `too-many-values`. They use `@propID`, `@usrPropID` and `@langID` of their batch. */
export function callStatements(
  calls: readonly SetCall[],
  takesLanguage: (identifier: string) => boolean,
): { readonly statements: string; readonly parameters: Record<string, SqlParameter> } {
  if (calls.reduce((sum, call) => sum + call.arguments.length, 0) > maxValues) throw tooManyValues();
  const parameters: Record<string, SqlParameter> = {};
  let count = 0;
  const statements = calls.map((call) => {
    const own = [
      '@propID = @propID',
      '@usrPropID = @usrPropID',
      ...(takesLanguage(call.identifier) ? ['@langID = @langID'] : []),
    ];
    const given = call.arguments.map(({ name, parameter }) => {
      const variable = `v${count++}`;
      parameters[variable] = parameter;
      return `${name} = @${variable}`;
    });
    return `EXEC dbo.${quoteName(setProcedure(call.identifier))} ${[...own, ...given].join(', ')};`;
  });
  return { statements: statements.join('\n'), parameters };
}

function tooManyValues(): CodedError {
  return new CodedError(
    'too-many-values',
    `Cannot store custom data: its REF values have more than ${maxValues} properties or objects.`,
  );
}
