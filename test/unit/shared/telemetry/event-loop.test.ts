/** The line of a minute in which something has held the event loop. */

import { expect, test, vi } from 'vitest';
import { watchEventLoop } from '../../../../shared/telemetry/event-loop.ts';

/** Holds the event loop. */
function hold(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('an event loop that was late by a second leaves a line with the seconds, and one that was not leaves none', async () => {
  const written: string[] = [];
  const write = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => written.push(String(text)) > 0);
  const started = performance.now();
  const end = watchEventLoop(100);
  try {
    await vi.waitFor(() => expect(performance.now() - started).toBeGreaterThan(300), { interval: 50 });
    expect(written).toEqual([]);
    await expect
      .poll(
        () => {
          hold(1_100);
          return written.join('');
        },
        { timeout: 20_000, interval: 150 },
      )
      .toMatch(/"event":"event-loop","delay":1\.\d+\}/);
  } finally {
    end();
    write.mockRestore();
  }
});
