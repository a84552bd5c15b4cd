/** Apps that somebody changes by hand: what `drift` says, and what the next `provision` takes back. */

import { describe, expect, test } from 'vitest';
import { stackNames } from '../../../../infra/deploy/environments.ts';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import type { RememberedApp } from '../../../support/remembered-azure.ts';
import { made, quick, toolsOf, values } from './fixtures.ts';
import { begin } from './machines.ts';

/** A change, what `drift` says of it, and the stacks whose `provision` sets it back. */
interface Change {
  readonly by: (app: RememberedApp) => void;
  readonly says: string;
  readonly takenBackBy: readonly string[];
}

/** Without the registration of the app. */
const known = ['--set', 'apiClientId=api'];
const secret = 'a-secret-that-nobody-may-see';
const anotherIdentity =
  '/subscriptions/sub-1/resourceGroups/other/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id';
const office = { name: 'office', action: 'Allow', priority: 100, ipAddress: '198.51.100.0/24' };
const changes: Readonly<Record<string, Change>> = {
  'a setting': {
    by: ({ settings }) => {
      settings['DB_POOL_MAX'] = secret;
    },
    says: 'func-dev: the setting DB_POOL_MAX differs',
    takenBackBy: ['bicep'],
  },
  'a setting that is gone': {
    by: ({ settings }) => {
      delete settings['APIS'];
    },
    says: 'func-dev: the setting APIS is missing',
    takenBackBy: ['bicep'],
  },
  'a new setting': {
    by: ({ settings }) => {
      settings['LOG_LEVEL'] = secret;
    },
    says: 'func-dev: the setting LOG_LEVEL was added by hand',
    takenBackBy: ['bicep'],
  },
  TLS: {
    by: ({ siteConfig }) => {
      siteConfig['minTlsVersion'] = '1.0';
    },
    says: 'func-dev: properties.siteConfig.minTlsVersion is "1.0"; the templates say "1.2"',
    takenBackBy: ['bicep'],
  },
  CORS: {
    by: ({ siteConfig }) => {
      siteConfig['cors'] = { allowedOrigins: ['*'], supportCredentials: false };
    },
    says: 'func-dev: properties.siteConfig.cors.allowedOrigins is ["*"]; the templates say ["https://www.example.org"]',
    takenBackBy: ['bicep'],
  },
  'CORS that is gone': {
    by: ({ siteConfig }) => {
      siteConfig['cors'] = null;
    },
    says: 'func-dev: properties.siteConfig.cors.supportCredentials is null; the templates say false',
    takenBackBy: ['bicep'],
  },
  'who may push': {
    by: ({ siteConfig }) => {
      siteConfig['scmIpSecurityRestrictions'] = [office];
    },
    says: 'func-dev: properties.siteConfig.scmIpSecurityRestrictions is',
    takenBackBy: ['bicep'],
  },
  'who may push, by a rule more': {
    by: ({ siteConfig }) => {
      (siteConfig['scmIpSecurityRestrictions'] as object[]).push(office);
    },
    says: 'func-dev: properties.siteConfig.scmIpSecurityRestrictions is',
    takenBackBy: ['bicep'],
  },
  'who may push, by default': {
    by: ({ siteConfig }) => {
      siteConfig['scmIpSecurityRestrictionsDefaultAction'] = null;
    },
    says: 'func-dev: properties.siteConfig.scmIpSecurityRestrictionsDefaultAction is "Allow"; the templates say "Deny"',
    takenBackBy: ['bicep'],
  },
  'who may call': {
    by: ({ siteConfig }) => {
      siteConfig['ipSecurityRestrictions'] = [office];
    },
    says: 'func-dev: properties.siteConfig.ipSecurityRestrictions is',
    takenBackBy: [],
  },
  'who may call, by default': {
    by: ({ siteConfig }) => {
      siteConfig['ipSecurityRestrictionsDefaultAction'] = 'Deny';
    },
    says: 'func-dev: properties.siteConfig.ipSecurityRestrictionsDefaultAction is "Deny"; the templates say "Allow"',
    takenBackBy: [],
  },
  'a debugger': {
    by: ({ siteConfig }) => {
      siteConfig['remoteDebuggingEnabled'] = true;
    },
    says: 'func-dev: properties.siteConfig.remoteDebuggingEnabled is true; the templates say false',
    takenBackBy: [],
  },
  'certificates of callers': {
    by: ({ properties }) => {
      properties['clientCertEnabled'] = true;
    },
    says: 'func-dev: properties.clientCertEnabled is true; the templates say false',
    takenBackBy: [],
  },
  'a stop': {
    by: ({ properties }) => {
      properties['state'] = 'Stopped';
    },
    says: 'func-dev: properties.state is "Stopped"; the templates say "Running"',
    takenBackBy: [],
  },
  "App Service's own sign-in": {
    by: ({ signIn }) => {
      signIn.enabled = true;
    },
    says: 'func-dev: authsettingsV2.platform.enabled is true; the templates say false',
    takenBackBy: [],
  },
  'an identity more': {
    by: ({ identity }) => {
      identity.userAssignedIdentities = { ...identity.userAssignedIdentities, [anotherIdentity]: {} };
    },
    says: `func-dev: identity.userAssignedIdentities is ["${anotherIdentity}",`,
    takenBackBy: ['bicep', 'terraform'],
  },
  'an identity that is gone': {
    by: ({ identity }) => {
      identity.type = 'None';
      delete identity.userAssignedIdentities;
    },
    says: 'func-dev: identity.userAssignedIdentities is null; the templates say ["/subscriptions/',
    takenBackBy: ['bicep', 'terraform'],
  },
  'an identity of the system': {
    by: ({ identity }) => {
      identity.type = 'SystemAssigned, UserAssigned';
    },
    says: 'func-dev: identity.type is "SystemAssigned, UserAssigned"; the templates say "UserAssigned"',
    takenBackBy: ['bicep', 'terraform'],
  },
  'public access': {
    by: ({ properties }) => {
      properties['publicNetworkAccess'] = 'Disabled';
    },
    says: 'func-dev: properties.publicNetworkAccess is "Disabled"; the templates say "Enabled"',
    takenBackBy: ['bicep', 'terraform'],
  },
  'a network': {
    by: ({ properties }) => {
      properties['virtualNetworkSubnetId'] = '/subscriptions/sub-1/subnets/other';
    },
    says: 'func-dev: properties.virtualNetworkSubnetId is "/subscriptions/sub-1/subnets/other"; the templates say null',
    takenBackBy: ['bicep', 'terraform'],
  },
  'passwords for publishing': {
    by: ({ passwords }) => {
      passwords.scm = true;
    },
    says: 'func-dev: basicPublishingCredentialsPolicies.scm.allow is true; the templates say false',
    takenBackBy: ['bicep', 'terraform'],
  },
};

