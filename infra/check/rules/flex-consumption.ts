import flex from '../../facts/flex-consumption.json' with { type: 'json' };
import {
  allModules,
  type Finding,
  isObject,
  type Module,
  type Project,
  type Resource,
  type Value,
} from '../model.ts';
import { armBody, at, namesIn, place, show } from './walk.ts';

/** Nothing that Flex Consumption rejects or ignores, and everything that its identity-based form needs. */
export function flexConsumption(project: Project): Finding[] {
  return allModules(project).flatMap(({ module }) => [
    ...forbiddenSettings(module),
    ...module.resources.flatMap((resource) => [...forbiddenResource(resource), ...site(resource)]),
  ]);
}

function forbiddenSettings({ file, locals, resources }: Module): Finding[] {
  const values: Value[] = [...Object.values(locals), ...resources.map(({ body }) => body)];
  const names = values.flatMap((value) =>
    [...namesIn(value)].flatMap(({ name, value }) => [name, show(value).replaceAll('"', '')]),
  );
  return flex.forbiddenSettings
    .filter((setting) => names.includes(setting))
    .map((setting) => ({ file, message: `the setting ${setting} must not be set on Flex Consumption` }));
}

function forbiddenResource(resource: Resource): Finding[] {
  const faults = [];
  if (resource.type === 'azurerm_function_app_flex_consumption')
    faults.push('it would add a keyless AzureWebJobsStorage connection string; use azapi_resource');
  if ('zip_deploy_file' in resource.body)
    faults.push('zip_deploy_file needs settings that Flex Consumption forbids');
  return faults.map((message) => ({ file: place(resource), message }));
}

function site(resource: Resource): Finding[] {
  if (resource.type !== 'Microsoft.Web/sites') return [];
  const properties = at(armBody(resource), 'properties');
  const siteConfig = at(properties, 'siteConfig');
  const forbidden = [
    ...present(properties, flex.forbiddenSiteProperties),
    ...present(siteConfig, flex.forbiddenSiteConfigProperties),
  ].map((name) => `Flex Consumption rejects ${name} (51021)`);
  const mismatches = Object.entries(needed)
    .filter(([path, value]) => at(properties, path) !== value)
    .map(([path, value]) => `${path} must be ${value}`);
  return [...forbidden, ...mismatches].map((message) => ({ file: place(resource), message }));
}

const needed = {
  httpsOnly: true,
  'functionAppConfig.runtime.name': 'node',
  'functionAppConfig.deployment.storage.type': 'blobContainer',
  'functionAppConfig.deployment.storage.authentication.type': 'UserAssignedIdentity',
};

const present = (value: Value | undefined, names: readonly string[]) =>
  isObject(value) ? names.filter((name) => name in value) : [];
