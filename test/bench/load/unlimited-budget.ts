/** Takes the place of `shared/limits/budget.ts` in the app without limits: a budget that is never exhausted. */

import type * as limited from '../../../shared/limits/budget.ts';
import type { StandIn } from './stand-in.ts';

export class Budget implements StandIn<limited.Budget> {
  reserve() {
    return { add() {}, release() {} };
  }
}

export function byteLimit(): number {
  return Number.POSITIVE_INFINITY;
}

({ Budget, byteLimit }) satisfies StandIn<typeof limited>;
