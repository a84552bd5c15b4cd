/** Long lists, of which a part is drawn, and the others on demand: a browser that draws 100,000 cells at once answers nobody. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { language, word } from './session.tsx';

interface Part {
  /** How many of the items are drawn. */
  readonly shown: number;
  /** A button that shows more, with what it has shown so far; nothing where all are drawn. The focus stays on it. */
  readonly more: ComponentChildren;
}

/** Returns how many of `total` items are drawn: `step` at first, and as many more each time. `what` names them where several lists are near. */
export function useMore(total: number, step: number, what?: string): Part {
  const [asked, setAsked] = useState(step);
  const shown = Math.min(asked, total);
  const inWords = (count: number) => count.toLocaleString(language);
  const counts = `${inWords(shown)} / ${inWords(total)}`;
  if (total <= step) return { shown: total, more: undefined };
  return {
    shown,
    more: (
      <span class="more">
        {shown < total && (
          <button type="button" class="secondary outline" onClick={() => setAsked(asked + step)}>
            {word('showMore')}
            {what === undefined ? '' : ` (${what})`}
          </button>
        )}{' '}
        <span class="muted" role="status">
          {counts}
        </span>
      </span>
    ),
  };
}
