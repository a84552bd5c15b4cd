/** Takes the place of `shared/limits/fair-queue.ts` in the app without limits: a queue in which no work waits. */

export class FairQueue {
  readonly queued = 0;

  run<T>(_keys: readonly string[], work: () => Promise<T>): Promise<T> {
    return work();
  }
}

({ FairQueue }) satisfies Record<keyof typeof import('../../../shared/limits/fair-queue.ts'), unknown>;
