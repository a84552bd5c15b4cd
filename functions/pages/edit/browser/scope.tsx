/** The question which dates of a series a person means: this one, this and later ones, or all. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { word } from '../../common/browser/session.tsx';
import type { Scope } from './series.ts';

/** A question that is asked, and what takes its answer; undefined for none. */
export interface AskScope {
  readonly text: 'scopeAsk' | 'scopeRemove' | 'scopeNext';
  readonly answer: (scope: Scope | undefined) => void;
}

/** Returns the question that is asked, and the function that asks one. */
export function useScope() {
  const [question, setQuestion] = useState<AskScope>();
  const ask = (text: AskScope['text']) =>
    new Promise<Scope | undefined>((resolve) => {
      const answer = (scope: Scope | undefined) => {
        setQuestion(undefined);
        resolve(scope);
      };
      setQuestion({ text, answer });
    });
  return [question, ask] as const;
}

const scopes = ['this', 'later', 'all'] as const;

export function ScopeQuestion({ text, answer }: AskScope) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="scope" aria-labelledby="scope-question" onClose={() => answer(undefined)}>
      <article>
        <p id="scope-question">{word(text)}</p>
        <div class="buttons">
          {scopes.map((scope) => (
            <button
              key={scope}
              type="button"
              class={scope === 'this' ? '' : 'outline'}
              onClick={() => answer(scope)}
            >
              {word(`scope_${scope}`)}
            </button>
          ))}
          <button type="button" class="outline secondary" onClick={() => answer(undefined)}>
            {word('cancel')}
          </button>
        </div>
        {text !== 'scopeRemove' && <p class="muted">{word('scopeKept')}</p>}
      </article>
    </dialog>
  );
}
