/** The service about itself, over HTTP. */

import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { schemaVersions } from '../../functions/records/database/schema.ts';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';

const app = useApp({ alone: true });
const { customization } = databasesOf(app);

describe('GET /health', () => {
  const ready = { state: 'ready', since: expect.any(String) };
  const open = {
    live: true,
    ready: true,
    dependencies: { database: ready, 'identity-provider': ready, calendar: ready },
  };

  test('says to everybody whether the service and everything it depends on is ready, and no more', async () => {
    // The first look at the keys may fail where the machine is busy.
    await expect.poll(async () => (await app.call('GET', '/health')).status).toBe(200);
    const reply = await app.call('GET', '/health');
    expect({ status: reply.status, json: reply.json }).toEqual({ status: 200, json: open });
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['without a role', () => `Bearer ${app.token('alice@example.org', [])}`],
    ['with another role', () => `Bearer ${app.token('alice@example.org', ['Calendar.Author'])}`],
    [
      'that is changed',
      () => `Bearer ${app.token('alice@example.org', ['Calendar.Editor']).slice(0, -40)}${'A'.repeat(40)}`,
    ],
    ['that is none', () => 'Bearer null'],
    ['of another scheme', () => 'Basic YTpi'],
  ])('answers a token %s as it answers everybody', async (_, authorization) => {
    const { status, json } = await app.call('GET', '/health', {
      headers: { Authorization: authorization() },
    });
    expect({ status, json }).toEqual({ status: 200, json: open });
  });

  test('shows a token with a role times, thresholds, versions, the replica, and sources that are missing', async () => {
    for (const batch of [
      "INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (302, N'lost', 'REF'), (301, N'lost', 'REF'), (302, N'plain', 'REF_RO'), (302, N'kept', 'REF')",
      "INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind, shape) VALUES (999, N'lost by type', 'REF_RO', 'many')",
      'CREATE VIEW dbo.CustomData_plain AS SELECT 1 AS id',
      'CREATE PROCEDURE dbo.pCustomData_kept_Get @propID int, @usrPropID int, @langID int AS SELECT 1 AS id',
    ])
      await customization(batch);
    const { status, json } = await app.call('GET', '/health', {
      token: app.token('alice@example.org', ['Calendar.Author', 'Calendar.Editor']),
    });
    const timed = { ...ready, milliseconds: expect.any(Number), threshold: 2_000 };
    const version = (number: number) => ({ applied: number, expected: number });
    const missing = (kind: string, identifier: string, problem: string) => ({
      kind,
      identifier,
      lookedFor: [`dbo.pCustomData_${identifier}_Get`, `dbo.CustomData_${identifier}`],
      problem,
    });
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        ...open,
        dependencies: {
          'identity-provider': timed,
          database: {
            ...timed,
            schema: {
              main: version(schemaVersions.main),
              customization: version(schemaVersions.customization),
            },
            changes: { customData: true, metadata: true },
            missingSources: [
              missing('REF', 'lost', 'missing'),
              missing('REF_RO', 'lost by type', 'missing'),
              missing('REF_RO', 'plain', 'without-propID'),
            ],
          },
          calendar: {
            ...timed,
            replica: {
              ...Object.fromEntries(['version', 'wanted', 'records'].map((n) => [n, expect.any(Number)])),
              age: 0,
            },
          },
        },
      },
    });
  });
});

describe('GET /openapi.json', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const { json } = await app.call('GET', '/openapi.json');
    const validator = new Validator();
    expect(await validator.validate(json as Record<string, unknown>)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has an operation id for every endpoint, each once', async () => {
    const { paths } = (await app.call('GET', '/openapi.json')).json as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  });
});

