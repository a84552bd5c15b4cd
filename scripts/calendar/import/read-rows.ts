/** Reads files of other programs in a worker: a hostile file may exhaust the memory and the time of its parser, and not those of the import. */

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FileRows, RowSource } from './row.ts';

/** Extensions of files whose records have no ids of ours. */
export const rowExtensions = ['.csv', '.ics'];

/** Checks whether a file is one of another program, by its extension. */
export function hasRows(file: string): boolean {
  return rowExtensions.includes(extname(file).toLowerCase());
}

/** What the worker answers: the records, or the reason why there are none. */
export type WorkerAnswer = FileRows | { readonly error: string };

/** Reads the records of a file. Throws an Error with the reason for an invalid file, and beyond a limit. */
export async function readRows(source: RowSource): Promise<FileRows> {
  const { file, limits } = source;
  const worker = new Worker(new URL('./read-rows-worker.ts', import.meta.url), {
    workerData: source,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: limits.readMegabytes },
  });
  const timer = setTimeout(() => worker.terminate(), limits.readMs);
  try {
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () =>
        reject(new Error(`${file} took more than ${limits.readMs / 1000} seconds to read. Split the file.`)),
      );
    });
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    throw new Error(
      `${file} takes more than ${limits.readMegabytes} MiB of memory to read. Split the file.`,
      {
        cause: error,
      },
    );
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
