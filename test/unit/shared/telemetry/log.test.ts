import { setImmediate as logWritten } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CodedError } from '../../../../shared/errors.ts';
import { SqlFailure } from '../../../../shared/sql/failure.ts';
import { configureLog, logChange, logFailure, logRequest } from '../../../../shared/telemetry/log.ts';
import { textOf } from '../../../../shared/telemetry/log-text.ts';
import type { Trace } from '../../../../shared/telemetry/measurement.ts';
import { createTrace, inTrace, noteWait } from '../../../../shared/telemetry/trace.ts';

test('logFailure() writes no message that may quote values, neither of the error nor of its causes', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const cause = new SqlFailure('no right for alice@example.org', { number: 50_001, procedure: 'p', line: 2 });
  logFailure('id-1', new Error('Cannot read', { cause }));
  await logWritten();
  const line = String(write.mock.calls[0]?.[0]);
  write.mockRestore();
  expect(line).not.toContain('example.org');
  expect(JSON.parse(line)).toMatchObject({
    event: 'failure',
    requestId: 'id-1',
    error: {
      message: 'Cannot read',
      cause: {
        name: 'SqlFailure',
        message: 'SQL error 50001 in p, line 2',
        number: 50_001,
        stack: expect.stringMatching(/^\w+: SQL error 50001 in p, line 2\n {4}at /),
      },
    },
  });
});