describe('a query parameter that is not known', () => {
  const unknownQuery = async (document: string) => {
    const { paths, info } = (await app.call('GET', document)).json as {
      paths: Record<string, Record<string, { description: string }>>;
      info: { description: string };
    };
    const token = app.token('alice@example.org', ['Calendar.Editor']);
    const statuses: unknown[] = [];
    for (const [path, methods] of Object.entries(paths))
      for (const method of Object.keys(methods)) {
        const place = `${path.replace(/\{\w+\}/g, '999')}?colour=red`;
        const { status, text } = await app.call(method.toUpperCase(), place, { token });
        statuses.push([method, path, status, text.includes('colour')]);
      }
    return { statuses, description: info.description };
  };

  test('is refused by every operation of records, as the document says', async () => {
    const { statuses, description } = await unknownQuery('/swagger/records.json');
    expect(statuses.length).toBeGreaterThan(30);
    expect(statuses).toEqual(statuses.map((status) => [...(status as unknown[]).slice(0, 2), 400, true]));
    expect(description).toContain('refuse a query parameter that the operation does not list');
  });

  test('is ignored by the calendar and by the service itself, as the document says', async () => {
    const { statuses, description } = await unknownQuery('/openapi.json');
    const unversioned = statuses.filter((status) => !String((status as unknown[])[1]).startsWith('/v8.0/'));
    expect(unversioned.filter((other) => (other as unknown[])[3])).toEqual([]);
    expect(description).toContain('The calendar ignores query parameters');
  });
});

test('a page of another origin may read nothing, unless CORS_ORIGINS has it', async () => {
  const headers = { Origin: 'https://app.example.org' };
  const reply = await app.call('GET', '/v8.0/authorized', { token: app.token('alice@example.org'), headers });
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null]);
});

describe('every path', () => {
  test('answers 404 with a problem where there is nothing', async () => {
    const reply = await app.call('GET', '/no/such/path', { headers: { 'X-Request-Id': 'test-1' } });
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply.json).toEqual({
      type: 'urn:problem:no-such-path',
      title: 'Not Found',
      status: 404,
      detail: 'Cannot answer: no endpoint is at this path.',
      instance: 'urn:request:test-1',
      code: 'no-such-path',
    });
  });

  test('of the document is there, whatever else its function could be taken for', async () => {
    const { paths } = (await app.call('GET', '/openapi.json')).json as { paths: Record<string, object> };
    const missing: string[] = [];
    for (const path of Object.keys(paths)) {
      const { status } = await app.call('OPTIONS', path.replaceAll(/\{\w+\}/g, '1'));
      if (status === 404) missing.push(path);
    }
    expect(missing).toEqual([]);
  });

  test('answers 405 with Allow to a method that it does not have', async () => {
    const reply = await app.call('DELETE', '/health');
    expect({ status: reply.status, allow: reply.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, HEAD, OPTIONS',
    });
  });

  test('answers OPTIONS with Allow and HEAD like GET without the body', async () => {
    const options = await app.call('OPTIONS', '/health');
    expect({ status: options.status, allow: options.headers.get('allow') }).toEqual({
      status: 204,
      allow: 'GET, HEAD, OPTIONS',
    });
    const head = await app.call('HEAD', '/health');
    expect({ status: head.status, type: head.headers.get('content-type'), text: head.text }).toEqual({
      status: 200,
      type: 'application/json',
      text: '',
    });
  });

  test('returns a well-formed X-Request-Id and replaces any other', async () => {
    const given = await app.call('GET', '/health', { headers: { 'X-Request-Id': 'abc.DEF_1-2' } });
    expect(given.headers.get('x-request-id')).toBe('abc.DEF_1-2');
    for (const bad of ['with space', 'x'.repeat(65), '<script>', '']) {
      const replaced = await app.call('GET', '/health', { headers: { 'X-Request-Id': bad } });
      expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    }
  });

  test('carries nosniff, and names no framework beside the server of the host', async () => {
    const { headers } = await app.call('GET', '/health');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect([headers.get('server'), headers.get('x-powered-by')]).toEqual(['Kestrel', null]);
  });
});
