import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManagedIdentityCredential } from '@azure/identity';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { commandLine, ToolFailure } from '../../../../infra/deploy/context.ts';
import {
  defaultStack,
  type Environment,
  environmentsOfWorkflows,
  readEnvironment,
  stackNames,
} from '../../../../infra/deploy/environments.ts';
import { withIdentityEndpoint } from '../../../../infra/deploy/identity-endpoint.ts';
import { readOptions, UsageError } from '../../../../infra/deploy/options.ts';
import { needOutput, parseOutputs } from '../../../../infra/deploy/outputs.ts';
import { keepPackage } from '../../../../infra/deploy/packages.ts';
import { readParameters } from '../../../../infra/deploy/parameters.ts';
import { retry } from '../../../../infra/deploy/retry.ts';
import { windowsCommandLine } from '../../../../infra/deploy/tools.ts';
import { newFolder } from '../../../support/temporary-folder.ts';
import { recordingContext } from './recording-context.ts';

const fileOfTown: Environment = {
  profile: 'small',
  stack: stackNames.at(-1) ?? 'bicep',
  location: 'West Europe',
  subscription: 'sub-1',
  values: { alertEmails: ['a@example.org'], serviceApiUsername: 'service', customDomain: { name: 'a.b.c' } },
  entraValues: { redirectUris: [] },
};

describe('readOptions()', () => {
  test('takes a trial from the command line, with its region in one spelling', () => {
    const read = readOptions(
      ['all', '-e', 'dev', '--set', 'calendarSiteUrl=https://a=b', '--set', 'location=West Europe'],
      { AZURE_LOCATION: 'northeurope' },
      {},
    );
    expect(read?.options).toMatchObject({
      hasFile: false,
      stack: defaultStack,
      values: { location: 'westeurope', calendarSiteUrl: 'https://a=b' },
    });
  });

  test('chooses the profile of a trial by the name of the environment, else dev', () => {
    const profile = (...words: string[]) => readOptions(['all', ...words], {}, {})?.options.profile;
    expect([
      profile('-e', 'prod'),
      profile('-e', 'test'),
      profile('-e', 'test', '--profile', 'prod'),
    ]).toEqual(['prod', 'dev', 'prod']);
  });

  const read = (...words: string[]) => readOptions(words, {}, { town: fileOfTown })?.options;

  test('takes an environment from its file', () => {
    expect(read('all', '-e', 'town')).toMatchObject({
      hasFile: true,
      profile: 'small',
      stack: fileOfTown.stack,
      subscription: 'sub-1',
      values: {
        location: 'westeurope',
        alertEmails: '["a@example.org"]',
        serviceApiUsername: 'service',
        customDomain: '{"name":"a.b.c"}',
      },
      entraValues: { redirectUris: '[]' },
    });
  });

  test.each<[words: string[], both: RegExp]>([
    ...(stackNames.length === 2
      ? [[['--stack', 'bicep'], /town.json says terraform; --stack is bicep/] as [string[], RegExp]]
      : []),
    [['--profile', 'prod'], /town.json says small; --profile is prod/],
    [['--set', 'location=North Europe'], /says westeurope; --set location is northeurope/],
    [['--set', 'serviceApiUsername=other'], /says service; --set serviceApiUsername is other/],
    [['--set', 'alertEmails=[]'], /says \["a@example.org"\]; --set alertEmails is \[\]/],
    [['--set', 'greenApp=true'], /says false; --set greenApp is true/],
    [['--set', 'apiClientId=api'], /says nothing of it; --set apiClientId is api/],
    [['--entra-set', 'redirectUris=["https://a"]'], /says \[\]; --entra-set redirectUris is/],
    [['--backend-config', 'other.hcl'], /says nothing of it; --backend-config is other.hcl/],
  ])('refuses %j, which the file says otherwise, with both values', (words, both) => {
    for (const step of ['all', 'provision', 'drift', 'teardown'])
      expect(() => read(step, '-e', 'town', ...words)).toThrow(both);
  });

  test('takes words that say the same as the file, and lets a preview try others', () => {
    const same = [
      ['--stack', fileOfTown.stack],
      ['--set', 'location=WestEurope'],
      ['--set', 'customDomain={ "name": "a.b.c" }'],
      ['--set', 'greenApp=false'],
    ];
    expect(read('all', '-e', 'town', ...same.flat())).toMatchObject({ hasFile: true });
    expect(read('preview', '-e', 'town', '--set', 'greenApp=true')?.values).toMatchObject({
      location: 'westeurope',
      greenApp: 'true',
    });
  });

  test('refuses in a workflow an environment without a file', () => {
    const workflow = (name: string) =>
      readOptions(['all', '-e', name], { GITHUB_ACTIONS: 'true' }, { town: fileOfTown });
    expect(workflow('town')?.options.profile).toBe('small');
    expect(() => workflow('dev')).toThrow(/there is no infra\/environments\/dev.json/);
  });

  test.each<[words: string[], message: RegExp]>([
    [['all'], /--environment must be/],
    [['all', '-e', 'much-too-long'], /--environment must be/],
    [
      ['all', '-e', 'dev', '--stack', 'azd'],
      new RegExp(`--stack must be one of ${stackNames.join(', ')}, not "azd"`),
    ],
    [['all', '-e', 'dev', '--color', 'red'], /--color must be one of/],
    [['all', '-e', 'dev', '--set', 'x'], /"x" must be written name=value/],
    [['all', '-e', 'dev', '--profile', 'qa'], /There is no profile qa/],
    [['all', '-e', 'dev', '--first-user', 'me'], /--first-user must be an e-mail address/],
    [['all', 'smoke', '-e', 'dev'], /one step at a time/],
  ])('refuses %j', (words, message) => {
    expect(() => readOptions(words, {}, {})).toThrow(UsageError);
    expect(() => readOptions(words, {}, {})).toThrow(message);
  });
});

