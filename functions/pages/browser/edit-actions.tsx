/** The buttons below the form of a record: they save it with a status, show its preview, or remove it. */

import type { Word } from '../views/words.ts';
import { may } from './edit-data.ts';
import { word } from './session.tsx';

interface ActionsProps {
  readonly status: string;
  readonly isPreviewed: boolean;
  readonly togglePreview: () => void;
  /** Undefined for a record that is not stored yet. */
  readonly remove: (() => void) | undefined;
}

export function Actions({ status, isPreviewed, togglePreview, remove }: ActionsProps) {
  return (
    <div class="buttons">
      {actionsOf(status).map(([value, text, isOutlined]) => (
        <button key={value} type="submit" value={value} class={isOutlined ? 'outline' : ''}>
          {word(text)}
        </button>
      ))}
      <button type="button" class="outline" aria-expanded={isPreviewed} onClick={togglePreview}>
        {word('preview')}
      </button>
      {remove && (
        <button type="button" class="outline secondary" onClick={remove}>
          {word('remove')}
        </button>
      )}
      <kbd>{word(`status_${status}` as Word)}</kbd>
    </div>
  );
}

/** Returns the buttons that save a record: the status after it, and the text. The enter key presses the first. */
function actionsOf(status: string): readonly (readonly [status: string, Word, isOutlined?: true])[] {
  const isPublic = status === 'publish' || status === 'future';
  if (isPublic || (status === 'pending' && !may('publish')))
    return [
      [status, 'save'],
      ['draft', 'withdraw', true],
    ];
  return [
    status === 'pending' ? [status, 'save', true] : ['draft', 'saveDraft', true],
    may('publish') ? ['publish', 'publish'] : ['pending', 'submitReview'],
  ];
}
