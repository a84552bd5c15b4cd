/** The order in which requests go to a worker, so that nobody waits behind all that somebody else sends. */

import { describe, expect, test } from 'vitest';
import { Callers } from '../../../../local/functions-host/host/callers.ts';
import type { RequestHead } from '../../../../local/functions-host/http/request-head.ts';
import { HandOver, type Release } from '../../../../local/functions-host/worker/hand-over.ts';

const large = 1024 * 1024;

/** Asks for turns and notes who has had one. */
function queue(handOver: HandOver) {
  const sent: string[] = [];
  const ask = (caller: string, bytes = 0): Promise<Release> => {
    const released = handOver.next(caller, bytes);
    void released.then(() => sent.push(caller));
    return released;
  };
  return { sent, ask };
}

/** Lets what is decided by now be noted. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('HandOver', () => {
  test('lets callers have turns once the worker has enough to take', async () => {
    const handOver = new HandOver();
    const { sent, ask } = queue(handOver);
    for (let count = 0; count < 30; count++) void ask('many');
    await settled();
    const full = sent.length;
    void ask('one');
    handOver.taken(3);
    await settled();
    expect(full).toBe(8);
    expect(sent.slice(full)).toEqual(['many', 'one', 'many']);
  });

  test('hands large bodies over one by one, and others past them', async () => {
    const handOver = new HandOver();
    const { sent, ask } = queue(handOver);
    const first = ask('first', large);
    const second = ask('second', large);
    await settled();
    void ask('small');
    await settled();
    expect(sent).toEqual(['first', 'small']);
    (await first)();
    await second;
    expect(sent).toEqual(['first', 'small', 'second']);
  });

  test('lets nobody wait for a worker that has ended', async () => {
    const handOver = new HandOver();
    const { ask } = queue(handOver);
    await ask('first', large);
    const waiting = handOver.next('second', large);
    handOver.end(new Error('The worker has ended.'));
    await expect(waiting).rejects.toThrow('The worker has ended.');
    await expect(handOver.next('third', 0)).rejects.toThrow('The worker has ended.');
  });
});

describe('Callers', () => {
  const head = (authorization?: string) =>
    ({
      headers: new Map(authorization === undefined ? [] : [['authorization', authorization]]),
    }) as unknown as RequestHead;

  test('are one caller each once their credentials were accepted, and one together before', () => {
    const callers = new Callers();
    callers.note(callers.of(head('Bearer good')), 200);
    callers.note(callers.of(head('Bearer bad')), 401);
    const names = ['Bearer good', 'Bearer bad', 'Bearer new', undefined].map(
      (one) => callers.of(head(one)).name,
    );
    expect(new Set(names).size).toBe(3);
    expect(names[1]).toBe(names[2]);
  });
});
