/** Resources of Terraform's providers as Azure Resource Manager gets them. What a provider implies is written out here. */

import { entra } from './arm/entra.ts';
import { gateway } from './arm/gateway.ts';
import { monitoring } from './arm/monitoring.ts';
import { network } from './arm/network.ts';
import { platform } from './arm/platform.ts';
import { storageAndSql } from './arm/storage-and-sql.ts';
import { type Arguments, first, inGroup, list, object, type Translation } from './arm/translation.ts';
import { type Data, textOf } from './data.ts';
import { Lazy, type PlannedResource } from './plan.ts';

const translations: Readonly<Record<string, Translation>> = {
  ...platform,
  ...storageAndSql,
  ...monitoring,
  ...network,
  ...gateway,
  ...entra,
};

/** Translates a resource. Throws a ReferenceError for a type that is not known here. */
export function toArm(type: string, args: Arguments): { resources: PlannedResource[]; value: Data } {
  const translation = translations[type];
  if (!translation) throw new ReferenceError(`infra/check/plan/arm has no translation of ${type}`);
  const armType =
    translation.type === '' ? (textOf(args['type'] ?? null).split('@')[0] ?? '') : translation.type;
  const id = translation.id?.(args) ?? inGroup(args, armType, textOf(args['name'] ?? null));
  const parts = (translation.parts?.(args) ?? []).map((part) => ({
    type: part.type,
    id: `${id}/${part.path}`,
    body: part.body,
  }));
  const own = armType === 'none' ? [] : [{ type: armType, id, body: translation.body(args) }];
  return { resources: [...own, ...parts], value: readable(type, id, args, translation) };
}

function readable(type: string, id: string, args: Arguments, { exports = {} }: Translation): Data {
  const own = id.split('/').at(-1) ?? '';
  return new Lazy(id, (name) => {
    if (name === 'id') return type.startsWith('azuread_') ? `<${own}:id>` : id;
    if (name === 'output') return azapiOutput(own, args);
    const label = exports[name];
    if (name === 'identity')
      return [{ ...object(first(args['identity'])), principal_id: `<${own}:principalId>` }];
    if (label !== undefined) return `<${own}:${label}>`;
    const value = args[name];
    if (value === undefined) throw new ReferenceError(`${type} has no attribute ${name} that is known here`);
    return value;
  });
}

/** What an azapi resource was told to export: its path is read step by step. */
function azapiOutput(own: string, args: Arguments): Data {
  const exported = list(args['response_export_values']).map(textOf);
  const labels: Readonly<Record<string, string>> = { 'properties.defaultHostName': 'hostName' };
  const path = (steps: string): Data =>
    new Lazy(
      exported.includes(steps) ? `<${own}:${labels[steps] ?? steps}>` : `<nothing: ${steps} is not exported>`,
      (next) => path(steps === '' ? next : `${steps}.${next}`),
    );
  return path('');
}
