/** Views of pages: all who ask for one address in one language share what one of them has been made, until the calendar changes. */

import { createCache } from '../../../shared/cache.ts';
import type { Reply } from '../../../shared/http/reply.ts';

/** Bytes of memory. */
const maxBytes = 16 * 2 ** 20;
/** Bytes of a view besides its text. */
const overhead = 1_000;
/** Milliseconds for which a view is kept: pages tell what is still to come, and the clock publishes. */
const ttl = 20_000;

export class PageViews {
  readonly #views = createCache<string, Reply>({
    name: 'views of pages',
    ttl,
    bytes: { max: maxBytes, of: (reply, key) => bytesOf(reply) + 2 * key.length + overhead },
  });
  readonly #underWay = new Map<string, Promise<Reply>>();

  /** Returns the view of a key, made by this call or by an earlier one. A view that tells of a fault is not kept. */
  of(key: string, make: () => Promise<Reply>): Promise<Reply> {
    const view = this.#views.get(key);
    if (view !== undefined) return Promise.resolve(view);
    const running = this.#underWay.get(key);
    if (running !== undefined) return running;
    const making = make()
      .then((reply) => {
        if (reply.status < 500) this.#views.set(key, reply);
        return reply;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, making);
    return making;
  }
}

function bytesOf({ body }: Reply): number {
  if (body === undefined || !('raw' in body)) return 0;
  return typeof body.raw === 'string' ? 2 * body.raw.length : body.raw.byteLength;
}
