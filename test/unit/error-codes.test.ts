/** Every code that an error may carry stands in a test, so that none is renamed or forgotten unseen. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ErrorCode, errorCodes } from '../../shared/errors/codes.ts';
import type { ErrorKind } from '../../shared/errors/kinds.ts';

const root = join(import.meta.dirname, '..', '..');

const textsOf = (...patterns: readonly string[]) =>
  globSync([...patterns], { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));

const codes = Object.keys(errorCodes) as ErrorCode[];

/** A code as it is written: whole, or with the kind of post left open. */
const spellings = (code: string) => [code, code.replace(/^(event|venue|organizer)-/, '$' + '{kind}-')];

const standsIn = (text: string) => (code: string) =>
  spellings(code).some((spelling) =>
    ["'", '`', ' '].some((quote) => text.includes(quote + spelling + quote)),
  );

test('every error code of the product stands in a test', () => {
  const tests = textsOf('test/{api,contract}/**/*.test.ts', 'test/unit/{functions,shared}/**/*.test.ts');
  expect(codes.filter((code) => !standsIn(tests.join('\n'))(code))).toEqual([]);
});

test('every error code of the product stands where it is thrown', () => {
  const sources = textsOf(
    'functions/**/*.ts',
    'shared/{auth,calendar,config,http,limits,records,sql,text}/**/*.ts',
    'shared/*.ts',
  );
  expect(codes.filter((code) => !standsIn(sources.join('\n'))(code))).toEqual([]);
});

/** Every code under its kind, written out a second time: the kind decides the status. */
const written = {
  misconfigured: [
    'configuration',
    'internal-error',
    'reply-too-large',
    'database-connection',
    'database-contract',
    'schema-behind',
    'object-info-procedure-missing',
    'service-account-missing',
    'reference-data-source-failed',
    'custom-data-not-json',
    'custom-data-source-failed',
    'custom-data-source-missing',
    'calendar-access',
    'ids-exhausted',
    'pictures-access',
  ],
  'not-found': [
    'base-url-mismatch',
    'api-not-served',
    'no-such-path',
    'object-not-found',
    'custom-data-not-found',
    'reference-data-not-found',
    'rest_no_route',
    'rest_post_invalid_id',
    'rest_invalid_namespace',
    'rest-event-not-found',
    'event-archive-page-not-found',
    'venue-archive-page-not-found',
    'organizer-archive-page-not-found',
  ],
  overloaded: ['overloaded', 'database-busy'],
  unavailable: [
    'signing-keys-unavailable',
    'token-endpoint-unavailable',
    'database-unavailable',
    'outcome-unknown',
    'custom-data-busy',
    'calendar-unavailable',
    'calendar-outcome-unknown',
    'tables-unreachable',
    'pictures-unavailable',
  ],
  'method-not-allowed': ['method-not-allowed'],
  invalid: [
    'missing_experimental_endpoint_acknowledgement',
    'invalid-parameters',
    'missing-body',
    'invalid-encoding',
    'invalid-json',
    'json-too-deep',
    'invalid-body',
    'custom-data-value',
    'record-not-text',
    'rest_invalid_json',
    'rest_missing_callback_param',
    'rest_invalid_param',
    'rest_post_invalid_page_number',
    'invalid-form',
    'rest-invalid-event-id',
    'duplicate_term_slug',
    'empty_term_name',
    'term_exists',
    'rest_upload_no_content_disposition',
    'rest_upload_no_data',
  ],
  'length-required': ['length-required'],
  'unsupported-media-type': ['unsupported-media-type', 'rest_upload_sideload_error'],
  'too-large': [
    'body-too-large',
    'json-too-many-members',
    'too-many-properties',
    'too-many-values',
    'record-too-large',
    'change-too-large',
    'form-too-large',
    'picture-too-large',
  ],
  'precondition-failed': ['precondition-failed', 'rest_upload_hash_mismatch'],
  unauthenticated: [
    'credentials-missing',
    'credentials-malformed',
    'token-invalid',
    'token-expired',
    'token-without-email',
    'application-without-role',
    'user-unknown',
    'user-bound',
    'client-refused',
    'https-required',
    'not-signed-in',
    'rest_not_logged_in',
  ],
  'too-many-requests': ['too-many-sign-ins', 'too-many-passwords'],
  conflict: ['custom-data-conflict', 'picture-not-stored'],
  unprocessable: ['custom-data-read-only', 'custom-data-refused', 'picture-damaged', 'picture-size-invalid'],
  'not-implemented': ['rest_trash_not_supported'],
  forbidden: [
    'rest_forbidden',
    'rest_cannot_create',
    'event-no-longer-available',
    'event-password-protected',
    'event-not-accessible',
    'venue-not-accessible',
    'organizer-not-accessible',
  ],
  gone: ['changes-gone', 'event-is-in-trash', 'venue-is-in-trash', 'organizer-is-in-trash'],
} satisfies Partial<Record<ErrorKind, readonly ErrorCode[]>>;

test('every error code of the product is of the kind that is written here', () => {
  const found = Map.groupBy(codes, (code) => errorCodes[code].kind);
  const sorted = Object.entries(written).map(([kind, ofKind]) => [kind, ofKind.toSorted()]);
  expect(Object.fromEntries([...found].map(([kind, ofKind]) => [kind, ofKind.toSorted()]))).toEqual(
    Object.fromEntries(sorted),
  );
});
