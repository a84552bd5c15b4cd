/** Whose turns the questions of those without a token take, and how many may be in flight. */

import { expect, test } from 'vitest';
import { createQuestions } from '../../../../shared/http/questions.ts';
import { useFakeClock } from '../../../support/timers.ts';

/** Questions of an app with so many places, each of which is answered at once with the caller whose turn it took. */
function questionsOf(places: number) {
  const questions = createQuestions(places);
  return {
    questions,
    ask: (question: string) => questions.run(question, 'anybody', async (caller) => caller),
  };
}

test('a question has turns of its own until it is answered, and for a minute after that those of what was asked before', async () => {
  const pass = useFakeClock();
  const { ask } = questionsOf(10);
  expect([await ask('/a'), await ask('/a'), await ask('/b')]).toEqual([
    'anybody',
    'anybody again',
    'anybody',
  ]);
  pass(59_999);
  expect(await ask('/a')).toBe('anybody again');
  pass(59_999);
  expect(await ask('/a')).toBe('anybody again');
  pass(60_000);
  expect(await ask('/a')).toBe('anybody');
});

test('a question that fails stays a new one', async () => {
  const { questions, ask } = questionsOf(10);
  const failing = questions.run('/a', 'anybody', () => Promise.reject(new Error('failed')));
  await expect(failing).rejects.toThrow('failed');
  expect(await ask('/a')).toBe('anybody');
});

test('the 2,000 questions that were asked last are known', async () => {
  const { ask } = questionsOf(10);
  await ask('/first');
  for (let number = 1; number < 2_000; number++) await ask(`/${number}`);
  expect(await ask('/first')).toBe('anybody again');
  for (let number = 2_000; number < 4_000; number++) await ask(`/${number}`);
  expect(await ask('/first')).toBe('anybody');
});

test.each([
  [250, 200],
  [8, 6],
  [1, 1],
])(
  'of %i places new questions have %i, and those that were asked before the others, too',
  async (places, ofNew) => {
    const { questions, ask } = questionsOf(places);
    await ask('/known');
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = Array.from({ length: ofNew }, (_, index) =>
      questions.run(`/${index}`, 'anybody', () => promise),
    );
    await expect(ask('/one-more')).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
    expect(await ask('/known')).toBe('anybody again');
    resolve();
    await Promise.all(waiting);
    expect(await ask('/one-more')).toBe('anybody');
  },
);
