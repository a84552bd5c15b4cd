import { expect, test, vi } from 'vitest';
import { createShares } from '../../../shared/shares.ts';
import { type GaugeName, readGauge } from '../../../shared/telemetry/gauges.ts';
import { useStillClock } from '../../support/timers.ts';

/** Shares with work that is under way until it is told to end. */
function shares(insists: boolean) {
  const { run } = createShares(10, 5, { insists });
  return (caller: string, amount: number) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const outcome = run(caller, amount, () => promise).catch(({ code }) => code as string);
    return {
      outcome,
      async end() {
        resolve('done');
        await outcome;
      },
    };
  };
}

test('nobody takes more than a share, and all together no more than there is', async () => {
  const start = shares(false);
  const first = start('a', 4);
  expect(await start('a', 2).outcome).toBe('overloaded');
  start('b', 5);
  expect(await start('c', 2).outcome).toBe('overloaded');
  await first.end();
  const next = start('a', 5);
  await next.end();
  expect(await next.outcome).toBe('done');
});

test('where shares insist, who has gone beyond theirs is refused for the second they were told to wait, and nobody else is', async () => {
  useStillClock();
  const start = shares(true);
  const first = start('a', 4);
  expect(await start('a', 2).outcome).toBe('overloaded');
  await first.end();
  vi.advanceTimersByTime(999);
  expect(await start('a', 1).outcome).toBe('overloaded');
  const small = start('a', 0);
  const other = start('b', 5);
  await Promise.all([small.end(), other.end()]);
  expect([await small.outcome, await other.outcome]).toEqual(['done', 'done']);
  vi.advanceTimersByTime(1);
  const again = start('a', 5);
  await again.end();
  expect(await again.outcome).toBe('done');
});

test('who is refused for what others take need not wait', async () => {
  const start = shares(true);
  const others = ['a', 'b'].map((caller) => start(caller, 5));
  expect(await start('c', 1).outcome).toBe('overloaded');
  await Promise.all(others.map((one) => one.end()));
  const again = start('c', 1);
  await again.end();
  expect(await again.outcome).toBe('done');
});

test('the only piece of work of a caller may take more than a share, as it grows, and what is owed is never refused', () => {
  const { take } = createShares(10, 5);
  const only = take('a', 4);
  only.add(5);
  expect(() => take('a', 1)).toThrow('Cannot answer now');
  expect(() => take('b', 2)).toThrow('Cannot answer now');
  expect(() => only.add(2)).toThrow('Cannot answer now');
  only.add(2, true);
  only.release();
  only.release();
  const [first, second] = [take('a', 1), take('a', 4)];
  expect(() => first.add(1)).toThrow('Cannot answer now');
  second.release();
  first.add(9);
});

test('shares of a budget tell how much of it is taken, and how much there is', async () => {
  const { run } = createShares(10, 5, { budget: 'of the test' });
  const ofTest = (name: GaugeName) =>
    readGauge(name).filter(([, labels]) => labels?.['app.budget'] === 'of the test');
  const labels = { 'app.budget': 'of the test' };
  const seen: unknown[] = [ofTest('budgetUsed')];
  await run('a', 4, async () => seen.push(ofTest('budgetUsed')));
  seen.push(ofTest('budgetUsed'), ofTest('budgetLimit'));
  expect(seen).toEqual([[[0, labels]], [[4, labels]], [[0, labels]], [[10, labels]]]);
});
