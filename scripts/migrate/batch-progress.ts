/** Shows the progress of the batches of a slow script: in place on a terminal, elsewhere in separate lines. */

/** The output of the progress, such as process.stdout. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface BatchProgress {
  /** Sets the number of the running batch, from 1. */
  at(batch: number, total: number): void;
  /** Ends the progress, and removes it from a terminal. */
  end(): void;
}

/** Seconds before the first line, and between two lines about the same batch. */
const firstDelay = 2;
const repeatInterval = 30;

/** Starts the progress of a script. */
export function showBatchProgress(output: ProgressOutput): BatchProgress {
  const { isTTY = false } = output;
  let seconds = 0;
  let current = { batch: 0, total: 0 };
  let printed = { batch: 0, seconds: 0 };
  const timer = setInterval(() => {
    seconds += 1;
    const isNew = isTTY || current.batch !== printed.batch || seconds - printed.seconds >= repeatInterval;
    if (seconds < firstDelay || current.batch === 0 || !isNew) return;
    printed = { batch: current.batch, seconds };
    const text = `      batch ${current.batch} of ${current.total}, ${seconds} s`;
    output.write(isTTY ? `\r${text}\x1b[K` : `${text}\n`);
  }, 1_000);
  return {
    at(batch, total) {
      current = { batch, total };
    },
    end() {
      clearInterval(timer);
      if (isTTY && printed.batch > 0) output.write('\r\x1b[K');
    },
  };
}
