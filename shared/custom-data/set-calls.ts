/** Calls of `pCustomData_<identifier>_Set`: the properties of a REF value become the parameters `@p<property>`. */

import { CodedError, type FieldError } from '../errors.ts';
import { createTurns } from '../limits/turns.ts';
import { callProcedure } from '../sql/foreign-procedures.ts';
import { beginStep } from '../sql/slow-statement.ts';
import { transactionOfCalls } from '../sql/transaction.ts';
import type { SqlParameter } from '../sql/values.ts';
import { jsonPointer } from './body.ts';
import { toSqlParameter } from './json-to-sql.ts';
import { type JsonMember, jsonElements, jsonMembers } from './members.ts';
import type { ProcedureParameter } from './registrations.ts';

/** A value that is passed, its parameter (with the @), and whether the server has to check its characters. */
interface Argument {
  readonly name: string;
  readonly parameter: SqlParameter;
  /** JSON pointer of the value. */
  readonly pointer: string;
  readonly mayLackCharacters?: boolean;
}

/** One call of a procedure: what it is made of, and its arguments by parameter name (with the @). */
export interface SetCall {
  readonly identifier: string;
  /** JSON pointer of what is passed: the value of the identifier, or an element of it. */
  readonly pointer: string;
  /** The source text of what is passed. */
  readonly source: string;
  readonly arguments: readonly Argument[];
  /** Properties that the procedure has no parameter for. */
  readonly unknown: readonly JsonMember[];
  /** What does not fit the parameters. */
  readonly errors: readonly FieldError[];
}

/** What the service fills in itself, of all that begins with `@p` as the parameters of properties do. */
const ownParameter = '@propid';

/** The parameter that takes the whole value as JSON text, in one call: its procedure can replace a list. */
const wholeParameter = '@json';

/** Values in all calls of one PUT, and objects in one REF value: a request to SQL Server has at most 2,100 parameters. */
export const maxValues = 2_000;

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

/** Checks whether a procedure takes the whole value in one call. */
export function takesWhole(parameters: readonly ProcedureParameter[] | undefined): boolean {
  return parameters?.some(isWhole) ?? false;
}

function isWhole({ name }: ProcedureParameter): boolean {
  return name.toLowerCase() === wholeParameter;
}

/**
 * Turns a REF value (one object, or an array of objects in order) into calls, one for each object, or one for the whole. Parameters that
 * are not sent are left out: they may have a default, which only the server knows. Throws `too-many-values`.
 */
export async function toSetCalls(
  { name: identifier, text }: JsonMember,
  parameters: readonly ProcedureParameter[],
): Promise<SetCall[]> {
  const pointer = jsonPointer(identifier);
  const objects = text === 'null' ? [] : objectsIn(text);
  if (objects === undefined) {
    // A procedure may give any JSON, which may be sent back.
    const errors = [{ pointer, detail: 'must be an object or an array of objects' }];
    return [{ identifier, pointer, source: text, arguments: [], unknown: [], errors }];
  }
  const whole = parameters.find(isWhole);
  if (whole !== undefined)
    return [{ identifier, pointer, source: text, unknown: [], ...wholeArgument(text, whole, pointer) }];
  if (objects.length > maxValues) throw tooManyValues();
  const isArray = text.startsWith('[');
  const byName = ofProperties(parameters);
  const turns = createTurns();
  const calls: SetCall[] = [];
  for (const [index, source] of objects.entries()) {
    const at = isArray ? jsonPointer(identifier, index) : pointer;
    calls.push({ identifier, pointer: at, source, ...toArguments(jsonMembers(source), byName, at) });
    await turns.next();
  }
  return calls;
}

/** Returns the properties that a procedure takes, each with its parameter; none of one that takes the whole value. */
export function propertiesOf(parameters: readonly ProcedureParameter[]) {
  if (takesWhole(parameters)) return [];
  return [...ofProperties(parameters)].flatMap(([lowerName, parameter]) =>
    lowerName.startsWith('@p') ? [{ name: parameter.name.slice('@p'.length), parameter }] : [],
  );
}

/** Returns the parameters of properties by their names in small letters. */
function ofProperties(parameters: readonly ProcedureParameter[]): ParametersByName {
  return new Map(
    parameters
      .filter(({ name }) => name.toLowerCase() !== ownParameter)
      .map((parameter) => [parameter.name.toLowerCase(), parameter]),
  );
}

