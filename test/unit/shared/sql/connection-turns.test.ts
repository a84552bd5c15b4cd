import { expect, test } from 'vitest';
import { createConnectionTurns } from '../../../../shared/sql/connection-turns.ts';

test('ten slow reads of one object hold half of ten connections, and those that find no place are refused at once', async () => {
  const { run } = createConnectionTurns(10);
  const { promise: slow, resolve: end } = Promise.withResolvers<void>();
  const outcomes: Promise<string>[] = [];
  let running = 0;
  const read = (user: number) => {
    const work = async () => {
      running += 1;
      await slow;
      return 'read';
    };
    outcomes.push(run([`caller ${user}`, 'object 7'], 60_000, work).catch(({ code }) => code));
  };
  for (let user = 0; user < 50; user++) read(user);
  expect(running).toBe(5);
  expect(await run(['caller 0', 'object 8'], 60_000, async () => 'another object')).toBe('another object');
  read(99);
  expect(await outcomes.at(-1)).toBe('database-busy');
  end();
  expect(new Set(await Promise.all(outcomes.slice(0, 50)))).toEqual(new Set(['read']));
});

test.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [10, 5],
])('of %i connections one caller has %i, and four wait for each', async (connections, ofOne) => {
  const { run } = createConnectionTurns(connections);
  const { promise: slow, resolve: end } = Promise.withResolvers<void>();
  let running = 0;
  const ask = (caller: string) =>
    run([caller], 60_000, async () => {
      running += 1;
      await slow;
    });
  const asked = Array.from({ length: connections + 1 }, () => ask('one'));
  expect(running).toBe(ofOne);
  for (let number = asked.length; number < 5 * connections; number++) asked.push(ask(`caller ${number}`));
  expect(running).toBe(connections);
  const refused = ask('one').catch(({ code, retryAfter }) => [code, retryAfter]);
  expect(await refused).toEqual(['database-busy', 1]);
  end();
  await Promise.all(asked);
});
