/** The tables of fields of events, venues and organizers by kind. */

import type { PostKind } from '../values.ts';
import { organizerFields, venueFields } from './contact.ts';
import { eventFields } from './event.ts';
import type { FieldTable } from './field.ts';

export const postFields: Readonly<Record<PostKind, FieldTable>> = {
  event: eventFields,
  venue: venueFields,
  organizer: organizerFields,
};
