/** The environment, read once and typed: every variable that the service knows stands in this one table. */

import { CodedError } from './errors.ts';

interface Variable<T> {
  readonly description: string;
  readonly parse: (text: string) => T;
  /** The value when the variable is not set; without one the variable is required. */
  readonly fallback?: T;
  /** Code of the error when the value is missing or unusable. */
  readonly problem: string;
}

type Options<T> = { readonly fallback?: T; readonly problem?: string };

function variable<T>(parse: (text: string) => T) {
  return (description: string, options: Options<T> = {}): Variable<T> => ({
    description,
    parse,
    problem: 'configuration',
    ...options,
  });
}

const text = variable((value) => value);

const flag = variable((value) => {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new TypeError('must be true or false');
});

const wholeNumber = variable((value) => {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new TypeError('must be a whole number');
});

const count = variable((value) => {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new TypeError('must be a whole number above 0');
});

const guid = variable((value) => {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return value;
  throw new TypeError('must be a GUID');
});

const address = variable((value) => {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('must be an absolute http(s) address');
  return value.replace(/\/+$/, '');
});

const list = variable((value) => value.split(/[\s,]+/).filter((item) => item !== ''));

const database = { problem: 'database-connection' };

/** Every variable, by name. Names with `__` are sections of the deployment contract (`AppRegistration`). */
export const variables = {
  DB_SERVER: text('Database server of the main database: host, host,port or host\\instance.', database),
  DB_TRUSTED_CONNECTION: flag(
    'true: sign in to the database with the managed identity; false: with DB_USER and DB_PASSWORD.',
    database,
  ),
  DB_USER: text('Database login name; required when DB_TRUSTED_CONNECTION is false.', {
    ...database,
    fallback: '',
  }),
  DB_PASSWORD: text('Database login password; required when DB_TRUSTED_CONNECTION is false.', {
    ...database,
    fallback: '',
  }),
  DB_NAME: text('Name of the main database.', { ...database, fallback: 'records' }),
  DB_CUSTOMIZATION_NAME: text('Name of the customization database; may be the same as DB_NAME.', {
    ...database,
    fallback: 'customization',
  }),
  DB_ENCRYPT: flag('Encrypt the connection to the database (TDS over TLS).', { ...database, fallback: true }),
  DB_TRUST_SERVER_CERTIFICATE: flag('Accept a database certificate that no known authority has signed.', {
    ...database,
    fallback: false,
  }),
  DB_POOL_MAX: count('Connections per database and instance, at most.', { ...database, fallback: 10 }),
  SERVICE_API_USERNAME: text("Account of the service's own user; must exist in tUserSettings."),
  SERVICE_API_BASE_URL: text(
    'Base path of the service; must equal the route prefix of host.json, for example /api.',
  ),
  PUBLIC_BASE_URL: address(
    'Public address of the base path, for links in replies, for example https://api.example.org/api; without it links take the address of the request.',
    { fallback: '' },
  ),
  AppRegistration__ClientId: text('Client id of the API in Entra ID: the audience of its tokens.'),
  AppRegistration__ClientSecret: text('Accepted for compatibility; validating tokens needs no secret.', {
    fallback: '',
  }),
  AppRegistration__TenantId: guid('Tenant id (GUID) whose tokens are accepted.'),
  AppRegistration__Authority: address(
    "The identity provider's tenant address, with the tenant id in its path.",
  ),
  AppRegistration__EmailClaim: text('Claim that holds the e-mail address of a user.', { fallback: 'email' }),
  AppRegistration__Audiences: list('Further accepted audiences, separated by commas.', {
    fallback: [] as string[],
  }),
  AZURE_CLIENT_ID: text(
    'Client id of the user-assigned managed identity; without it the system-assigned one is used.',
    { fallback: '' },
  ),
  CALENDAR_TABLE_CONNECTION_STRING: text(
    'Connection string of the table storage (local runs); without it CALENDAR_TABLE_ENDPOINT is used.',
    { fallback: '' },
  ),
  CALENDAR_TABLE_ENDPOINT: address('Address of the table service, reached with the managed identity.', {
    fallback: '',
  }),
  CALENDAR_TABLE_NAME: text('Name of the table.', { fallback: 'calendar' }),
  CALENDAR_NAME: text('Name of the calendar: its partition in the table.', { fallback: 'default' }),
  CALENDAR_BASE_PATH: text('Path of the calendar API below the base path.', { fallback: 'tribe/events/v1' }),
  CALENDAR_SITE_URL: address(
    'Address of the site that owns the calendar; pages and global ids are named after it.',
  ),
  CALENDAR_TIME_ZONE: text('IANA time zone of the calendar.', { fallback: 'UTC' }),
  CALENDAR_STALE_IF_ERROR: wholeNumber(
    'Seconds for which reads are answered from memory while the table storage is unreachable.',
    { fallback: 300 },
  ),
} as const;

type Variables = typeof variables;

/** The settings by variable name. Reading one that is missing or unusable throws an error that names it. */
export type Config = {
  readonly [Name in keyof Variables]: Variables[Name] extends Variable<infer T> ? T : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from an environment. Each is read and checked when it is first used, so that one that is wrong stops only what needs it, and is kept from then on: requests read settings too. */
export function readConfig(environment: Environment): Config {
  const config = {};
  for (const [name, definition] of Object.entries(variables)) {
    Object.defineProperty(config, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = setting(name, definition, environment[name]);
        Object.defineProperty(config, name, { enumerable: true, value });
        return value;
      },
    });
  }
  return config as Config;
}

function setting(
  name: string,
  { parse, fallback, problem }: Variable<unknown>,
  value: string | undefined,
): unknown {
  if (value === undefined || value === '') {
    if (fallback !== undefined) return fallback;
    throw new CodedError('misconfigured', problem, `The setting ${name} is missing.`, {
      facts: { setting: name },
    });
  }
  try {
    return parse(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('misconfigured', problem, `The setting ${name} is not usable: it ${reason}.`, {
      cause,
      facts: { setting: name },
    });
  }
}