const ofStack = `"stack":"${defaultStack}"`;

test.each<[json: string, refused: RegExp]>([
  ['{', /town.json: it must be an object in JSON/],
  ['[]', /it must be an object in JSON/],
  [`{"profile":"small",${ofStack}}`, /location must be a text/],
  [`{"profile":"qa",${ofStack},"location":"x"}`, /there is no profile qa/],
  [
    '{"profile":"small","stack":"azd","location":"x"}',
    new RegExp(`stack must be one of ${stackNames.join(', ')}, not "azd"`),
  ],
  [`{"profile":"small",${ofStack},"location":"x","value":{}}`, /there is no value; there are profile/],
  [`{"profile":"small",${ofStack},"location":"x","values":[]}`, /values must be an object/],
  [
    `{"profile":"small",${ofStack},"location":"x","values":{"location":"y"}}`,
    /location is none of the values/,
  ],
  [`{"profile":"small",${ofStack},"location":"x","runsOn":5}`, /runsOn must be a text/],
  [
    `{"profile":"small",${ofStack},"location":"x","values":{"serviceApiUsername":null}}`,
    /serviceApiUsername must have a value/,
  ],
  [
    `{"profile":"small",${ofStack},"location":"x","entraValues":{"redirectUris":null}}`,
    /redirectUris must have a value/,
  ],
  [
    `{"profile":"small",${ofStack},"location":"x","values":{"calendarSiteUrl":["https://a"]}}`,
    /calendarSiteUrl must be a text/,
  ],
])('the file of an environment %s is refused', (json, refused) => {
  expect(() => readEnvironment('town', json)).toThrow(UsageError);
  expect(() => readEnvironment('town', json)).toThrow(refused);
});

test('a file of a production has a profile of one, and a name that everything takes', () => {
  const json = (profile: string, more = '') => `{"profile":"${profile}",${ofStack},"location":"x"${more}}`;
  expect(() => readEnvironment('prod', json('dev'))).toThrow(/prod.json: .*the profile dev is none/);
  expect(readEnvironment('prod', json('dev', ',"values":{"production":true}')).profile).toBe('dev');
  expect(() => readEnvironment('my-prod', json('dev'))).toThrow(/2 to 10 small letters and digits/);
});

