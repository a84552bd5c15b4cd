/** Every environment variable that the service reads, with its parser, description and default. */

import {
  apiNames,
  apis,
  blobConnectionString,
  collections,
  color,
  connectionString,
  containerName,
  currency,
  flag,
  guid,
  list,
  type MapTiles,
  mapTiles,
  metadataOf,
  numbersOf,
  oneOf,
  origins,
  partitionKey,
  path,
  positiveNumber,
  serverName,
  setting,
  siteLink,
  siteLinks,
  siteRoots,
  type TextByLanguage,
  tableName,
  text,
  textByLanguage,
  timeZone,
  url,
  urlByLanguage,
  wholeNumber,
  wholeNumberUpTo,
} from './parsers.ts';

const noText: TextByLanguage = { text: '', others: {} };

/** Every variable of the calendar, by name. */
export const calendarVariables = {
  CALENDAR_TABLE_CONNECTION_STRING: setting(
    connectionString,
    'Connection string of the table storage (local runs); without it CALENDAR_TABLE_ENDPOINT is used.',
    { fallback: '' },
  ),
  CALENDAR_TABLE_ENDPOINT: setting(url, 'URL of the table service, reached with the managed identity.', {
    fallback: '',
  }),
  CALENDAR_TABLE_NAME: setting(tableName, 'Name of the table.', { fallback: 'calendar' }),
  CALENDAR_BLOB_CONNECTION_STRING: setting(
    blobConnectionString,
    'Connection string of the blob storage of pictures (local runs); without it CALENDAR_BLOB_ENDPOINT is used.',
    { fallback: '' },
  ),
  CALENDAR_BLOB_ENDPOINT: setting(
    url,
    'URL of the blob service of pictures, reached with the managed identity; without it none can be uploaded.',
    { fallback: '' },
  ),
  CALENDAR_BLOB_CONTAINER: setting(containerName, 'Name of the container of the pictures.', {
    fallback: 'pictures',
  }),
  CALENDAR_NAME: setting(partitionKey, 'Name of the calendar: its partition in the table.', {
    fallback: 'default',
  }),
  CALENDAR_BASE_PATH: setting(path, 'Path of the calendar API below the base path.', {
    fallback: 'tribe/events/v1',
  }),
  CALENDAR_SITE_ROOTS: setting(
    siteRoots,
    'Paths at the root of the site under which the calendar answers as well, for clients that know only the address of the site; or their public URLs. Separated by commas; none turns them off.',
    { fallback: [{ path: 'wp-json/tribe/events/v1', url: '' }] },
  ),
  CALENDAR_BASIC: setting(
    flag,
    'Whether the calendar takes the client id and a secret of an app registration as name and password (Basic), for clients that know only passwords.',
    { fallback: false },
  ),
  CALENDAR_SITE_URL: setting(
    url,
    'URL of the site that owns the calendar; pages and global ids are named after it. Without it they are the pages of this service.',
    { fallback: '' },
  ),
  CALENDAR_TIME_ZONE: setting(timeZone, 'IANA time zone of the calendar.', { fallback: 'UTC' }),
  CALENDAR_LANGUAGE: setting(
    oneOf('en', 'da', 'sv'),
    'Language of the texts of the calendar that were written in none, and of pages for readers who prefer none of en, da and sv.',
    { fallback: 'en' as const, isLenient: true },
  ),
  CALENDAR_CURRENCY: setting(
    currency,
    'Currency of prices that are written without one: three letters of ISO 4217, such as DKK. Without it they are in dollars, as those of The Events Calendar are.',
    { fallback: '', isLenient: true },
  ),
  CALENDAR_STALE_IF_ERROR: setting(
    wholeNumber,
    'Seconds for which reads are answered from memory while the table storage is unreachable.',
    { fallback: 300 },
  ),
  CALENDAR_READ_STALENESS_MS: setting(
    wholeNumberUpTo(1_000),
    'Milliseconds for which an instance answers callers who may not write without asking the table storage again, 1,000 at most; 0: each read sees what was written before it through any instance.',
    { fallback: 100 },
  ),
  CALENDAR_SNAPSHOT_AFTER: setting(
    wholeNumber,
    'Changes of the calendar after which a new snapshot of it is written to the blob storage, from which new instances load it more quickly; 0: none are written or read.',
    { fallback: 2_000 },
  ),
  CALENDAR_HISTORY_DAYS: setting(
    wholeNumberUpTo(3_650),
    'Days for which earlier versions of events, venues and organizers are kept after they were replaced, 3,650 at most, and 200 of each record; 0: none are kept.',
    { fallback: 365 },
  ),
  CALENDAR_AUTHOR_NAME_DAYS: setting(
    wholeNumberUpTo(3_650),
    'Days after their last change for which the names of people who change the calendar are kept and told in its history, 3,650 at most; 0: no name is kept.',
    { fallback: 365 },
  ),
  SITE_NAME: setting(
    text,
    'Name of the site for citizens, on its pages and feeds. With it the start page for developers is at /developers.',
    { fallback: '' },
  ),
  SITE_COLOR: setting(color, 'Colour of the site, such as #0b57a4.', {
    fallback: '0b57a4',
    isLenient: true,
  }),
  SITE_LOGO: setting(url, 'URL of the logo in the header of the site.', { fallback: '', isLenient: true }),
  SITE_IMAGE: setting(
    url,
    'URL of the picture above the list of events, which previews of pages without a picture show too.',
    { fallback: '', isLenient: true },
  ),
  SITE_HOME: setting(
    siteLink,
    'Link in the header to the site that the calendar belongs to, such as Havneby=https://www.example.org.',
    { fallback: { text: noText, href: '' }, isLenient: true },
  ),
  SITE_ADDRESS: setting(
    textByLanguage,
    'Postal address at the foot of the site, its lines separated by semicolons; texts of other languages behind bars.',
    { fallback: noText, isLenient: true },
  ),
  SITE_CONTACT: setting(
    siteLinks,
    'Telephone and e-mail at the foot of the site, such as +45 12 34 56 78=tel:+4512345678, separated by commas.',
    { fallback: [], isLenient: true },
  ),
  SITE_ACCESSIBILITY: setting(
    urlByLanguage,
    'URL of the accessibility statement; those of other languages behind bars.',
    { fallback: noText, isLenient: true },
  ),
  SITE_PRIVACY: setting(urlByLanguage, 'URL of the privacy policy; those of other languages behind bars.', {
    fallback: noText,
    isLenient: true,
  }),
  SITE_LINKS: setting(
    siteLinks,
    'More links at the foot of the site, such as About us=https://www.example.org/about, separated by commas.',
    { fallback: [], isLenient: true },
  ),
  EMBED_ORIGINS: setting(
    origins,
    'Origins of sites whose pages may show the calendar in a frame, separated by commas; * for any.',
    { fallback: [], isLenient: true },
  ),
  MAP_TILES: setting<MapTiles>(
    mapTiles,
    'URL of the map server with {z}, {x} and {y}, then its attribution; without it pages have links to maps, and no maps.',
    { fallback: { url: '', attribution: '' }, isLenient: true },
  ),
} as const;

