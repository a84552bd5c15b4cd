/** The outcomes of an import, and their exit statuses. */

/** Exit status by outcome. A refused import has written nothing; status 2 is an invalid command line. */
export const exitStatuses = { done: 0, refused: 1, partlyDone: 3 } as const;

export type Outcome = keyof typeof exitStatuses;

/** An import that failed after its first write. The message says how much was written. */
export class PartlyDoneError extends Error {
  constructor(written: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Partly done: ${written}. ${reason} Run the import again: it writes what is missing.`, { cause });
  }
}

interface Counts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: readonly string[];
}

/** Returns the outcome of an import that ran to its end. */
export function outcomeOf({ created, changed, unchanged, rejected }: Counts): Outcome {
  if (rejected.length === 0) return 'done';
  return created + changed + unchanged === 0 ? 'refused' : 'partlyDone';
}