test('environmentsOfWorkflows() gives each its stack and machine, and those in which a parameter is true', () => {
  const of = (profile: string, more: Partial<Environment> = {}): Environment => ({
    profile,
    stack: 'bicep',
    location: 'westeurope',
    values: {},
    entraValues: {},
    ...more,
  });
  const environments = {
    dev: of('dev'),
    town: of('small', { runsOn: 'ours', stack: 'terraform' }),
    prod: of('prod', { values: { runner: { repository: 'owner/name' } } }),
    quiet: of('small', { values: { calendarBackup: false } }),
    sandbox: of('small'),
  };
  const anywhere = 'ubuntu-24.04';
  expect(environmentsOfWorkflows(environments)).toEqual([
    { name: 'dev', stack: 'bicep', runner: anywhere },
    { name: 'town', stack: 'terraform', runner: 'ours' },
    { name: 'prod', stack: 'bicep', runner: 'inside-prod' },
    { name: 'quiet', stack: 'bicep', runner: anywhere },
  ]);
  const withBackup = environmentsOfWorkflows(environments, 'calendarBackup');
  expect(withBackup.map(({ name }) => name)).toEqual(['town', 'prod']);
});

test.each([
  ['--set=a@b%c+d:e,f./g', '--set=a@b%c+d:e,f./g'],
  ['Database Admins', "'Database Admins'"],
  ['', "''"],
  ["it's", "'it'\\''s'"],
  ['$HOME', "'$HOME'"],
])('commandLine() writes %j as %s', (word, written) => {
  expect(commandLine('az', ['--x', word])).toBe(`az --x ${written}`);
});

test('windowsCommandLine() keeps words together, and quotes within them', () => {
  expect(windowsCommandLine('az', ['--set', 'login=Database Admins', '["a"]', '[].id', 'C:\\x-y'])).toBe(
    'az --set "login=Database Admins" "[""a""]" "[].id" C:\\x-y',
  );
});

describe('parseOutputs()', () => {
  test.each([
    ['Resource Manager, whatever the case', '{"dB_SERVER":{"type":"String","value":"s"}}'],
    ['Terraform', '{"DB_SERVER":{"sensitive":false,"type":"string","value":"s"}}'],
    ['the step outputs', '{"DB_SERVER":"s"}'],
  ])('reads outputs of %s', (_, text) => {
    expect(needOutput(parseOutputs(text), 'DB_SERVER')).toBe('s');
  });
});

