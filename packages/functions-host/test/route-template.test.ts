import { describe, expect, test } from 'vitest';
import { matchRoute, parseRouteTemplate, splitPath } from '../src/routing/route-template.ts';

describe('matchRoute()', () => {
  test('match paths', () => {
    const rows = [
      ['v7/diaries', 'v7/diaries', {}],
      ['v7/diaries', 'V7/DIARIES', {}],
      ['v7/diaries', 'v7/diaries/', {}],
      ['v7/diaries', 'v7//diaries', undefined],
      ['v7/diaries', 'v7/diaries/1', undefined],
      ['documents/{id}', 'documents/D-1', { id: 'D-1' }],
      ['documents/{id}', 'documents/café x', { id: 'café x' }],
      ['documents/{id}', 'documents/a%2Fb', { id: 'a%2Fb' }],
      ['documents/{id}', 'documents/', undefined],
      ['events/{id:int}', 'events/12', { id: '12' }],
      ['events/{id:int}', 'events/abc', undefined],
      ['events/{id:int}', 'events/99999999999', undefined],
      ['events/{id:int}', 'events/-2147483648', { id: '-2147483648' }],
      ['events/{id:int}', 'events/2147483648', undefined],
      ['{version:regex(^(v7|v8)$)}/x', 'v8/x', { version: 'v8' }],
      ['{version:regex(^(v7|v8)$)}/x', 'v9/x', undefined],
      ['a/{b?}', 'a', {}],
      ['{*rest}', 'any/thing//at all', { rest: 'any/thing//at all' }],
      ['{*rest}', 'any/thing/', { rest: 'any/thing/' }],
      ['{*rest}', '', {}],
      ['{*rest}', '/x', undefined],
      ['api/{*rest}', 'api', {}],
      ['api/{*rest}', 'api/', {}],
      ['api/{*rest}', 'api//x', undefined],
      ['api/{*rest}', 'api//', undefined],
      ['api/{*rest}', 'api/x//', { rest: 'x//' }],
      ['{id:int}', '+1', { id: '+1' }],
      ['{id:int}', ' 1 ', { id: ' 1 ' }],
      ['{id:int}', '1e3', undefined],
      ['{id:long}', '9223372036854775807', { id: '9223372036854775807' }],
      ['{id:long}', '9223372036854775808', undefined],
      ['{id:guid}', '5f8e1b1c2d3a4b5c8d9e0f1a2b3c4d5e', { id: '5f8e1b1c2d3a4b5c8d9e0f1a2b3c4d5e' }],
      [
        '{id:guid}',
        '{5f8e1b1c-2d3a-4b5c-8d9e-0f1a2b3c4d5e}',
        { id: '{5f8e1b1c-2d3a-4b5c-8d9e-0f1a2b3c4d5e}' },
      ],
      ['{id:guid}', '5f8e1b1c-2d3a-4b5c-8d9e', undefined],
      ['{on:bool}', ' True', { on: ' True' }],
      ['{on:bool}', 'yes', undefined],
      ['{n:min(2)}', '2', { n: '2' }],
      ['{n:min(2)}', '2.5', undefined],
      ['{n:max(2000)}', '1e3', undefined],
      ['{n:range(1,3)}', '3', { n: '3' }],
      ['{n:range(1,3)}', '4', undefined],
      ['{s:length(2,4)}', 'abc', { s: 'abc' }],
      ['{s:length(2,4)}', 'abcde', undefined],
      ['{s:length(2)}', 'ab', { s: 'ab' }],
      ['{n:decimal}', '-1.5', { n: '-1.5' }],
      ['{n:double}', '1e3', { n: '1e3' }],
      ['{s:alpha:minlength(2)}', 'a', undefined],
      ['{s:regex(^\\d{{2}}$)}', '12', { s: '12' }],
    ] as const;
    expect(
      rows.map(([template, path]) => [
        template,
        path,
        matchRoute(parseRouteTemplate(template), `/${path}`, splitPath(`/${path}`)),
      ]),
    ).toEqual(rows);
  });
});

describe('parseRouteTemplate()', () => {
  test('refuses other templates', () => {
    for (const template of ['a/{b', '{}', '{b:datetime}', 'a{b}', '{b=5}', '{b:min(x)}']) {
      expect(() => parseRouteTemplate(template), template).toThrow(TypeError);
    }
  });
});
