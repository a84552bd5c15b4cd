import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget, byteLimit, type Reservation } from '../../../../shared/limits/budget.ts';
import { readGauge } from '../../../../shared/telemetry/gauges.ts';
import { withEntries } from '../../../support/collections.ts';

const rejection = () => new RangeError('exhausted');
const createBudget = (limit = 100) => new Budget({ name: 'test', limit, rejection });
const used = () => readGauge('budgetUsed').find(([, labels]) => labels?.['app.budget'] === 'test')?.[0];

/** Reserves one by one until the first rejection, and returns how much that was. */
function reserveAll(budget: Budget, caller: string, most = 1_000): number {
  for (let count = 0; count < most; count++) {
    try {
      budget.reserve(caller, 1);
    } catch {
      return count;
    }
  }
  return most;
}

describe('Budget', () => {
  test('leaves a quarter of the limit to others than the caller who uses most', () => {
    const budget = createBudget();
    expect(reserveAll(budget, 'a')).toBe(75);
    expect(reserveAll(budget, 'b')).toBe(25);
    expect(() => budget.reserve('c', 1)).toThrow(rejection());
    expect(used()).toBe(100);
  });

  test('gives each of two callers half of the limit', () => {
    const budget = createBudget();
    expect([reserveAll(budget, 'a', 50), reserveAll(budget, 'b')]).toEqual([50, 50]);
  });

  test('accepts any amount of the only work that there is', () => {
    const budget = createBudget();
    const reservation = budget.reserve('a', 150);
    reservation.add(50);
    expect(used()).toBe(200);
    expect(() => budget.reserve('b', 1)).toThrow(rejection());
  });

  test('accepts one large work of a caller beside little of another one', () => {
    const budget = createBudget();
    budget.reserve('b', 10);
    budget.reserve('a', 40).add(50);
    expect(() => budget.reserve('a', 1)).toThrow(rejection());
  });

  test('accepts what is forced, whatever the limit', () => {
    const budget = createBudget();
    budget.reserve('a', 75);
    const reservation = budget.reserve('b', 25);
    expect(() => reservation.add(1)).toThrow(rejection());
    reservation.add(1, { force: true });
    expect(used()).toBe(101);
  });

  test('gives back once what a reservation holds, and all of it in the end', () => {
    const amounts = fc.array(
      fc.record({
        caller: fc.constantFrom('a', 'b', 'c'),
        amount: fc.nat(60),
        more: fc.nat(30),
        force: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(amounts, (all) => {
        const budget = createBudget();
        const reservations: Reservation[] = [];
        for (const { caller, amount, more, force } of all) {
          try {
            const reservation = budget.reserve(caller, amount);
            reservations.push(reservation);
            reservation.add(more, { force });
          } catch {
            // Rejected: it holds what it had.
          }
        }
        for (const reservation of [...reservations, ...reservations]) reservation.release();
        expect([used(), reserveAll(budget, 'a')]).toEqual([0, 75]);
      }),
    );
  });
  test('keeps nothing of a caller whose work has ended', () => {
    const { made: budget, entries } = withEntries(() => createBudget(10_000));
    const all = Array.from({ length: 1_000 }, (_, index) => budget.reserve(`caller ${index}`, 2));
    expect(entries()).toBe(1_000);
    for (const reservation of all) reservation.release();
    expect(entries()).toBe(0);
  });
});

describe('byteLimit()', () => {
  test.each([
    [64 * 1024 * 1024, 64 * 1024 * 1024],
    [1, 8 * 1024 * 1024],
  ])('is what the setting says, and two bodies at least: %i', (setting, limit) => {
    expect(byteLimit(setting)).toBe(limit);
  });

  test('follows the heap where the setting is 0', () => {
    expect(byteLimit(0)).toBeGreaterThanOrEqual(8 * 1024 * 1024);
  });
});
