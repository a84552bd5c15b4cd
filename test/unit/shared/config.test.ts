import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { apiNames } from '../../../shared/config/parsers.ts';
import { variables } from '../../../shared/config/variables.ts';
import { readConfig, settingErrors } from '../../../shared/config.ts';

const names = Object.keys(variables) as (keyof typeof variables)[];

describe('readConfig()', () => {
  const upperGuid = 'ABCDEF00-2222-4333-8444-555555555555';
  const roots = [
    { path: 'a/b', url: '' },
    { path: 'c', url: 'https://www.example.org/c' },
  ];
  const links = [
    { text: { text: 'About us', others: { da: 'Om os' } }, href: 'https://a.example.org/?b=c' },
    { text: { text: 'Mail', others: {} }, href: 'mailto:a@example.org' },
  ];
  const tiles = { url: 'https://t.example.org/{z}/{x}/{y}.png', attribution: '© Maps' };
  const origins = ['*', 'https://app.example.org', 'http://localhost:1'];

  test('does not look at a setting before it is used', () => {
    expect(() => readConfig({})).not.toThrow();
  });

  test('does not take a mistake in a parser for one in the setting', () => {
    const parse = vi.spyOn(variables.DB_SERVER, 'parse').mockImplementation(() => {
      throw new RangeError('It is ours.');
    });
    onTestFinished(() => parse.mockRestore());
    expect(() => readConfig({ DB_SERVER: 'db' }).DB_SERVER).toThrow(new RangeError('It is ours.'));
  });

  test('names a setting that is missing or empty', () => {
    for (const [name, code] of [
      ['DB_SERVER', 'database-connection'],
      ['DB_TRUSTED_CONNECTION', 'database-connection'],
      ['SERVICE_API_USERNAME', 'configuration'],
      ['AppRegistration__TenantId', 'configuration'],
    ] as const) {
      for (const environment of [{}, { [name]: '' }]) {
        expect(() => readConfig(environment)[name], name).toThrow(
          expect.objectContaining({
            kind: 'misconfigured',
            code,
            message: `The setting ${name} is missing.`,
            facts: { setting: name },
          }),
        );
      }
    }
  });

  test('reads the settings', () => {
    const rows = [
      ['DB_TRUSTED_CONNECTION', 'TRUE', true],
      ['DB_TRUSTED_CONNECTION', 'false', false],
      ['DB_POOL_MAX', '25', 25],
      ['CALENDAR_TIME_ZONE', 'Europe/Copenhagen', 'Europe/Copenhagen'],
      ['CALENDAR_TIME_ZONE', 'UTC+5:30', 'UTC+5:30'],
      [
        'CALENDAR_TABLE_ENDPOINT',
        'https://data.table.core.windows.net/',
        'https://data.table.core.windows.net',
      ],
      ['CALENDAR_NAME', 'æøå 1', 'æøå 1'],
      ['DB_SERVER', 'host\\instance', 'host\\instance'],
      ['AppRegistration__Audiences', 'api://a, api://b', ['api://a', 'api://b']],
      ['OBJECT_TYPES', 'deeds=14, documents=0', { deeds: 14, documents: 0 }],
      ['OBJECT_METADATA', 'diaries,journalized-cases', ['diaries', 'journalized-cases']],
      ['OBJECT_METADATA', 'none', []],
      ['OBJECT_METADATA', 'diaries=view, deeds', ['diaries=view', 'deeds']],
      ['APIS', 'calendar, records', ['records', 'calendar']],
      ['APIS', 'calendar', ['calendar']],
      ['PUBLIC_BASE_URL', 'https://api.example.org/api/', 'https://api.example.org/api'],
      ['SERVICE_API_BASE_URL', '/svc/v1/', 'svc/v1'],
      ...(['api', '/api', '/api/', 'api/'] as const).map(
        (text) => ['SERVICE_API_BASE_URL', text, 'api'] as const,
      ),
      ['SERVICE_API_BASE_URL', '/', ''],
      ['CALENDAR_BASE_PATH', 'my_events/v1.0', 'my_events/v1.0'],
      ['SERVICE_API_BASE_URL', `//${'x'.repeat(40)}//`, 'x'.repeat(40)],
      ['SERVICE_API_BASE_URL', 'administration/~admin/-a', 'administration/~admin/-a'],
      ['DB_POOL_MAX', '123456789', 123_456_789],
      ['CALENDAR_STALE_IF_ERROR', '123456789', 123_456_789],
      ['CALENDAR_READ_STALENESS_MS', '0', 0],
      ['CALENDAR_READ_STALENESS_MS', '1000', 1_000],
      ['CALENDAR_HISTORY_DAYS', '0', 0],
      ['CALENDAR_AUTHOR_NAME_DAYS', '3650', 3_650],
      ['LOG_LEVEL', ' Debug ', 'debug'],
      ['AppRegistration__TenantId', upperGuid, upperGuid.toLowerCase()],
      ['PUBLIC_BASE_URL', 'HTTP://api.example.org//', 'HTTP://api.example.org'],
      ['CALENDAR_SITE_ROOTS', ' None ', []],
      ['CALENDAR_SITE_ROOTS', '/a/b/ https://www.example.org/c/', roots],
      ['CORS_ORIGINS', '*,https://App.example.org http://localhost:1', origins],
      ['CALENDAR_TABLE_NAME', 'Ab1', 'Ab1'],
      ['CALENDAR_TABLE_NAME', `a${'1'.repeat(62)}`, `a${'1'.repeat(62)}`],
      ['CALENDAR_NAME', 'a'.repeat(512), 'a'.repeat(512)],
      ...(['a-1', `a${'1'.repeat(62)}`] as const).map(
        (name) => ['CALENDAR_BLOB_CONTAINER', name, name] as const,
      ),
      ['SITE_COLOR', '#0B57A4', '0b57a4'],
      ['SITE_COLOR', '#05a', '0055aa'],
      ['SITE_HOME', 'Mail=mailto:a@example.org', links[1]],
      [
        'SITE_ADDRESS',
        'Torvet 1; Havneby | sv: Torget 1',
        { text: 'Torvet 1; Havneby', others: { sv: 'Torget 1' } },
      ],
      [
        'SITE_PRIVACY',
        'https://a.example.org/|en:https://a.example.org/en/',
        { text: 'https://a.example.org', others: { en: 'https://a.example.org/en' } },
      ],
      ['SITE_LINKS', ' About us | da: Om os=https://a.example.org/?b=c, Mail=mailto:a@example.org,', links],
      ['MAP_TILES', 'https://t.example.org/{z}/{x}/{y}.png  © Maps', tiles],
      ...(['utc', 'UTC+9', 'UTC-13:59', 'UTC+05:30', 'UTC+14', 'UTC-14:00', 'eet'] as const).map(
        (zone) => ['CALENDAR_TIME_ZONE', zone, zone] as const,
      ),
    ] as const;
    expect(rows.map(([name, text]) => [name, text, readConfig({ [name]: text })[name]])).toEqual(rows);
  });

  test('refuses other texts and does not repeat the value', () => {
    for (const [name, reason, texts] of [
      ['DB_TRUSTED_CONNECTION', 'must be true or false', ['yes']],
      ['DB_ENCRYPT', 'must be true or false', ['xtrue', 'falsex']],
      ['DB_POOL_MAX', 'must be a whole number above 0', ['-1', '01', 'x1', '1x', '1234567890', '0', '1e3']],
      ['CALENDAR_STALE_IF_ERROR', 'must be a whole number', ['-1', 'x1', '1x', '1234567890', '1.5']],
      ['CALENDAR_READ_STALENESS_MS', 'must be a whole number from 0 to 1000', ['-1', '1001', '1x', '0.5']],
      ['CALENDAR_HISTORY_DAYS', 'must be a whole number from 0 to 3650', ['-1', '3651', 'never']],
      ['CALENDAR_AUTHOR_NAME_DAYS', 'must be a whole number from 0 to 3650', ['-1', '3651', '1.5']],
      [
        'AppRegistration__TenantId',
        'must be a GUID',
        [`x${upperGuid}`, `${upperGuid}x`, `0${upperGuid}`, `${upperGuid}0`, 'example.onmicrosoft.com'],
      ],
      ['AppRegistration__Authority', 'must be an absolute http(s) URL', ['file:///etc']],
      ['LOG_LEVEL', 'must be one of debug, information, error', ['loud']],
      [
        'OBJECT_METADATA',
        'must be none, or some of diaries, journalized-cases, deeds, documents, each alone or with =view, separated by commas',
        ['cases', 'deeds=table', 'deeds,deeds', 'deeds,deeds=view', 'none,deeds'],
      ],
      [
        'OBJECT_TYPES',
        'must give a number of its own to some of diaries, journalized-cases, deeds, documents, such as diaries=2,journalized-cases=3',
        [
          'deeds',
          'deeds=',
          'deeds=x',
          'cases=1',
          'deeds=1,deeds=2',
          'deeds=1,diaries=1',
          'deeds=-1',
          '1deeds=1',
          'deeds=1x',
          'deeds=1234567890',
        ],
      ],
      [
        'APIS',
        'must be one or more of records, calendar, separated by commas',
        ['none', 'mail', 'records,mail', ','],
      ],
      [
        'SERVICE_API_BASE_URL',
        'must be a path such as /api, of letters, digits, "-", "." and "_", with 40 characters at most',
        [
          '/a b',
          '/{id}',
          '//a//b',
          '/a//b',
          '/a/../b',
          '/../x',
          'https://example.org/api',
          `/${'x'.repeat(41)}`,
          '/.a/b',
          '/a/b c',
        ],
      ],
      [
        'SERVICE_API_BASE_URL',
        'must not begin with admin or runtime, which the host keeps for itself',
        ['/admin', 'ADMIN', 'Runtime/x', '/runtime/x'],
      ],
      [
        'PUBLIC_BASE_URL',
        'must be an absolute http(s) URL',
        ['example.org', 'xhttps://example.org', 'ftp://example.org'],
      ],
      [
        'CORS_ORIGINS',
        'must be origins such as https://app.example.org, without a path, or *',
        ['https://example.org/', 'https://example.org/a', 'example.org', '**'],
      ],
      [
        'CALENDAR_SITE_ROOTS',
        'must be paths such as wp-json/tribe/events/v1, or their URLs',
        ['/', 'https://www.example.org/', 'none,/'],
      ],
      [
        'CALENDAR_TIME_ZONE',
        'must be an IANA time zone, such as Europe/Copenhagen',
        [
          'Europe/Nowhere',
          'UTC+1:60',
          'UTC+14:01',
          'xUTC',
          'UTC+2x',
          'UTC+5:3',
          'UTC+005',
          'UTC+15',
          '+02:00',
          '../UTC',
        ],
      ],
      [
        'CALENDAR_TABLE_NAME',
        'must be 3 to 63 letters and digits, and start with a letter',
        ['no-hyphens', 'ab', '1abc', 'abc-', `a${'1'.repeat(63)}`],
      ],
      [
        'CALENDAR_NAME',
        'must be 1 to 512 characters, without / \\ # ? % and control characters',
        ['a/b', '\\', 'a#', '?', '%41', '\n', '\u0085', 'a'.repeat(513)],
      ],
      [
        'CALENDAR_BLOB_CONTAINER',
        'must be 3 to 63 lower-case letters, digits and single hyphens',
        ['ab', 'Abc', '-ab', 'ab-', 'a--b', `a${'1'.repeat(63)}`],
      ],
      ['SITE_COLOR', 'must be a colour such as #0b57a4', ['blue', '#12', '#12345', '#0b57a4;}']],
      ['SITE_LOGO', 'must be an absolute http(s) URL', ['logo.svg', 'data:image/png;base64,AA']],
      [
        'SITE_HOME',
        'must be one link, such as Havneby=https://www.example.org',
        [',', 'A=https://a.example.org,B=https://b.example.org'],
      ],
      [
        'SITE_ADDRESS',
        'must be a text, and those of other languages (en, da, sv) behind bars: About us|da:Om os',
        ['Torvet|', 'Torvet|de:Markt', 'Torvet|da:'],
      ],
      [
        'SITE_ACCESSIBILITY',
        'must be an absolute http(s) URL',
        ['/accessibility', 'https://a.example.org|da:/tilgaengelighed'],
      ],
      [
        'SITE_LINKS',
        'must be links such as Contact=https://www.example.org/contact, separated by commas; addresses begin with http, mailto or tel',
        ['About us', '=https://a.example.org', 'A=javascript:alert(1)', 'A=/about'],
      ],
      [
        'MAP_TILES',
        'must be a URL with {z}, {x} and {y}, such as https://tile.example.org/{z}/{x}/{y}.png, then the attribution',
        ['https://t.example.org/{z}/{x}', 'tile/{z}/{x}/{y}'],
      ],
    ] as const) {
      for (const text of texts)
        expect(
          settingErrors({ [name]: text }, apiNames).filter(
            ({ facts }) => 'setting' in facts && facts.setting === name,
          ),
          `${name}=${text}`,
        ).toMatchObject([{ message: `The setting ${name} is not usable: it ${reason}.` }]);
    }
  });
});

