/** Takes the place of `shared/limits/fair-queue.ts` in the app without limits: a queue in which no work waits. */

import type * as limited from '../../../shared/limits/fair-queue.ts';
import type { StandIn } from './stand-in.ts';

export class FairQueue implements StandIn<limited.FairQueue> {
  readonly queued = 0;

  run<T>(_keys: readonly string[], work: () => Promise<T>): Promise<T> {
    return work();
  }
}

({ FairQueue }) satisfies StandIn<typeof limited>;
