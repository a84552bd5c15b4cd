/** Long queries in several turns of the event loop: what is rendered is kept, and the query begins again on the newest state. */

import { chunkLength } from '../../../shared/limits/chunks.ts';
import type { PostEntry } from '../replica/entries.ts';
import type { Rendered } from './text-cache.ts';

/** Thrown by a query that has rendered as much as one turn may. It runs again in its next turn. */
export class TurnIsOver extends Error {
  override readonly name = 'TurnIsOver';
}

/** What a request has rendered in its turns. A text is found again by its record and its state. */
export class RenderedInTurns {
  readonly #texts = new Map<PostEntry, { readonly state: string; readonly text: Rendered }>();
  #rendered = 0;

  /** Begins a turn. */
  begin(): void {
    this.#rendered = 0;
  }

  /** Returns the text of a record in a state. Each turn renders one text or more, so that every query ends. Throws TurnIsOver. */
  of<Value extends Rendered>(entry: PostEntry, state: string, make: () => Value): Value {
    const kept = this.#texts.get(entry);
    if (kept?.state === state) return kept.text as Value;
    if (this.#rendered > chunkLength) throw new TurnIsOver();
    const text = make();
    this.#rendered += text.size;
    this.#texts.set(entry, { state, text });
    return text;
  }
}
