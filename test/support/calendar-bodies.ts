/** Events, venues and organizers as tests of what the three have in common create them. */

import type { CalendarApp, Person } from './calendar-app.ts';

export const bodies = {
  events: { title: 'First', start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' },
  venues: { venue: 'First' },
  organizers: { organizer: 'First' },
};
export type Collection = keyof typeof bodies;
export const collections = Object.keys(bodies) as Collection[];

/** The field of the title or name of a record. */
export const nameOf = { events: 'title', venues: 'venue', organizers: 'organizer' } as const;

/** Returns the function that creates a record in a calendar, and returns its path. */
export function creationIn(app: Pick<CalendarApp, 'create'>) {
  return async (collection: Collection, fields: object = {}, as: Person = 'editor'): Promise<string> => {
    const { id } = await app.create(collection, { ...bodies[collection], ...fields }, as);
    return `/${collection}/${id}`;
  };
}