/** The lines that some work writes in an invocation, each with its level, without its time. */
async function linesOf(
  work: (trace: Trace) => void,
): Promise<[level: string, line: Record<string, unknown>][]> {
  const lines: [string, Record<string, unknown>][] = [];
  const log: Trace['log'] = (level, text) => {
    const { time, ...line } = JSON.parse(text);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    lines.push([level, line]);
  };
  const trace = createTrace({ traceParent: `00-${traceId}-b7ad6b7169203331-01`, traceState: '', log });
  await inTrace(trace, async () => work(trace));
  return lines;
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const request = {
  requestId: 'r-1',
  method: 'GET',
  route: 'a/{id}',
  path: '/api/a/5',
  status: 200,
};
const ann = { objectId: 'ann', tenantId: 't', tokenId: 'u' };
const change = { requestId: 'r-1', method: 'PATCH', route: 'a/{id}', status: 200, code: undefined };

describe('with LOG_FORMAT=json', () => {
  afterEach(() => configureLog({ LOG_LEVEL: 'information', LOG_FORMAT: 'json' }));

  test('the time of a request is without the wait that the caller asked for', async () => {
    const [line] = await linesOf((trace) => {
      noteWait(5_000);
      logRequest(
        { ...request, identity: ann, error: undefined },
        { ...trace, started: trace.started - 5_000 },
      );
    });
    expect(line?.[1]).toMatchObject({ waited: 5_000 });
    expect(line?.[1]['milliseconds']).toBeLessThan(4_000);
  });

  test.each([
    [200, 'information'],
    [499, 'information'],
    [500, 'error'],
    [503, 'error'],
  ])('the line of a request of status %i has level %s', async (status, level) => {
    const [line] = await linesOf((trace) => {
      trace.parts.set('sql', { count: 2, milliseconds: 9.26 });
      logRequest({ ...request, status, identity: ann, error: undefined }, trace);
    });
    expect(line).toEqual([
      level,
      {
        traceId,
        event: 'request',
        requestId: 'r-1',
        method: 'GET',
        route: 'a/{id}',
        status,
        ...ann,
        milliseconds: expect.any(Number),
        parts: { sql: { count: 2, milliseconds: 9.3 } },
      },
    ]);
  });

  test('a refused request names its code, its reason, and whose token it was', async () => {
    const facts = { challenge: {}, reason: 'no such user', identity: ann };
    const error = new CodedError('user-unknown', 'Cannot authenticate.', { facts });
    const [line] = await linesOf((trace) =>
      logRequest({ ...request, status: 401, identity: undefined, error }, trace),
    );
    expect(line?.[1]).toMatchObject({ code: 'user-unknown', reason: 'no such user', ...ann });
    expect(line?.[1]).not.toHaveProperty('parts');
  });

  test.each([
    ['debug', ['debug', 'information', 'information', 'error']],
    ['information', ['information', 'information', 'error']],
    ['error', ['information', 'error']],
  ] as const)('level %s writes %j, and the audit line in any case', async (LOG_LEVEL, levels) => {
    configureLog({ LOG_LEVEL, LOG_FORMAT: 'json' });
    const lines = await linesOf((trace) => {
      const sql = { kind: 'sql', name: 'find user', attributes: { rows: 1 }, parent: undefined } as const;
      trace.measurements.push({ ...sql, started: 1, ended: 5.26, error: 'timeout', inner: 0 });
      logRequest({ ...request, identity: undefined, error: undefined }, trace);
      logChange({ ...change, identity: ann });
      logFailure('r-1', new TypeError('broken'));
    });
    expect(lines.map(([level]) => level)).toEqual(levels);
    if (LOG_LEVEL === 'debug')
      expect(lines[0]?.[1]).toEqual({
        traceId,
        event: 'measurement',
        requestId: 'r-1',
        kind: 'sql',
        name: 'find user',
        milliseconds: 4.3,
        error: 'timeout',
        attributes: { rows: 1 },
      });
    expect(lines.at(-2)?.[1]).toEqual({
      traceId,
      event: 'change',
      requestId: 'r-1',
      method: 'PATCH',
      route: 'a/{id}',
      status: 200,
      objectId: 'ann',
      tenantId: 't',
      names: [],
      before: null,
      after: null,
    });
    expect(lines.at(-1)?.[1]).toMatchObject({
      event: 'failure',
      requestId: 'r-1',
      error: { name: 'TypeError', message: 'broken' },
    });
  });

  test('an audit line has 200 names at most, and the tag from before as far as it is known', async () => {
    const names = Array.from({ length: 201 }, (_, index) => `name ${index}`);
    const lines = await linesOf(() => {
      for (const before of ['"1"', undefined])
        logChange({ ...change, identity: undefined, names, before, after: '"3"' });
    });
    expect(lines.map(([, line]) => [line['before'], line['after']])).toEqual([
      ['"1"', '"3"'],
      [null, '"3"'],
    ]);
    expect(lines[0]?.[1]['names']).toEqual(names.slice(0, 200));
  });

  test('an audit line has no address of a person, in whatever form, and other texts as they are', async () => {
    const addresses = ['a@localhost', 'Ann <ann@example.org>', 'å@[127.0.0.1]', 'mailto:ann@a'];
    const texts = ['@', 'a @ b', '@ann', 'ann@', 5];
    const lines = await linesOf(() => {
      for (const id of [...addresses, ...texts])
        logChange({ ...change, identity: ann, id, names: [String(id)] });
    });
    expect(lines.map(([, { id, names }]) => [id, names])).toEqual([
      ...addresses.map(() => ['(address)', ['(address)']]),
      ...texts.map((text) => [text, [String(text)]]),
    ]);
  });
});

test('with LOG_FORMAT=text the line of a request names its slowest source of custom data', () => {
  const sources = [
    { identifier: 'parties', rows: 1, milliseconds: 2 },
    { identifier: 'archive', rows: 3, milliseconds: 3003.4 },
  ];
  const line = { event: 'request', method: 'GET', path: '/api/a/5', status: 200, milliseconds: 3011 };
  expect(textOf({ ...line, sources })).toBe('GET /api/a/5 200 3011 ms  slowest source archive 3003 ms');
});

test('with LOG_FORMAT=text a line is for people, with its path and request id, and a caller forges no line', async () => {
  configureLog({ LOG_LEVEL: 'information', LOG_FORMAT: 'text' });
  const lines: string[] = [];
  const trace = createTrace({
    traceParent: undefined,
    traceState: undefined,
    log: (_, line) => lines.push(line),
  });
  await inTrace(trace, async () => {
    logRequest({ ...request, identity: ann, error: undefined }, trace);
    logChange({ ...change, kind: 'document', id: 5, names: ['a\nforged'], identity: ann });
    logFailure(undefined, 'text');
  });
  configureLog({ LOG_LEVEL: 'information', LOG_FORMAT: 'json' });
  expect(lines.map((line) => line.replace(/\d+ ms/, '0 ms'))).toEqual([
    'GET /api/a/5 200 0 ms [r-1]',
    String.raw`PATCH document 5 200 (a\u000aforged) by ann [r-1]`,
    'Failure: text',
  ]);
});
