/** Which kinds of objects an app serves. Decided by settings and not by a look at the database, which may be away while the app starts. */

import type { Config } from '../../shared/config.ts';
import { isCodedError } from '../../shared/errors.ts';
import { type KindName, objectKinds } from '../../shared/records/objects/kinds.ts';
import type { RecordsService } from './caller.ts';

const kindNames = Object.keys(objectKinds) as KindName[];

/**
 * Returns the kinds that the settings name. An object is created below its parent, so the metadata of a kind is served only with that of
 * its parents. With settings that are unusable every kind is served: each request then answers what is wrong.
 */
export function servedKinds(config: Config): RecordsService['served'] {
  try {
    const numbers: Readonly<Partial<Record<string, number>>> = config.OBJECT_TYPES;
    const tables: readonly string[] = config.OBJECT_METADATA;
    const kinds = kindNames.filter((name) => numbers[objectKinds[name].collection] !== undefined);
    const hasTable = (name: KindName): boolean => {
      const { collection, parent } = objectKinds[name];
      return (
        tables.includes(collection) && kinds.includes(name) && (parent === undefined || hasTable(parent))
      );
    };
    return { kinds, metadata: kinds.filter(hasTable) };
  } catch (error) {
    if (!isCodedError(error, 'configuration')) throw error;
    return { kinds: kindNames, metadata: kindNames };
  }
}
