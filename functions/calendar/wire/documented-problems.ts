/** What the documents say of refusals. */

export const readProblems = {
  400: 'A bad parameter, or an unknown record.',
  403: 'The record is not published, or protected.',
  404: 'Unknown event, or a page above 1 with nothing on it.',
} as const;

export const listProblems = {
  ...readProblems,
  422: 'The records of the page are too large together (page-too-large): a smaller per_page is answered.',
} as const;

export const createProblems = {
  400: 'A bad or missing parameter.',
  403: 'Signed in without the right; or the record that this Idempotency-Key has created is not for the caller any more.',
  409: 'An earlier request with this Idempotency-Key is under way.',
  410: 'The record that this Idempotency-Key has created is in the trash.',
  422: 'This Idempotency-Key was sent with another body.',
  503: 'The tables cannot be reached.',
} as const;

export const writeProblems = {
  400: 'A bad or missing parameter, or an unknown record.',
  401: 'Not signed in.',
  403: 'Signed in without the right.',
  404: 'Unknown event.',
  412: 'The record changed since the version that If-Match names.',
  503: 'The tables cannot be reached.',
} as const;
