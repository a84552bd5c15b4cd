/** Every environment variable that the service reads, with its parser, description and default. */

import { calendarVariables } from './calendar-variables.ts';
import {
  apiNames,
  apis,
  collections,
  flag,
  guid,
  list,
  numbersOf,
  origins,
  path,
  positiveNumber,
  someOf,
  text,
  url,
  wholeNumber,
} from './parsers.ts';
import { telemetryVariables } from './telemetry.ts';
import { setting } from './variable.ts';

/** What the databases cannot be reached without. */
const database = { code: 'database-connection' } as const;

/** Every variable, by name. Names with `__` are sections of the deployment contract (`AppRegistration`). */
export const variables = {
  DB_SERVER: setting(
    text,
    'Database server of the main database: host, host,port or host\\instance.',
    database,
  ),
  DB_TRUSTED_CONNECTION: setting(
    flag,
    'true: sign in to the database with the managed identity; false: with DB_USER and DB_PASSWORD.',
    database,
  ),
  DB_USER: setting(text, 'Database login name; required when DB_TRUSTED_CONNECTION is false.', {
    ...database,
    fallback: '',
  }),
  DB_PASSWORD: setting(text, 'Database login password; required when DB_TRUSTED_CONNECTION is false.', {
    ...database,
    fallback: '',
  }),
  DB_NAME: setting(text, 'Name of the main database.', { ...database, fallback: 'records' }),
  DB_CUSTOMIZATION_NAME: setting(text, 'Name of the customization database; may be the same as DB_NAME.', {
    ...database,
    fallback: 'customization',
  }),
  DB_ENCRYPT: setting(flag, 'Encrypt the connection to the database (TDS over TLS).', {
    ...database,
    fallback: true,
  }),
  DB_TRUST_SERVER_CERTIFICATE: setting(
    flag,
    'Accept a database certificate that no known authority has signed.',
    { ...database, fallback: false },
  ),
  DB_POOL_MAX: setting(positiveNumber, 'Connections per database and instance, at most.', {
    ...database,
    fallback: 10,
  }),
  OBJECT_TYPES: setting(
    numbersOf(collections),
    'Numbers of the kinds of objects in tObjProperties.typeID; a kind without one is not served.',
    { fallback: { diaries: 2, 'journalized-cases': 3, deeds: 4, documents: 5 } },
  ),
  OBJECT_METADATA: setting(
    someOf(collections),
    'Kinds of objects whose metadata is served, since the database has their tables; none for the database of an existing product.',
    { fallback: collections },
  ),
  APIS: setting(apis, 'APIs that the app serves: records, calendar, or both, separated by commas.', {
    fallback: apiNames,
  }),
  SERVICE_API_USERNAME: setting(
    text,
    "Account of the service's own user; must exist in tUserSettings (vServiceUsers).",
  ),
  SERVICE_API_BASE_URL: setting(
    path,
    'Base path of the service, for example /api; / for none. Nothing else names it: the route prefix of host.json is empty.',
  ),
  PUBLIC_BASE_URL: setting(
    url,
    'Public URL of the base path, for links in replies, for example https://api.example.org/api; without it links take the URL of the request.',
    { fallback: '' },
  ),
  TRUST_FORWARDED_HEADERS: setting(
    flag,
    'Whether a proxy sets X-Forwarded-Host, -Proto and -Prefix, deletes those that callers send, and appends the address of the caller to X-Forwarded-For; they then say by which address a request came, and from whom.',
    { fallback: false },
  ),
  CORS_ORIGINS: setting(
    origins,
    'Origins whose pages may call records, documents and health from a browser, separated by commas; * for any. The calendar takes every origin.',
    { fallback: [] },
  ),
  AppRegistration__ClientId: setting(text, 'Client id of the API in Entra ID: the audience of its tokens.'),
  AppRegistration__ClientSecret: setting(
    text,
    'Accepted for compatibility; validating tokens needs no secret.',
    { fallback: '' },
  ),
  AppRegistration__TenantId: setting(guid, 'Tenant id (GUID) whose tokens are accepted.'),
  AppRegistration__Authority: setting(
    url,
    "The identity provider's tenant URL, with the tenant id in its path.",
  ),
  AppRegistration__EmailClaim: setting(text, 'Claim that holds the e-mail address of a user.', {
    fallback: 'email',
  }),
  AppRegistration__Audiences: setting(list, 'Further accepted audiences, separated by commas.', {
    fallback: [],
  }),
  BODY_BYTES_IN_FLIGHT: setting(
    wholeNumber,
    'Bytes of bodies in flight, of requests and of replies, at most; 0: what fits the heap.',
    {
      fallback: 0,
    },
  ),
  REQUIRE_SCOPE: setting(
    flag,
    'Whether the token of a user must carry the scope access_as_user, which access tokens for the API have and ID tokens have not.',
    { fallback: true },
  ),
  BIND_USERS: setting(
    flag,
    'Whether a user of the records is bound to the account (oid) of their first sign-in; other accounts with their e-mail address are then refused.',
    { fallback: false },
  ),
  HTTP_STREAMING: setting(
    flag,
    "Whether bodies are streamed through the host instead of buffered by it; a request header beyond ASCII then hangs until the function's time-out.",
    { fallback: false },
  ),
  PAGES: setting(
    flag,
    'Whether people find pages: the start page, the calendar and its events, and objects with their custom data.',
    { fallback: true },
  ),
  SIGN_IN_HINTS: setting(
    list,
    'E-mail addresses that the start page offers to sign in with, separated by commas; for local runs.',
    { fallback: [] },
  ),
  ...telemetryVariables,
  AZURE_CLIENT_ID: setting(
    text,
    'Client id of the user-assigned managed identity; without it the system-assigned one is used.',
    { fallback: '' },
  ),
  ...calendarVariables,
} as const;
