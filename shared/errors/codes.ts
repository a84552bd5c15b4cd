/**
 * Every code of an error: its kind, from which status and title follow, and the type of its facts. Codes keep their meaning: clients and
 * operators know them. docs/run.md says what operators do about them.
 */

import type { ErrorKind } from './kinds.ts';

/** What `WWW-Authenticate` says besides scheme and realm (RFC 6750 section 3). */
export interface Challenge {
  readonly error?: 'invalid_request' | 'invalid_token';
  /** Printable ASCII without `"` and `\`. */
  readonly description?: string;
}

/** Ids of whom a token was issued to: what the log may hold. */
export interface Identity {
  /** Of the user or application. */
  readonly objectId: string;
  readonly tenantId: string;
  /** The identity provider's id of the token. */
  readonly tokenId: string;
}

/** Why credentials were refused. */
interface Refusal {
  readonly challenge: Challenge;
  readonly reason: string;
  /** When the token itself is good. */
  readonly identity?: Identity;
}

/** The name of a setting. */
interface OfSetting {
  readonly setting: string;
}

/** The number of SQL Server's error. */
interface OfSql {
  readonly number: number;
}

/** An identifier of custom data. */
interface OfIdentifier {
  readonly identifier: string;
}

/** `data` stands in `data` of the error body, `additional` beside it. */
interface InBody<Data, Additional = Readonly<Record<string, never>>> {
  readonly data: Data;
  readonly additional?: Additional;
}

/** Set when the path names a record that the caller may not write to. */
interface OnRecord {
  readonly readOnly?: true;
}

interface Definition<Facts> {
  readonly kind: ErrorKind;
  /** Only a type: what an error of this code has in `facts`. */
  readonly facts?: Facts;
}

function code<Facts = Readonly<Record<string, never>>>(kind: ErrorKind): Definition<Facts> {
  return { kind };
}

