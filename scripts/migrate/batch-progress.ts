/** The progress of a script's batches, where one takes long: in place on a terminal, elsewhere in separate lines. */

/** Where it is written: process.stdout is one. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface BatchProgress {
  /** Takes the number of the batch that runs now, from 1. */
  at(batch: number, total: number): void;
  /** Ends it, and leaves nothing on the terminal. */
  end(): void;
}

/** Seconds after which a script is one that takes long, and those between two lines about the same batch. */
const first = 2;
const between = 30;

/** Begins with a script. */
export function showBatchProgress(output: ProgressOutput): BatchProgress {
  const { isTTY = false } = output;
  let seconds = 0;
  let now = { batch: 0, total: 0 };
  let shown = { batch: 0, seconds: 0 };
  const timer = setInterval(() => {
    seconds += 1;
    const isNew = isTTY || now.batch !== shown.batch || seconds - shown.seconds >= between;
    if (seconds < first || now.batch === 0 || !isNew) return;
    shown = { batch: now.batch, seconds };
    const text = `      batch ${now.batch} of ${now.total}, ${seconds} s`;
    output.write(isTTY ? `\r${text}\x1b[K` : `${text}\n`);
  }, 1_000);
  return {
    at(batch, total) {
      now = { batch, total };
    },
    end() {
      clearInterval(timer);
      if (isTTY && shown.batch > 0) output.write('\r\x1b[K');
    },
  };
}
