/** Which kinds of objects an app serves. Decided by settings and not by a look at the database, which may be away while the app starts. */

import { type Config, settingGroup } from '../../../shared/config.ts';
import { asView, type KindName, objectKinds } from '../objects/kinds.ts';
import type { RecordsService } from './records-service.ts';

const kindNames = Object.keys(objectKinds) as KindName[];

/**
 * Returns the kinds that the settings name. An object is created below its parent, so the metadata in a table is served only with that of
 * its parents. With settings that are unusable every kind is served: each request then answers what is wrong.
 */
export function servedKinds(config: Config): RecordsService['served'] {
  const { values, errors } = settingGroup(config, ['OBJECT_TYPES', 'OBJECT_METADATA']);
  if (errors.length > 0)
    return { kinds: kindNames, metadata: kindNames, kindOf: (name) => objectKinds[name] };
  const numbers: Readonly<Partial<Record<string, number>>> = values.OBJECT_TYPES;
  const metadata: readonly string[] = values.OBJECT_METADATA;
  const kinds = kindNames.filter((name) => numbers[objectKinds[name].collection] !== undefined);
  const hasView = (name: KindName) =>
    kinds.includes(name) && metadata.includes(`${objectKinds[name].collection}=view`);
  const hasTable = (name: KindName): boolean => {
    const { collection, parent } = objectKinds[name];
    const hasParent = parent === undefined || hasTable(parent);
    return hasParent && kinds.includes(name) && metadata.includes(collection);
  };
  const views = new Map(kinds.filter(hasView).map((name) => [name, asView(objectKinds[name])]));
  return {
    kinds,
    metadata: kinds.filter((name) => views.has(name) || hasTable(name)),
    kindOf: (name) => views.get(name) ?? objectKinds[name],
  };
}

/** Returns what a caller of a path below a version of the API can do, where settings leave its kind of object out; undefined for other paths. */
export function hintOfAbsentKind(
  { kinds, metadata }: RecordsService['served'],
  path: string,
): string | undefined {
  const segments = path.split('/');
  const name = kindNames.findLast((item) => segments.includes(objectKinds[item].collection));
  if (name === undefined) return undefined;
  const { collection } = objectKinds[name];
  if (!kinds.includes(name))
    return `This app does not serve ${collection}: the setting OBJECT_TYPES has no number for them.`;
  if (metadata.includes(name) || segments.includes('custom-data')) return undefined;
  return `This app serves custom data of ${collection} alone: the setting OBJECT_METADATA leaves out their metadata. On the database of an existing product, a view and "${collection}=view" serve it.`;
}
