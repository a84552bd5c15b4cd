import { type Data, textOf } from '../plan/data.ts';
import type { ExpectedApp } from './expected-apps.ts';
import { bodyAt, mustBe, nameOf, type ofType, role, type View } from './views.ts';

const is = (value: Data) => () => value;
const parameter =
  (name: string) =>
  ({ value }: View) =>
    value(name);
const scale = 'properties.functionAppConfig.scaleAndConcurrency';
const storage = 'properties.functionAppConfig.deployment.storage';

/** What an app must be besides its settings, by path. */
const shape: readonly [path: string, wanted: (view: View) => Data][] = [
  ['kind', is('functionapp,linux')],
  ['identity.type', is('UserAssigned')],
  ['properties.httpsOnly', is(true)],
  ['properties.functionAppConfig.runtime.version', parameter('node_version')],
  [`${scale}.instanceMemoryMB`, parameter('instance_memory_mb')],
  [`${scale}.maximumInstanceCount`, parameter('maximum_instance_count')],
  ['properties.functionAppConfig.siteUpdateStrategy.type', parameter('update_strategy')],
  ['properties.siteConfig.minTlsVersion', is('1.2')],
  ['properties.siteConfig.scmMinTlsVersion', is('1.2')],
  ['properties.siteConfig.cors.supportCredentials', is(false)],
];

/** Says where an app is not what it must be: its container and plan, its identity, its instances and the origins that may call it. */
export function appShape(view: View, site: ReturnType<typeof ofType>[number], app: ExpectedApp): string[] {
  const { name } = app;
  const identities = Object.keys((bodyAt(site, 'identity.userAssignedIdentities') ?? {}) as object);
  const reader = bodyAt(site, `${storage}.authentication.userAssignedIdentityResourceId`);
  const always = view.value('always_ready_instances');
  return [
    ...shape.flatMap(([path, value]) => mustBe(`${path} of ${name}`, bodyAt(site, path), value(view))),
    ...mustBe(
      `properties.siteConfig.cors.allowedOrigins of ${name}`,
      bodyAt(site, 'properties.siteConfig.cors.allowedOrigins'),
      app.origins,
    ),
    ...mustBe(
      `the container of ${name}`,
      role(bodyAt(site, `${storage}.value`)),
      `<${app.account}:blobEndpoint>${app.container}`,
    ),
    ...mustBe(`the identity of ${name}`, role(identities.map(nameOf).join()), app.identity),
    ...mustBe(`the identity that reads the package of ${name}`, role(nameOf(textOf(reader))), app.identity),
    ...mustBe(`the plan of ${name}`, role(nameOf(bodyAt(site, 'properties.serverFarmId'))), app.plan),
    ...mustBe(
      `the instances of ${name} that are always ready`,
      bodyAt(site, `${scale}.alwaysReady`),
      Number(always) > 0 ? [{ instanceCount: always, name: 'http' }] : null,
    ),
  ];
}
