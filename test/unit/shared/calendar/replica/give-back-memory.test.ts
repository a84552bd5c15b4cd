import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const module = join(import.meta.dirname, '../../../../../shared/calendar/replica/give-back-memory.ts');

/** Runs a program in a process of its own: one that waits for itself cannot tell. */
async function outputOf(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  return stdout.trim();
}

describe('giveBackMemory()', () => {
  test('collects the garbage, and the process goes on', async () => {
    const program = `
      const { giveBackMemory } = await import(${JSON.stringify(module)});
      let garbage = new WeakRef(new Array(1_000_000).fill(0));
      const { setTimeout } = await import('node:timers/promises');
      await setTimeout(1);
      giveBackMemory();
      const end = performance.now() + 10_000;
      while (garbage.deref() !== undefined && performance.now() < end) await setTimeout(10);
      console.log(garbage.deref() === undefined ? 'collected' : 'kept');
    `;
    expect(await outputOf(program)).toBe('collected');
  });
});
