import { describe, expect, test } from 'vitest';
import {
  matchRoute,
  parseRouteTemplate,
  splitPath,
} from '../../../../local/functions-host/route-template.ts';

describe('matchRoute()', () => {
  test.each([
    ['v7/diaries', 'v7/diaries', {}],
    ['v7/diaries', 'V7/DIARIES', {}],
    ['v7/diaries', 'v7/diaries/', {}],
    ['v7/diaries', 'v7//diaries', undefined],
    ['v7/diaries', 'v7/diaries/1', undefined],
    ['documents/{id}', 'documents/D-1', { id: 'D-1' }],
    ['documents/{id}', 'documents/caf%C3%A9%20x', { id: 'café x' }],
    ['documents/{id}', 'documents/a%2Fb', { id: 'a%2Fb' }],
    ['documents/{id}', 'documents/%zz', { id: '%zz' }],
    ['documents/{id}', 'documents/', undefined],
    ['events/{id:int}', 'events/12', { id: '12' }],
    ['events/{id:int}', 'events/abc', undefined],
    ['events/{id:int}', 'events/99999999999', undefined],
    ['events/{id:int}', 'events/-2147483648', { id: '-2147483648' }],
    ['events/{id:int}', 'events/2147483648', undefined],
    ['{version:regex(^(v7|v8)$)}/x', 'v8/x', { version: 'v8' }],
    ['{version:regex(^(v7|v8)$)}/x', 'v9/x', undefined],
    ['a/{b?}', 'a', {}],
    ['{*rest}', 'any/thing//at%20all', { rest: 'any/thing//at all' }],
    ['{*rest}', '', {}],
  ])('%s against %s', (template, path, parameters) => {
    expect(matchRoute(parseRouteTemplate(template), splitPath(path))).toEqual(parameters);
  });
});

describe('parseRouteTemplate()', () => {
  test.each(['a/{b', '{}', '{b:unknown}', 'a{b}'])('refuses %s', (template) => {
    expect(() => parseRouteTemplate(template)).toThrow(TypeError);
  });
});
