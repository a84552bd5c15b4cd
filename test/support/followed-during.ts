/** A long poll beside what a test does to a process: one that ends, or is held up, would break it off. */

import { expect } from 'vitest';

interface FollowOptions {
  /** Address of the calendar. */
  readonly calendar: string;
  /** A token of somebody who may create a tag. */
  readonly token: string;
}

/** Follows the changes of a calendar until an action is over, and returns the different statuses of all replies. */
export async function followedDuring(
  { calendar, token }: FollowOptions,
  action: () => Promise<unknown>,
): Promise<readonly number[]> {
  const statuses = new Set<number>();
  const state = { isOver: false };
  const follow = async () => {
    for (let since = ''; !state.isOver; ) {
      const reply = await fetch(`${calendar}/changes${since}`, { headers: { Prefer: 'wait=8' } });
      statuses.add(reply.status);
      const { latest } = (await reply.json()) as { readonly latest: number };
      since = `?since=${latest}`;
    }
  };
  const following = follow();
  // Where the action fails, that is what the test says.
  following.catch(() => {});
  await action();
  state.isOver = true;
  // A change ends the poll that waits.
  const created = await fetch(`${calendar}/tags`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: crypto.randomUUID() }),
  });
  expect(created.status).toBe(201);
  await following;
  return [...statuses];
}