describe.each(stackNames)('with %s', (stack) => {
  test.each(Object.entries(changes))('drift tells of %s that was changed by hand', async (_, change) => {
    const { azure, machine } = await begin();
    const run = machine({ backend: true });
    expect(await run(stack, 'provision', ...known)).toMatchObject({ code: 0, failure: '' });
    expect(await run(stack, 'drift', ...known)).toMatchObject({ code: 0, failure: '' });
    change.by(azure.app);
    const { code, said } = await run(stack, 'drift', ...known);
    expect({ code, lines: said.split('\n').filter((line) => line.includes(change.says)).length }).toEqual({
      code: 1,
      lines: 1,
    });
    expect(said).not.toContain(secret);
    expect(await run(stack, 'provision', ...known)).toMatchObject({ code: 0, failure: '' });
    const { code: after } = await run(stack, 'drift', ...known);
    expect(after).toBe(change.takenBackBy.includes(stack) ? 0 : 1);
  });

  test('drift takes what Azure writes otherwise for the same', async () => {
    const { azure, machine } = await begin();
    const run = machine();
    expect(await run(stack, 'provision', ...known)).toMatchObject({ code: 0, failure: '' });
    const { identity, properties, siteConfig } = azure.app;
    identity.userAssignedIdentities = Object.fromEntries(
      Object.entries(identity.userAssignedIdentities ?? {}).map(([id, of]) => [
        id.replace('resourceGroups', 'resourcegroups'),
        of,
      ]),
    );
    properties['serverFarmId'] = String(properties['serverFarmId']).replace(
      'resourceGroups',
      'resourcegroups',
    );
    delete properties['virtualNetworkSubnetId'];
    properties['functionAppConfig'] = {
      runtime: { version: '24', name: 'node' },
      scaleAndConcurrency: { maximumInstanceCount: 40, alwaysReady: null },
    };
    siteConfig['ftpsState'] = 'FtpsOnly';
    const { said } = await run(stack, 'drift', ...known);
    expect(said).not.toContain('func-dev: ');
  });

  test('drift tells of an app that is gone', async () => {
    const { azure, machine } = await begin();
    const run = machine();
    expect(await run(stack, 'provision', ...known)).toMatchObject({ code: 0, failure: '' });
    for (const { apps } of azure.groups.values()) apps.clear();
    expect(await run(stack, 'drift', ...known)).toMatchObject({
      code: 1,
      said: expect.stringContaining('func-dev: is gone'),
    });
  });
});

test.each([
  ['no configuration', made],
  ['no identities', { ...made, APP_CONFIGURATION: [{ name: 'func-dev', properties: {} }] }],
])('drift says so where an earlier version has deployed last: %s', async (_, outputs) => {
  const tools = playTools(toolsOf(outputs));
  const { code, stdout } = await runDeploy(['drift', '-e', 'dev', ...values, ...quick], tools);
  expect({ code, said: stdout.includes('Run provision once.') }).toEqual({ code: 1, said: true });
});
