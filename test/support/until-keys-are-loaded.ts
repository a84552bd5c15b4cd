/** A new app on a busy machine: its first load of the signing keys may miss the time limit of the product, which is no failure of a test. */

import { vi } from 'vitest';

/** Waits until a new app can verify tokens, by a read of the calendar at an address. */
export async function untilKeysAreLoaded(calendar: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const look = async () => {
    const reply = await fetch(`${calendar}/events?per_page=1`, { headers });
    const text = await reply.text();
    if (text.includes('signing-keys-unavailable')) throw new Error(`The app does not verify tokens: ${text}`);
  };
  await vi.waitFor(look, { timeout: 300_000 });
}
