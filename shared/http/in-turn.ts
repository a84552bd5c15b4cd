/** When a request has its turn to compute. */

import type { IncomingRequest } from './request.ts';

/** Waits for the turn of a request without a body. One with a body waits at its end, since what that is made into is what takes time. Resolves with the request to go on with. */
export async function inTurn(
  request: IncomingRequest,
  awaitStart: () => Promise<void>,
): Promise<IncomingRequest> {
  if (request.body === null) await awaitStart();
  return request.body === null ? request : { ...request, body: awaitAtEnd(request.body, awaitStart) };
}

async function* awaitAtEnd(body: AsyncIterable<Uint8Array>, awaitStart: () => Promise<void>) {
  yield* body;
  await awaitStart();
}
