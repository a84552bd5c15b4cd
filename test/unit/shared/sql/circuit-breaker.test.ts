import { expect, test } from 'vitest';
import { CircuitBreaker } from '../../../../shared/sql/circuit-breaker.ts';

function breakerWithClock() {
  const clock = { now: 0 };
  return { clock, breaker: new CircuitBreaker(() => clock.now) };
}

const failure = new Error('not reachable');

test('a circuit stays closed for four failures in a row', () => {
  const { breaker } = breakerWithClock();
  for (let number = 0; number < 4; number++) breaker.failed(failure);
  expect(() => breaker.check()).not.toThrow();
});

test('a circuit opens with the fifth failure in a row, and repeats it', () => {
  const { breaker } = breakerWithClock();
  for (let number = 0; number < 5; number++) breaker.failed(failure);
  expect(() => breaker.check()).toThrow(failure);
});

test('a success in between starts the count anew', () => {
  const { breaker } = breakerWithClock();
  for (let number = 0; number < 4; number++) breaker.failed(failure);
  breaker.succeeded();
  for (let number = 0; number < 4; number++) breaker.failed(failure);
  expect(() => breaker.check()).not.toThrow();
});

test('an open circuit lets one trial through after the pause, and closes when it succeeds', () => {
  const { breaker, clock } = breakerWithClock();
  for (let number = 0; number < 5; number++) breaker.failed(failure);
  clock.now = 1_999;
  expect(() => breaker.check()).toThrow(failure);
  clock.now = 2_000;
  expect(() => breaker.check()).not.toThrow();
  expect(() => breaker.check()).toThrow(failure);
  clock.now = 3_999;
  expect(() => breaker.check()).toThrow(failure);
  breaker.succeeded();
  expect(() => breaker.check()).not.toThrow();
});

test('a trial that fails opens the circuit for another pause', () => {
  const { breaker, clock } = breakerWithClock();
  for (let number = 0; number < 5; number++) breaker.failed(failure);
  clock.now = 2_000;
  breaker.check();
  breaker.failed(failure);
  clock.now = 3_999;
  expect(() => breaker.check()).toThrow(failure);
  clock.now = 4_000;
  expect(() => breaker.check()).not.toThrow();
});

test('a circuit is failing from the first failure to the next success', () => {
  const { breaker } = breakerWithClock();
  expect(breaker.failing).toBe(false);
  breaker.failed(failure);
  expect(breaker.failing).toBe(true);
  breaker.succeeded();
  expect(breaker.failing).toBe(false);
});
