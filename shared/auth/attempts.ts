/** Counts attempts to sign in, against guessing. */

export interface AttemptLimits {
  /** Attempts for one name within the window, at most. */
  readonly perName: number;
  /** Attempts for all names within the window, at most, and the number that is remembered. */
  readonly inAll: number;
  /** Milliseconds. */
  readonly window: number;
}

export interface Attempts {
  /** Counts an attempt, and returns what takes it back. When there were too many it returns the seconds until the next may be made. */
  start(name: string): (() => void) | number;
}

/** Creates a counter. `now` is in milliseconds since 1970. */
export function createAttempts({ perName, inAll, window }: AttemptLimits, now: () => number): Attempts {
  let recent: readonly { readonly name: string; readonly at: number }[] = [];
  return {
    start(name) {
      recent = recent.filter(({ at }) => at > now() - window);
      const ofName = recent.filter((item) => item.name === name);
      const first = recent.length >= inAll ? recent[0] : ofName.length >= perName ? ofName[0] : undefined;
      if (first !== undefined) return Math.max(1, Math.ceil((first.at + window - now()) / 1000));
      const attempt = { name, at: now() };
      recent = [...recent, attempt];
      return () => {
        recent = recent.filter((item) => item !== attempt);
      };
    },
  };
}