type ParametersByName = ReadonlyMap<string, ProcedureParameter>;

type Arguments = Pick<SetCall, 'arguments' | 'unknown' | 'errors'>;

function wholeArgument(text: string, whole: ProcedureParameter, pointer: string): Omit<Arguments, 'unknown'> {
  const conversion = toSqlParameter(JSON.stringify(text), whole);
  return 'error' in conversion
    ? { arguments: [], errors: [{ pointer, detail: conversion.error }] }
    : { arguments: [{ name: whole.name, pointer, ...conversion }], errors: [] };
}

function toArguments(
  members: readonly JsonMember[],
  parametersByName: ParametersByName,
  pointer: string,
): Arguments {
  const usedParameters = new Set<ProcedureParameter>();
  const callArguments: SetCall['arguments'][number][] = [];
  const unknown: JsonMember[] = [];
  const errors: FieldError[] = [];
  for (const member of members) {
    const parameter = parametersByName.get(`@p${member.name.toLowerCase()}`);
    const at = pointer + jsonPointer(member.name);
    if (parameter === undefined) {
      unknown.push(member);
      continue;
    }
    if (usedParameters.has(parameter)) errors.push({ pointer: at, detail: 'is given twice' });
    usedParameters.add(parameter);
    const conversion = toSqlParameter(member.text, parameter);
    if ('error' in conversion) errors.push({ pointer: at, detail: conversion.error });
    else callArguments.push({ name: parameter.name, pointer: at, ...conversion });
  }
  return { arguments: callArguments, unknown, errors };
}

/** Number of the error whose message is the index, among those of all calls, of an argument that has characters which its parameter cannot hold. */
export const lacksCharacters = 2_147_483_265;

/** A text becomes `?`, or a letter that looks like it, in a code page that lacks it. */
export function refuseLostCharacters(variable: string, message: string): string {
  return `IF CAST(CAST(${variable} AS varchar(max)) AS nvarchar(max)) COLLATE Latin1_General_BIN2 <> ${variable}
THROW ${lacksCharacters}, ${message}, 1;
`;
}

/** The arguments of each call that its batch has as variables. */
export function contextArguments(takesLanguage: boolean): string[] {
  return ['@propID = @propID', '@usrPropID = @usrPropID', ...(takesLanguage ? ['@langID = @langID'] : [])];
}

/** Checks whether a procedure takes the language of the caller. */
export function takesLanguage(parameters: readonly ProcedureParameter[] | undefined): boolean {
  return parameters?.some(({ name }) => name.toLowerCase() === '@langid') ?? false;
}

/** The statements and parameters of all calls, in order; throws `too-many-values`. They use `@propID`, `@usrPropID` and `@langID` of their batch. */
export function callStatements(
  calls: readonly SetCall[],
  hasLanguage: (identifier: string) => boolean,
): { readonly statements: string; readonly parameters: Record<string, SqlParameter> } {
  if (calls.reduce((sum, call) => sum + call.arguments.length, 0) > maxValues) throw tooManyValues();
  const parameters: Record<string, SqlParameter> = {};
  let count = 0;
  const statements = calls.map((call, index) => {
    const context = contextArguments(hasLanguage(call.identifier));
    let checks = '';
    const assignments = call.arguments.map(({ name, parameter, mayLackCharacters = false }) => {
      const variable = count++;
      parameters[`v${variable}`] = parameter;
      if (mayLackCharacters) checks += refuseLostCharacters(`@v${variable}`, `N'${variable}'`);
      return `${name} = @v${variable}`;
    });
    const statement = callProcedure(setProcedure(call.identifier), [...context, ...assignments]);
    const step = call.identifier === calls[index - 1]?.identifier ? '' : `${beginStep(index)}\n`;
    return `${step}${checks}${statement}\n${transactionOfCalls.checkAfter(index)}`;
  });
  return { statements: statements.join('\n'), parameters };
}

/** The error for values of a REF that are more than a statement takes. */
export function tooManyValues(): CodedError {
  return new CodedError(
    'too-many-values',
    `Cannot store custom data: its REF values have more than ${maxValues} properties or objects.`,
  );
}