describe('retry()', () => {
  test.each([
    'Status Code: 503, Details: Site Unavailable',
    'ERROR: (504) Gateway Timeout',
    'HTTP 403',
    'AuthorizationPermissionMismatch',
    'PrincipalNotFound',
    'ScopeLocked',
    'InUseSubnetCannotBeDeleted',
    'One or more of the queried reference-property objects are not present',
    'Request_ResourceNotFound',
  ])('tries again after what passes by itself: %s', async (output) => {
    const work = vi
      .fn()
      .mockRejectedValueOnce(new ToolFailure('az', 1, output))
      .mockResolvedValue('done');
    expect(await retry(recordingContext().context, 'push', work)).toBe('done');
  });

  test('gives up after the last try', async () => {
    const work = vi.fn().mockRejectedValue(new ToolFailure('az', 1, 'HTTP 403'));
    await expect(retry(recordingContext().context, 'push', work)).rejects.toThrow(ToolFailure);
    expect(work).toHaveBeenCalledTimes(3);
  });

  test.each([
    'InvalidTemplate: line 503',
    'BCP035: The specified "resource" declaration is missing a property',
    '(Forbidden) Ip Forbidden 403',
    '',
    'AuthorizationFailed',
    'RequestDisallowedByPolicy: 403',
  ])('does not repeat what will not pass: "%s"', async (output) => {
    const work = vi.fn().mockRejectedValue(new ToolFailure('az', 1, output));
    await expect(retry(recordingContext().context, 'push', work)).rejects.toThrow(ToolFailure);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test.each([
    '(ServiceLocked) The server is locked, try again later.',
    'StorageAccountOperationInProgress: An operation is currently performing on this storage account (409)',
    '(429) Too many requests.',
    '(InternalServerError) Encountered internal server error. Status 500',
    'The operation was timed out: GatewayTimeout',
    'Something that nobody has heard of.',
  ])('gives what nobody knows two more tries: %s', async (output) => {
    const work = vi.fn().mockRejectedValue(new ToolFailure('az', 1, output));
    const patient = recordingContext().context;
    const context = { ...patient, options: { ...patient.options, maxAttempts: 8 } };
    await expect(retry(context, 'records-dev', work)).rejects.toThrow(ToolFailure);
    expect(work).toHaveBeenCalledTimes(3);
  });

  test('waits while another deployment is at work, however long, and goes on', async () => {
    const active = new ToolFailure('az', 1, '(DeploymentActive) Unable to edit or replace deployment');
    const work = vi.fn();
    for (let round = 0; round < 20; round += 1) work.mockRejectedValueOnce(active);
    work.mockResolvedValue('done');
    const { context, said } = recordingContext();
    expect(await retry(context, 'records-dev', work)).toBe('done');
    expect(said).toEqual(['records-dev: another deployment is at work; waiting until it ends ...']);
  });
});

describe('withIdentityEndpoint()', () => {
  afterEach(() => vi.unstubAllEnvs());

  test('gives the token to @azure/identity', async () => {
    await withIdentityEndpoint('the-token', async (variables) => {
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
      const { token } = await new ManagedIdentityCredential().getToken(
        'https://database.windows.net/.default',
      );
      expect(token).toBe('the-token');
    });
  });

  test('gives nothing to who does not know the header', async () => {
    await withIdentityEndpoint('the-token', async ({ IDENTITY_ENDPOINT }) => {
      const response = await fetch(IDENTITY_ENDPOINT, { headers: { 'x-identity-header': 'guess' } });
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain('the-token');
    });
  });
});

test('the last five packages that were pushed are kept, by the time of their push', () => {
  const place = join(newFolder(), 'dev-blue');
  const file = join(newFolder(), 'app.zip');
  writeFileSync(file, 'zip');
  for (let minute = 0; minute < 7; minute += 1)
    keepPackage(place, file, new Date(Date.UTC(2026, 0, 1, 0, minute)));
  expect(readdirSync(place).sort()).toEqual(
    [2, 3, 4, 5, 6].map((minute) => `2026-01-01T00-0${minute}-00-000Z.zip`),
  );
});

describe('readParameters()', () => {
  const any = {
    description: '',
    default: undefined,
    allowed: undefined,
    least: Number.NEGATIVE_INFINITY,
    most: Number.POSITIVE_INFINITY,
    members: undefined,
  };
  const template = `
@sealed()
type places = {
  app: string?
  endpoints: string?
}

@description('What\\'s \\\\ said.')
@allowed([
  'en'
  'da'
])
param language string = 'en'

@minValue(-1)
@maxValue(
  100
)
param share int = -1
param origins string[] = [
  'https://one.example'
  '*'
]
param subnets places = {}
param clients { name: string, role: string }[]
param region string = deployment().location
`;

  test('takes what a template declares, on one line or on several', () => {
    expect(Object.fromEntries(readParameters(template))).toEqual({
      language: {
        ...any,
        type: 'string',
        description: "What's \\ said.",
        default: 'en',
        allowed: ['en', 'da'],
      },
      share: { ...any, type: 'int', default: -1, least: -1, most: 100 },
      origins: { ...any, type: 'string[]', default: ['https://one.example', '*'] },
      subnets: { ...any, type: 'places', default: {}, members: ['app', 'endpoints'] },
      clients: { ...any, type: '{ name: string, role: string }[]' },
      region: { ...any, type: 'string', default: 'deployment().location' },
    });
  });
});
