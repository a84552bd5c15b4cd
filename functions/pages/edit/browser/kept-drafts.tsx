/** Offers what this person has written at a record earlier, and what was not saved before the browser ended. */

import { useEffect, useState } from 'preact/hooks';
import { language, word } from '../../common/browser/session.tsx';
import { locales } from '../../common/views/when.ts';
import { type Draft, findDrafts, removeDraft, restoreDraft } from './drafts.ts';
import type { Kind } from './edit-data.ts';

interface KeptDraftsProps {
  readonly kind: Kind;
  readonly id: number | undefined;
  /** Names the form that is open. */
  readonly own: string;
  readonly show: (draft: Draft) => void;
}

export function KeptDrafts({ kind, id, own, show }: KeptDraftsProps) {
  const [found, setFound] = useState<Awaited<ReturnType<typeof findDrafts>>>([]);
  const find = () => void findDrafts(kind, id, own).then(setFound);
  useEffect(find, [kind, id]);
  const [latest] = found;
  if (latest === undefined) return null;
  const { name, at } = latest;
  const time = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' });
  const restore = async () => {
    const draft = await restoreDraft(name);
    if (draft === undefined) find();
    else show(draft);
  };
  return (
    <section class="preview" aria-label={word('keptDraft')}>
      <p>
        {word('keptDraft')} {time.format(at)}.
      </p>
      <div class="buttons">
        <button type="button" class="outline" onClick={restore}>
          {word('showDraft')}
        </button>
        <button type="button" class="outline secondary" onClick={() => void removeDraft(name).then(find)}>
          {word('dropDraft')}
        </button>
      </div>
    </section>
  );
}