describe.each([
  ['Table', 'CALENDAR_TABLE_CONNECTION_STRING'],
  ['Blob', 'CALENDAR_BLOB_CONNECTION_STRING'],
] as const)('the connection string of the service %s', (service, name) => {
  const account = 'DefaultEndpointsProtocol=https;AccountName=data;AccountKey=a2V5';
  const other = service === 'Table' ? 'Blob' : 'Table';
  const read = (text: string) => readConfig({ [name]: text })[name];

  test('is one that the client of the service takes', () => {
    for (const text of [
      'UseDevelopmentStorage=true',
      `${account};EndpointSuffix=core.windows.net`,
      `${account};${service}Endpoint=http://127.0.0.1:10002/data;`,
      `${service}Endpoint=https://data.core.windows.net;SharedAccessSignature=sv=2019&sig=x%3D`,
      'defaultendpointsprotocol=HTTP; accountname= data ;accountkey=a2V5 ; endpointsuffix=core.windows.net',
      ' usedevelopmentstorage=true ',
    ]) {
      expect(read(text)).toBe(text);
    }
  });

  test('is otherwise refused without being repeated', () => {
    for (const text of [
      'secret',
      'UseDevelopmentStorage=false',
      account,
      'AccountName=data;AccountKey=a2V5;EndpointSuffix=core.windows.net',
      'DefaultEndpointsProtocol=https;AccountName=data;EndpointSuffix=core.windows.net',
      ...['xhttp', 'httpx'].map(
        (protocol) =>
          `DefaultEndpointsProtocol=${protocol};AccountName=data;AccountKey=a2V5;EndpointSuffix=core.windows.net`,
      ),
      `${service}Endpoint=nowhere;SharedAccessSignature=sv=2019`,
      'DefaultEndpointsProtocol=ftp;AccountName=data;AccountKey=a2V5;EndpointSuffix=core.windows.net',
      'DefaultEndpointsProtocol=https;AccountName=data;AccountKey=;EndpointSuffix=core.windows.net',
      `${account};${service}Endpoint=nowhere`,
      `${service}Endpoint=https://data.core.windows.net`,
      `${other}Endpoint=https://data.core.windows.net;SharedAccessSignature=sv=2019`,
      'SharedAccessSignature=sv=2019',
    ]) {
      expect(() => read(text), text).toThrow(
        expect.objectContaining({
          code: 'configuration',
          facts: { setting: name },
          message: `The setting ${name} is not usable: it must be a connection string of an Azure Storage account or of its ${service.toLowerCase()} service.`,
        }),
      );
    }
  });
});

