/** What every view of a record needs to know. */

import type { Language, PostText, TermText, Translations } from '../model/records.ts';
import type { Site } from '../model/site.ts';
import type { CalendarReplica } from '../replica/replica.ts';

export interface ViewContext {
  readonly site: Site;
  /** Address of the API's root, without a slash at the end. */
  readonly root: string;
  readonly replica: CalendarReplica;
  /** Language of texts; the default ones without it. */
  readonly language: Language | undefined;
}

interface Texts<Field extends PostText | TermText> {
  readonly translations?: Translations<Field>;
}

/** Gives a text in a language; where it has none of its own, the default one. */
export function textIn<Field extends PostText | TermText>(
  record: Texts<Field> & { readonly [F in Field]?: string },
  field: Field,
  language: Language | undefined,
): string {
  const translated = language && record.translations?.[language]?.[field];
  return translated ?? record[field] ?? '';
}
