/** Text with simple markup, written as it will look. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ControlProps } from '../../common/browser/fields.tsx';
import { word } from '../../common/browser/session.tsx';
import type { Word } from '../../common/views/words.ts';

/** Commands of the browser's own editor by what their buttons say. */
const commands: readonly (readonly [label: Word, command: string, argument?: string])[] = [
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['heading', 'formatBlock', 'h3'],
  ['bullets', 'insertUnorderedList'],
  ['link', 'createLink'],
];

export function HtmlControl({ value, set, attributes }: ControlProps) {
  // Typed text is in the document already; to set it again would move the cursor.
  const [__html] = useState(String(value));
  const element = useRef<HTMLDivElement>(null);
  const written = useRef(value);
  // Another text than the typed one is the one that was saved; it waits until nobody writes here.
  const update = () => {
    const { current } = element;
    if (current === null || value === written.current || current === document.activeElement) return;
    written.current = value;
    current.innerHTML = String(value);
  };
  useLayoutEffect(update, [value]);
  const run = (command: string, argument?: string) => {
    const value = command === 'createLink' ? prompt(word('linkAddress'), 'https://') : argument;
    if (value !== null) document.execCommand(command, false, value);
  };
  return (
    <>
      <div role="toolbar" aria-label={word('format')}>
        {commands.map(([label, command, argument]) => (
          <button
            key={command}
            type="button"
            class={`outline secondary ${command}`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => run(command, argument)}
          >
            {word(label)}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: no element of HTML takes text with markup. */}
      <div
        class="editable"
        contentEditable
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-labelledby={`${attributes.id}-label`}
        dangerouslySetInnerHTML={{ __html }}
        ref={element}
        onBlur={update}
        onInput={({ currentTarget }) => {
          written.current = currentTarget.innerHTML;
          set(currentTarget.innerHTML);
        }}
        onPaste={(event) => {
          event.preventDefault();
          document.execCommand('insertText', false, event.clipboardData?.getData('text/plain') ?? '');
        }}
      />
    </>
  );
}