describe('a setting that is not there', () => {
  const required = (problem: string) => ({ problem });
  const written: Record<(typeof names)[number], unknown> = {
    DB_SERVER: required('database-connection'),
    DB_TRUSTED_CONNECTION: required('database-connection'),
    DB_USER: '',
    DB_PASSWORD: '',
    DB_NAME: 'records',
    DB_CUSTOMIZATION_NAME: 'customization',
    DB_ENCRYPT: true,
    DB_TRUST_SERVER_CERTIFICATE: false,
    DB_POOL_MAX: 10,
    HTTP_STREAMING: false,
    OBJECT_TYPES: { diaries: 2, 'journalized-cases': 3, deeds: 4, documents: 5 },
    OBJECT_METADATA: ['diaries', 'journalized-cases', 'deeds', 'documents'],
    APIS: ['records', 'calendar'],
    SERVICE_API_USERNAME: required('configuration'),
    SERVICE_API_BASE_URL: required('configuration'),
    PUBLIC_BASE_URL: '',
    TRUST_FORWARDED_HEADERS: false,
    AppRegistration__ClientId: required('configuration'),
    AppRegistration__ClientSecret: '',
    AppRegistration__TenantId: required('configuration'),
    AppRegistration__Authority: required('configuration'),
    AppRegistration__EmailClaim: 'email',
    AppRegistration__Audiences: [],
    BODY_BYTES_IN_FLIGHT: 0,
    CORS_ORIGINS: [],
    REQUIRE_SCOPE: true,
    BIND_USERS: false,
    AzureFunctionsJobHost__telemetryMode: 'applicationInsights',
    APPLICATIONINSIGHTS_CONNECTION_STRING: '',
    OTEL_EXPORTER_OTLP_ENDPOINT: '',
    LOG_LEVEL: 'information',
    LOG_FORMAT: 'json',
    SERVER_TIMING: false,
    SHOW_SOURCE_ERRORS: false,
    PAGES: true,
    SIGN_IN_HINTS: [],
    AZURE_CLIENT_ID: '',
    CALENDAR_TABLE_CONNECTION_STRING: '',
    CALENDAR_TABLE_ENDPOINT: '',
    CALENDAR_TABLE_NAME: 'calendar',
    CALENDAR_BLOB_CONNECTION_STRING: '',
    CALENDAR_BLOB_ENDPOINT: '',
    CALENDAR_BLOB_CONTAINER: 'pictures',
    CALENDAR_NAME: 'default',
    CALENDAR_BASE_PATH: 'tribe/events/v1',
    CALENDAR_SITE_ROOTS: [{ path: 'wp-json/tribe/events/v1', url: '' }],
    CALENDAR_BASIC: false,
    CALENDAR_SITE_URL: '',
    CALENDAR_TIME_ZONE: 'UTC',
    CALENDAR_LANGUAGE: 'en',
    CALENDAR_CURRENCY: '',
    CALENDAR_STALE_IF_ERROR: 300,
    CALENDAR_READ_STALENESS_MS: 100,
    CALENDAR_SNAPSHOT_AFTER: 2_000,
    CALENDAR_HISTORY_DAYS: 365,
    CALENDAR_AUTHOR_NAME_DAYS: 365,
    SITE_NAME: '',
    SITE_COLOR: '0b57a4',
    SITE_LOGO: '',
    SITE_IMAGE: '',
    SITE_HOME: { text: { text: '', others: {} }, href: '' },
    SITE_ADDRESS: { text: '', others: {} },
    SITE_CONTACT: [],
    SITE_ACCESSIBILITY: { text: '', others: {} },
    SITE_PRIVACY: { text: '', others: {} },
    SITE_LINKS: [],
    EMBED_ORIGINS: [],
    MAP_TILES: { url: '', attribution: '' },
  };

  /** Returns the value of a setting, or the code of the problem that it is. */
  function readOne(name: (typeof names)[number], text?: string): unknown {
    try {
      return readConfig({ [name]: text })[name];
    } catch (error) {
      return { problem: (error as { code: string }).code };
    }
  }

  test('has its default, or is required', () => {
    for (const [name, expected] of Object.entries(written) as [(typeof names)[number], unknown][]) {
      expect(readOne(name), name).toEqual(expected);
      expect(readOne(name, ''), name).toEqual(expected);
    }
  });
});

test('a setting of the databases is a problem of their connection, any other one of the configuration', () => {
  const codeOf = (name: string) => (name.startsWith('DB_') ? 'database-connection' : 'configuration');
  expect(names.map((name) => [name, variables[name].code])).toEqual(
    names.map((name) => [name, codeOf(name)]),
  );
});

describe('local.settings.json.example', () => {
  const { Values } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../local.settings.json.example'), 'utf8'),
  ) as {
    Values: Record<string, string>;
  };
  const ofTheHost = ['FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsStorage', 'FUNCTIONS_REQUEST_BODY_SIZE_LIMIT'];

  test('names every setting and no other', () => {
    expect(Object.keys(Values).toSorted()).toEqual([...names, ...ofTheHost].toSorted());
  });

  test('has a usable value for each setting', () => {
    for (const name of names) {
      expect(() => readConfig(Values)[name], name).not.toThrow();
    }
  });
});
