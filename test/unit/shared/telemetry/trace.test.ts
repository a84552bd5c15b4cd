import { describe, expect, test, vi } from 'vitest';
import { CodedError } from '../../../../shared/errors.ts';
import {
  compute,
  createTrace,
  currentTrace,
  inTrace,
  measure,
  noteChange,
  serverTiming,
  traceContextOf,
} from '../../../../shared/telemetry/trace.ts';
import { useFakeTimeouts } from '../../../support/timers.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

describe('traceContextOf()', () => {
  const hostTrace = '1'.repeat(32);

  test.each([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-00`, `cc-${traceId}-${spanId}-03-later`])(
    "continues the caller's trace: %s",
    (callerTraceParent) => {
      expect(traceContextOf({ callerTraceParent, callerTraceState: 'a=b' })).toEqual({
        traceId,
        caller: { spanId, traceState: 'a=b' },
      });
    },
  );

  test('leaves it to the host whether the request is exported', () => {
    const callerTraceParent = `00-${traceId}-${spanId}-00`;
    for (const [flags, hostSampled] of [
      ['01', true],
      ['00', false],
    ] as const)
      expect(
        traceContextOf({ callerTraceParent, traceParent: `00-${hostTrace}-${'2'.repeat(16)}-${flags}` }),
      ).toEqual({
        traceId,
        caller: { spanId, traceState: '' },
        hostSampled,
      });
  });

  test("stands below the host's span where it is of the same trace, or the caller has none", () => {
    const traceParent = `00-${traceId}-${'2'.repeat(16)}-01`;
    for (const callerTraceParent of [`00-${traceId}-${spanId}-00`, undefined, 'text'])
      expect(traceContextOf({ callerTraceParent, traceParent, traceState: 'a=b' })).toEqual({
        traceId,
        caller: { spanId: '2'.repeat(16), traceState: 'a=b' },
        hostSampled: true,
      });
  });

  test.each([
    undefined,
    '',
    'text',
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `cc-${traceId}-${spanId}-01.more`,
    `00-${traceId}-${spanId}-0x`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
  ])('begins a separate trace for %j', (callerTraceParent) => {
    expect(traceContextOf({ callerTraceParent })).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });
});

describe('measure()', () => {
  test('counts work toward its part, without what was measured within it, and knows its parent', async () => {
    const trace = createTrace();
    const gate = Promise.withResolvers<void>();
    const running = inTrace(trace, () =>
      measure('auth', 'outer', {}, () =>
        measure('sql', 'inner', { a: 1 }, async ({ attributes }) => {
          attributes['b'] = 2;
          await gate.promise;
        }),
      ),
    );
    gate.resolve();
    await running;
    const [outer, inner] = trace.measurements;
    expect([outer?.name, inner?.name, inner?.attributes, inner?.parent === outer]).toEqual([
      'outer',
      'inner',
      { a: 1, b: 2 },
      true,
    ]);
    const ownTime = (outer?.ended ?? 0) - (outer?.started ?? 0) - (outer?.inner ?? 0);
    expect(trace.parts.get('auth')).toEqual({ count: 1, milliseconds: Math.max(0, ownTime) });
    expect(trace.parts.get('sql')?.count).toBe(1);
  });

  test('counts no time twice: nested measurements add up to the whole', async () => {
    useFakeTimeouts({ clock: true });
    const trace = createTrace();
    await inTrace(trace, () =>
      measure('auth', 'outer', {}, async () => {
        vi.advanceTimersByTime(20);
        await measure('sql', 'inner', {}, async () => {
          vi.advanceTimersByTime(7);
          await measure('queue', 'innermost', {}, async () => void vi.advanceTimersByTime(3));
        });
      }),
    );
    const parts = [...trace.parts].map(([part, { milliseconds }]) => [part, milliseconds]);
    expect(Object.fromEntries(parts)).toEqual({ auth: 20, sql: 7, queue: 3 });
  });

  test('keeps the first 256 of a request, and counts all', async () => {
    const trace = createTrace();
    await inTrace(trace, async () => {
      for (let number = 1; number <= 257; number++) await measure('sql', String(number), {}, async () => {});
    });
    expect([
      trace.measurements.length,
      trace.measurements.at(-1)?.name,
      trace.parts.get('sql')?.count,
    ]).toEqual([256, '256', 257]);
  });

  test('keeps the code of a failure, or its name, and throws it', async () => {
    const trace = createTrace();
    const fail = (error: unknown) =>
      inTrace(trace, () => measure('sql', 'x', {}, () => Promise.reject(error))).catch((thrown) => thrown);
    const failures = [new CodedError('overloaded', 'No.'), new TypeError('no'), 'text'];
    for (const failure of failures) expect(await fail(failure)).toBe(failure);
    expect(trace.measurements.map(({ error }) => error)).toEqual(['overloaded', 'TypeError', 'unknown']);
  });

  test('belongs to no request once its reply is out, or in the background', async () => {
    const trace = createTrace();
    await inTrace(trace, async () => {
      trace.done = true;
      expect(currentTrace()).toBeUndefined();
      expect(await measure('sql', 'late', {}, async () => 1)).toBe(1);
      noteChange({ id: 1 });
    });
    expect([trace.measurements, trace.parts.size, trace.change]).toEqual([[], 0, {}]);
    expect([await measure('sql', 'background', {}, async () => 2), compute('render', 'x', () => 3)]).toEqual([
      2, 3,
    ]);
  });
});

test('compute() keeps work of five milliseconds, and counts all', () => {
  useFakeTimeouts({ clock: true });
  const trace = createTrace();
  const taking = (milliseconds: number) =>
    compute('render', `${milliseconds} ms`, () => vi.advanceTimersByTime(milliseconds));
  inTrace(trace, () => {
    for (const milliseconds of [4, 5, 6]) taking(milliseconds);
  });
  expect(trace.measurements.map(({ name }) => name)).toEqual(['5 ms', '6 ms']);
  expect(trace.parts.get('render')).toEqual({ count: 3, milliseconds: 15 });
});

test('serverTiming() names each part, how often, and the whole', async () => {
  const trace = createTrace();
  await inTrace(trace, async () => {
    await measure('sql', 'a', {}, async () => {});
    await measure('sql', 'b', {}, async () => {});
    compute('render', 'c', () => {});
  });
  expect(serverTiming(trace)).toMatch(
    /^sql;dur=\d+\.\d;desc="2 x", render;dur=\d+\.\d;desc="1 x", total;dur=\d+\.\d$/,
  );
});
