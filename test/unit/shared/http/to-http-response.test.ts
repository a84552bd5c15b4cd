/** When the bytes of a reply go back to the budget, and what the library is given. */

import { HttpResponse } from '@azure/functions';
import { describe, expect, test, vi } from 'vitest';
import { toHttpResponse } from '../../../../shared/http/to-http-response.ts';
import { chunkLength } from '../../../../shared/limits/chunks.ts';

const long = 'x'.repeat(2 * chunkLength + 1);

/** A reply as the library takes it, and how often it was handed over. */
function responseTo(method: string, raw: string, isStreaming: boolean) {
  const onHandedOver = vi.fn();
  const reply = { status: 200, headers: { 'X-A': 'b' }, body: { raw }, onHandedOver };
  return { response: toHttpResponse(method, reply, isStreaming), onHandedOver };
}

describe('a streamed reply is handed over once', () => {
  test('when its last chunk is read, and not before', async () => {
    const { response, onHandedOver } = responseTo('GET', long, true);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const read: [length: number | undefined, handedOver: number][] = [];
    for (let chunk = 0; chunk < 4; chunk++)
      read.push([(await reader.read()).value?.length, onHandedOver.mock.calls.length]);
    expect(read).toEqual([
      [chunkLength, 0],
      [chunkLength, 0],
      [1, 1],
      [undefined, 1],
    ]);
  });

  test.each([0, 1, 2])('when its reader hangs up after %i chunks', async (chunks) => {
    const { response, onHandedOver } = responseTo('GET', long, true);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (let chunk = 0; chunk < chunks; chunk++) await reader.read();
    expect(onHandedOver).not.toHaveBeenCalled();
    await reader.cancel();
    expect(onHandedOver).toHaveBeenCalledOnce();
  });

  test.each([
    ['GET', 'short', 'short'],
    ['HEAD', long, undefined],
  ])('at once where %s has no long body', (method, raw, sent) => {
    const { response, onHandedOver } = responseTo(method, raw, true);
    expect([response.body, onHandedOver.mock.calls.length]).toEqual([sent, 1]);
  });
});

const wide = 'Ærø 🎷'.repeat(chunkLength);

test.each([
  ['GET', long, long],
  ['GET', wide, wide],
  ['GET', 'short', 'short'],
  ['HEAD', long, ''],
])(
  'a whole reply to %s is a response of the library, handed over once it was taken',
  async (method, raw, sent) => {
    const { response, onHandedOver } = responseTo(method, raw, false);
    expect(response).toBeInstanceOf(HttpResponse);
    const whole = response as HttpResponse;
    expect([whole.status, [...whole.headers]]).toEqual([200, [['x-a', 'b']]]);
    expect(onHandedOver).not.toHaveBeenCalled();
    expect(new TextDecoder().decode(await whole.arrayBuffer()) === sent).toBe(true);
    expect(onHandedOver).toHaveBeenCalledOnce();
  },
);