export const errorCodes = {
  // The service as a whole
  configuration: code<OfSetting>('misconfigured'),
  'base-url-mismatch': code('not-found'),
  'api-not-served': code('not-found'),
  'internal-error': code<{ readonly requestId: string }>('misconfigured'),
  overloaded: code('overloaded'),
  'reply-too-large': code<{ readonly limit: number }>('misconfigured'),

  // Requests
  'no-such-path': code('not-found'),
  'method-not-allowed': code('method-not-allowed'),
  'invalid-parameters': code('invalid'),
  'length-required': code('length-required'),
  'unsupported-media-type': code('unsupported-media-type'),
  'body-incomplete': code('invalid'),
  'body-too-large': code<{ readonly limit: number }>('too-large'),
  'missing-body': code('invalid'),
  'invalid-encoding': code('invalid'),
  'invalid-json': code('invalid'),
  'json-too-deep': code('invalid'),
  'json-too-many-members': code('too-large'),
  'invalid-body': code('invalid'),
  'precondition-failed': code('precondition-failed'),

  // Credentials
  'credentials-missing': code<Refusal>('unauthenticated'),
  'credentials-malformed': code<Refusal>('unauthenticated'),
  'token-invalid': code<Refusal>('unauthenticated'),
  'token-expired': code<Refusal>('unauthenticated'),
  'token-without-email': code<Refusal>('unauthenticated'),
  'application-without-role': code<Refusal>('unauthenticated'),
  'user-unknown': code<Refusal>('unauthenticated'),
  'user-bound': code<Refusal>('unauthenticated'),
  'client-refused': code<Refusal>('unauthenticated'),
  'https-required': code<Refusal>('unauthenticated'),
  'too-many-sign-ins': code('too-many-requests'),
  'signing-keys-unavailable': code('unavailable'),
  'token-endpoint-unavailable': code('unavailable'),

  // The databases
  'database-connection': code<OfSetting>('misconfigured'),
  'database-unavailable': code('unavailable'),
  'database-busy': code('overloaded'),
  'database-full': code<OfSql>('unavailable'),
  'outcome-unknown': code('unavailable'),
  'database-contract': code<OfSql>('misconfigured'),
  'schema-behind': code('misconfigured'),

  // Records
  'object-not-found': code('not-found'),
  'object-info-procedure-missing': code('misconfigured'),
  'service-account-missing': code<OfSetting>('misconfigured'),
  'reference-data-not-found': code('not-found'),
  'reference-data-source-failed': code<Partial<OfSql>>('misconfigured'),
  'custom-data-busy': code('unavailable'),
  'custom-data-conflict': code<OfSql>('conflict'),
  'custom-data-forbidden': code<Partial<OfIdentifier> & OfSql>('forbidden'),
  'custom-data-not-all-stored': code('conflict'),
  'custom-data-not-found': code('not-found'),
  'custom-data-many-calls': code<OfIdentifier>('invalid'),
  'custom-data-not-searchable': code<OfIdentifier>('invalid'),
  'custom-data-not-json': code<OfIdentifier>('misconfigured'),
  'custom-data-read-only': code('unprocessable'),
  'custom-data-refused': code<OfSql>('unprocessable'),
  'custom-data-source-failed': code<Partial<OfIdentifier & OfSql>>('misconfigured'),
  'custom-data-source-missing': code<OfIdentifier>('misconfigured'),
  'custom-data-value': code<OfSql>('invalid'),
  'custom-source-timeout': code<Partial<OfIdentifier>>('misconfigured'),
  'too-many-cells': code('unprocessable'),
  'too-many-objects': code<{ readonly limit: number }>('unprocessable'),
  'too-many-properties': code('too-large'),
  'too-many-values': code('too-large'),

  // The calendar's storage
  'calendar-access': code('misconfigured'),
  'calendar-unavailable': code('unavailable'),
  'calendar-outcome-unknown': code('unavailable'),
  'tables-unreachable': code('unavailable'),
  'record-not-text': code<{ readonly record: string }>('invalid'),
  'record-too-large': code<{ readonly record: string; readonly bytes: number; readonly maximum: number }>(
    'too-large',
  ),
  'change-too-large': code('too-large'),
  'ids-exhausted': code('misconfigured'),
  'changes-gone': code('gone'),
  'idempotency-key-reused': code('unprocessable'),
  'idempotency-key-in-use': code('conflict'),
  'idempotency-record-gone': code('gone'),
  'blobs-access': code('misconfigured'),
  'blobs-unavailable': code('unavailable'),
  'pictures-access': code('misconfigured'),
  'pictures-unavailable': code('unavailable'),
  'picture-too-large': code('too-large'),
  'picture-damaged': code('unprocessable'),
  'picture-size-invalid': code('unprocessable'),
  'picture-not-stored': code('conflict'),

  // The calendar, whose clients know these
  rest_no_route: code('not-found'),
  rest_invalid_namespace: code('not-found'),
  rest_invalid_json: code('invalid'),
  rest_missing_callback_param: code<InBody<{ readonly params: readonly string[] }>>('invalid'),
  rest_invalid_param:
    code<InBody<{ readonly params: Readonly<Record<string, string>>; readonly details: object }>>('invalid'),
  rest_forbidden: code<OnRecord>('forbidden'),
  /** Clients get it as `rest_forbidden` too, with 401. */
  'not-signed-in': code<OnRecord>('unauthenticated'),
  rest_not_logged_in: code('unauthenticated'),
  rest_forbidden_context: code('forbidden'),
  /** Clients get it as `rest_forbidden_context` too, with 401. */
  'not-signed-in-to-edit': code('unauthenticated'),
  rest_post_invalid_page_number: code('invalid'),
  rest_post_invalid_id: code('not-found'),
  rest_no_search_term_defined: code('invalid'),
  rest_user_invalid_id: code('not-found'),
  rest_cannot_create: code('forbidden'),
  rest_trash_not_supported: code('not-implemented'),
  rest_upload_no_content_disposition: code('invalid'),
  rest_upload_no_data: code('invalid'),
  rest_upload_hash_mismatch: code('precondition-failed'),
  rest_upload_sideload_error: code('unsupported-media-type'),
  missing_experimental_endpoint_acknowledgement: code('invalid'),
  'form-too-large': code('too-large'),
  'invalid-form': code('invalid'),
  'too-many-passwords': code('too-many-requests'),
  'rest-invalid-event-id': code('invalid'),
  'rest-event-not-found': code('not-found'),
  'event-no-longer-available': code('forbidden'),
  'page-gone': code('gone'),
  'page-too-large': code('unprocessable'),
  'event-password-protected': code('forbidden'),
  'event-not-accessible': code<OnRecord>('forbidden'),
  'venue-not-accessible': code<OnRecord>('forbidden'),
  'organizer-not-accessible': code<OnRecord>('forbidden'),
  'event-is-in-trash': code('gone'),
  'venue-is-in-trash': code('gone'),
  'organizer-is-in-trash': code('gone'),
  'series-too-long': code('invalid'),
  'series-texts-too-long': code('invalid'),
  'series-not-found': code('not-found'),
  'version-not-kept': code('not-found'),
  'no-draft': code('not-found'),
  'draft-of-unpublished': code('conflict'),
  'draft-conflicts': code<InBody<{ readonly conflicts: readonly object[] }>>('conflict'),
  'event-archive-page-not-found': code('not-found'),
  'venue-archive-page-not-found': code('not-found'),
  'organizer-archive-page-not-found': code('not-found'),
  duplicate_term_slug: code('invalid'),
  empty_term_name: code('invalid'),
  term_exists:
    code<InBody<{ readonly term_id: number }, { readonly additional_data: readonly number[] }>>('invalid'),
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** The facts of errors of a code. */
export type FactsOf<Code extends ErrorCode> = Code extends ErrorCode
  ? NonNullable<(typeof errorCodes)[Code]['facts']>
  : never;
