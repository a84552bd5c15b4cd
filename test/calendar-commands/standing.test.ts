/** What a site's answer about one record means: whether it is there, and who may see it. */

import { expect, test } from 'vitest';
import { type Standing, standingOf } from '../../scripts/calendar/import/standing.ts';

const params = { id: 'Invalid parameter.' };

test.each<[Standing, number, object]>([
  ['shown', 200, { id: 7, status: 'publish' }],
  ['shown', 200, { id: '7' }],
  ['gone', 200, { id: 7, status: 'trash' }],
  ['gone', 404, { code: 'rest-event-not-found' }],
  ['gone', 403, { code: 'event-no-longer-available' }],
  ['gone', 400, { code: 'rest_invalid_param', data: { params } }],
  ['gone', 400, { code: 'rest-invalid-event-id' }],
  ['hidden', 403, { code: 'event-not-accessible' }],
  ['hidden', 403, { code: 'venue-not-accessible' }],
  ['locked', 403, { code: 'event-password-protected' }],
  // None of these says that the record is gone: a firewall, an outage, another record.
  ['unread', 403, { code: 'rest_forbidden' }],
  ['unread', 404, {}],
  ['unread', 404, { code: 'rest_no_route' }],
  ['unread', 410, {}],
  ['unread', 401, { code: 'event-not-accessible' }],
  ['unread', 400, { code: 'rest_invalid_param', data: { params: { page: 'Invalid parameter.' } } }],
  ['unread', 500, {}],
  ['unread', 503, {}],
  ['unread', 200, { id: 8 }],
  ['unread', 200, {}],
])('%s: %i %j', (standing, status, body) => {
  expect(standingOf({ status, body: { ...body } }, 7)).toBe(standing);
});
