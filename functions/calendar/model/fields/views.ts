/** What callers see of records: the types of the schemas that stand beside the fields. */

import type { Static, TSchema } from 'typebox';
import type { organizerSchema, venueSchema } from './contact.ts';
import type { eventSchema } from './event.ts';
import type { imageSchema } from './schemas.ts';
import type { seriesSchema } from './series.ts';
import type { termSchema } from './term.ts';

/** What a schema describes, as nobody changes it. */
type Shown<Schema extends TSchema> = Fixed<Static<Schema>>;
type Fixed<T> = T extends object ? { readonly [Key in keyof T]: Fixed<T[Key]> } : T;

/** Records by kind. */
export interface Views {
  readonly event: Shown<typeof eventSchema>;
  readonly venue: Shown<typeof venueSchema>;
  readonly organizer: Shown<typeof organizerSchema>;
  readonly category: Shown<typeof termSchema>;
  readonly tag: Shown<typeof termSchema>;
}

export type EventView = Views['event'];
export type TermView = Views['category'];
export type ImageView = Shown<typeof imageSchema>;
export type SeriesView = Shown<typeof seriesSchema>;

/** A venue or organizer: what both show, and what either may. */
export type ContactView = Pick<Views['venue'], keyof Views['venue'] & keyof Views['organizer']> &
  Partial<Views['venue'] & Views['organizer']>;
