import { createFunctionTable, type FunctionMetadata } from '@records-and-calendar/functions-host/routing';
import { expect, test } from 'vitest';
import { createFunctionNames, functionName } from '../../../../shared/http/register.ts';
import { fc } from '../../../support/properties.ts';

test.each([
  ['{*rest}', 'http-__rest'],
  ['api/v8.0/documents/{id}', 'http-api-v8-0-documents-_id'],
  ['wp-json/{**path}', 'http-wp-json-__path'],
])('functionName() of %s is %s', (template, name) => {
  expect(functionName(template)).toBe(name);
});

test('createFunctionNames() gives no name twice, in whatever letters', () => {
  expect(['a/b', 'a-b', 'A.b', 'a/{b}'].map(createFunctionNames())).toEqual([
    'http-a-b',
    'http-a-b-',
    'http-A-b--',
    'http-a-_b',
  ]);
});

const segment = fc.constantFrom('api', 'a-b', 'v8.0', '_x', 'Z', '0', '~');
const template = fc
  .record({
    segments: fc.array(fc.oneof(segment, fc.constant('{id}')), { maxLength: 4 }),
    isOpen: fc.boolean(),
  })
  .map(({ segments, isOpen: isCatchAll }) => [...segments, ...(isCatchAll ? ['{*rest}'] : [])].join('/'))
  .filter((text) => text !== '');

/** How special a template is: segment by segment, a literal before a parameter before the end before a catch-all. */
const rank = (text: string) =>
  `${text
    .split('/')
    .map((part) => (part.startsWith('{*') ? 3 : part.startsWith('{') ? 1 : 0))
    .join('')}2`;

function found(templates: readonly string[], path: string): string | undefined {
  const functions = templates.map(
    (route): FunctionMetadata => ({
      name: functionName(route),
      bindings: { request: { direction: 'in', type: 'httpTrigger', route } },
    }),
  );
  return createFunctionTable(functions, '').find(path, 'GET')?.name;
}

test('functionName() lets the host find the most special of the routes that match, whatever roots there are', () => {
  const some = fc.uniqueArray(template, { selector: functionName, maxLength: 8 });
  const paths = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
  fc.assert(
    fc.property(some, paths, (templates, path) => {
      const [special] = templates
        .filter((template) => found([template], path) !== undefined)
        .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
      expect(found(templates, path)).toBe(special === undefined ? undefined : functionName(special));
    }),
  );
});
