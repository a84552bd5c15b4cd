/** What a reader may choose from to filter events: the names of venues, organizers and tags, without all else that lists show of them. */

import { type ParameterTable, parseFilters } from '../model/fields/parameter.ts';
import { compareNames } from '../model/text/compare-names.ts';
import { plainText } from '../model/text/plain-text.ts';
import { textIn } from '../model/text/render-text.ts';
import { contactFilters, findContacts } from './contact-filters.ts';
import { callerKey } from './lists.ts';
import type { ReadContext } from './read-context.ts';
import { findTerms, termFilters } from './term-filters.ts';

/** A record by its name, in plain text. */
export interface Choice {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** All records of the kinds that the caller may read, by name; tags that events have. */
export interface Choices {
  readonly venues: readonly Choice[];
  readonly organizers: readonly Choice[];
  readonly tags: readonly Choice[];
}

/** Bytes in memory of a choice beside its texts. */
const overhead = 100;

/** Returns what the caller may choose from, kept until the calendar changes. */
export function choices(context: ReadContext): Choices {
  const { caller, language, replica, pages } = context;
  return pages.of({
    revision: replica.revision,
    cacheKey: ['choices', callerKey(caller), language],
    make: () => choicesIn(context),
    bytesOf: (found) =>
      Object.values(found)
        .flat()
        .reduce((sum, { name, slug }) => sum + 2 * (name.length + slug.length) + overhead, 0),
  });
}

function choicesIn(context: ReadContext): Choices {
  const { language } = context;
  const defaults = <Table extends ParameterTable>(table: Table) =>
    parseFilters(table, { ...context, parameters: {} });
  const byName = (found: readonly Choice[]) => found.toSorted((a, b) => compareNames(a.name, b.name));
  const contacts = (kind: 'venue' | 'organizer') =>
    byName(
      findContacts(kind, defaults(contactFilters), context).map(({ record }) => ({
        id: record.id,
        slug: record.slug,
        name: plainText(textIn(record, 'title', language)),
      })),
    );
  const tags = findTerms('tag', defaults(termFilters.tag), context).map((tag) => ({
    id: tag.id,
    slug: tag.slug,
    name: plainText(textIn(tag, 'name', language)),
  }));
  return { venues: contacts('venue'), organizers: contacts('organizer'), tags: byName(tags) };
}
