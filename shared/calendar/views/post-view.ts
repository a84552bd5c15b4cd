/** What the views of events, venues and organizers have in common. */

import type { AnyPost, PostText } from '../model/records.ts';
import { paragraphs } from '../model/text/paragraphs.ts';
import { renderTitle } from '../model/text/title.ts';
import { typographic } from '../model/text/typography.ts';
import type { PostEntry } from '../replica/entries.ts';
import { textIn, type ViewContext } from './context.ts';
import { globalId, pageOf } from './pages.ts';

/** Gives author, status and dates: the author's id is a text. */
export function statusView({ record, status }: PostEntry) {
  const { author, date, date_utc, modified, modified_utc } = record;
  return { author: String(author), status, date, date_utc, modified, modified_utc };
}

/** Gives the title, description and excerpt in the language of the context, rendered. */
export function textsView(record: AnyPost, { language }: ViewContext) {
  const text = (field: PostText) => textIn(record, field, language);
  return {
    title: renderTitle(text('title')),
    description: paragraphs(typographic(text('description'))),
    excerpt: paragraphs(typographic(text('excerpt'))),
  };
}

/** Gives the global id and its lineage. */
export function globalView({ id }: AnyPost, { site }: ViewContext) {
  const global_id = globalId(site, id);
  return { global_id, global_id_lineage: [global_id] };
}

/** Gives the address of a record's page. */
export function pageView(entry: PostEntry, { site }: ViewContext) {
  return { url: pageOf(site, entry) };
}

/** Leaves out the keys whose value is empty: `""`, `"0"`, false, null or undefined (behaviour section 4.2). */
export function withoutEmpty<T extends object>(view: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(view).filter(([, value]) => ![undefined, null, false, '', '0'].includes(value)),
  ) as Partial<T>;
}
