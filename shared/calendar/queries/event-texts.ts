/** What a search looks at in an event. */

import type { EventRecord, Language } from '../model/records.ts';
import { plainText } from '../model/text/plain-text.ts';
import type { EventEntry } from '../replica/entries.ts';
import { textIn } from '../views/context.ts';

/** Title, excerpt and description of events as plain text in lower case, kept per record and language. */
export class EventTexts {
  readonly #texts = new Map<Language | undefined, WeakMap<EventRecord, string>>();

  /** Gives the text of an event as it would be shown; of one with a password only the title. */
  of({ record }: EventEntry, language: Language | undefined): string {
    let kept = this.#texts.get(language);
    if (kept === undefined) {
      kept = new WeakMap();
      this.#texts.set(language, kept);
    }
    let text = kept.get(record);
    if (text === undefined) {
      text = searchText(record, language);
      kept.set(record, text);
    }
    return text;
  }
}

function searchText(record: EventRecord, language: Language | undefined): string {
  const fields =
    record.access_password === undefined
      ? (['title', 'excerpt', 'description'] as const)
      : (['title'] as const);
  return fields.map((field) => plainText(textIn(record, field, language)).toLowerCase()).join('\n');
}
