/** Takes the place of `shared/limits/budget.ts` in the app without limits: a budget that is never exhausted. */

export class Budget {
  reserve() {
    return { add() {}, release() {} };
  }
}

export function byteLimit(): number {
  return Number.POSITIVE_INFINITY;
}

({ Budget, byteLimit }) satisfies Record<keyof typeof import('../../../shared/limits/budget.ts'), unknown>;