export const telemetryVariables = {
  LOG_LEVEL: setting(
    oneOf('debug', 'information', 'error'),
    'Least level of the lines that are logged: debug adds one for each piece of work that was measured, error leaves out requests that did not fail; audit lines are always written.',
    { fallback: 'information' as const, isLenient: true },
  ),
  LOG_FORMAT: setting(
    oneOf('json', 'text'),
    'json: an object per line, for machines; text: for people, where they develop (paths and identifiers are in it).',
    { fallback: 'json' as const, isLenient: true },
  ),
  SERVER_TIMING: setting(
    flag,
    'Whether replies say in the header Server-Timing where their time went; anyone can read it.',
    { fallback: false, isLenient: true },
  ),
  SHOW_SOURCE_ERRORS: setting(
    flag,
    'Whether every user is told what SQL Server says of a custom source that failed, and not callers with the app role Service.Access alone; for local runs.',
    { fallback: false },
  ),
  AzureFunctionsJobHost__telemetryMode: setting(
    oneOf('applicationInsights', 'openTelemetry'),
    "Who sends telemetry to Application Insights: applicationInsights: the host alone, with the app's log lines; openTelemetry: the host as well as the app, whose spans stand below the host's.",
    { fallback: 'applicationInsights' as const },
  ),
  APPLICATIONINSIGHTS_CONNECTION_STRING: setting(
    text,
    'Where Application Insights takes telemetry; signed in to with the managed identity.',
    { fallback: '' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    url,
    'Where spans and metrics go over OTLP; the other standard variables (OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER and so on) count too.',
    { fallback: '' },
  ),
} as const;

/** What the databases cannot be reached without. */
const database = { code: 'database-connection' } as const;

/** Every variable of the records alone, by name. */
export const recordsVariables = {
  DB_SERVER: setting(
    serverName,
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
  DB_POOL_MAX: setting(
    positiveNumber,
    'Connections per database and instance for callers, at most; two more check whether the database is there.',
    {
      ...database,
      fallback: 10,
    },
  ),
  OBJECT_TYPES: setting(
    numbersOf(collections),
    'Numbers of the kinds of objects in tObjProperties.typeID; a kind without one is not served.',
    { fallback: { diaries: 2, 'journalized-cases': 3, deeds: 4, documents: 5 } },
  ),
  OBJECT_METADATA: setting(
    metadataOf(collections),
    'Kinds of objects whose metadata is served: `deeds` where the database has our table, `deeds=view` where it has a view vDeeds over tables of an existing product; or none.',
    { fallback: collections },
  ),
  SERVICE_API_USERNAME: setting(
    text,
    "Account of the service's own user; must exist in tUserSettings (vServiceUsers).",
  ),
  BIND_USERS: setting(
    flag,
    'Whether a user of the records is bound to the account (oid) of their first sign-in; other accounts with their e-mail address are then refused.',
    { fallback: false },
  ),
} as const;

/** Every variable, by name. Names with `__` are sections of the deployment contract (`AppRegistration`). */
export const variables = {
  ...recordsVariables,
  APIS: setting(apis, 'APIs that the app serves: records, calendar, or both, separated by commas.', {
    fallback: apiNames,
  }),
  SERVICE_API_BASE_URL: setting(
    path,
    'Base path of the service, for example /api; / for none. Nothing else names it: the route prefix of host.json is empty.',
  ),
  PUBLIC_BASE_URL: setting(
    url,
    'Public URL of the base path, for links in replies, for example https://api.example.org/api; without it links take the URL of the request.',
    { fallback: '', isLenient: true },
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
  HTTP_STREAMING: setting(
    flag,
    "Whether bodies are streamed through the host instead of buffered by it; a request header beyond ASCII then hangs until the function's time-out.",
    { fallback: false, isLenient: true },
  ),
  PAGES: setting(
    flag,
    'Whether people find pages: the start page, the calendar and its events, and objects with their custom data.',
    { fallback: true, isLenient: true },
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
