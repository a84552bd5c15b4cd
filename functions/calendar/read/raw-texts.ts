/** The texts of a record for those who edit it: what is sent back as it is shown is stored as it was. */

import type { Readable } from '../model/rights.ts';
import { withOwnAddresses } from '../model/text/own-addresses.ts';
import { paragraphs, textIn } from '../model/text/render-text.ts';
import type { PostEntry } from '../replica/entries.ts';
import type { ReadContext } from './read-context.ts';

/** Returns the texts of a record by the names of their fields, without the typographic characters of its view: HTML in paragraphs. */
export function rawTexts(
  { entry: { record } }: Readable<PostEntry>,
  { language, root, replica }: Pick<ReadContext, 'language' | 'root' | 'replica'>,
): Readonly<Record<string, string>> {
  const html = (field: 'description' | 'excerpt') =>
    paragraphs(withOwnAddresses(textIn(record, field, language), root, (id) => replica.image(id)));
  const title = textIn(record, 'title', language).trim();
  const { kind } = record;
  return {
    [kind === 'event' ? 'title' : kind]: title,
    description: html('description'),
    ...(kind === 'event' ? { excerpt: html('excerpt') } : {}),
  };
}
