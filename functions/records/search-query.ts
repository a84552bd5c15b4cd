/** The query of a search by bk-fields. */

import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import {
  type BkType,
  bkTypes,
  type KindName,
  type ObjectKind,
  objectKinds,
} from '../../shared/records/objects/kinds.ts';
import { bkProperties, bkSchemas, oneDigitNames, paging } from './schemas.ts';

/** What can stand in brackets behind the name of a bk-field. */
export const comparisonsOf: Readonly<Record<BkType, readonly string[]>> = {
  Str: ['contains', 'startsWith'],
  Int: ['from', 'to'],
  Date: ['from', 'to'],
  Float: ['from', 'to'],
};

/** The query of a search by bk-fields: all that is given must hold. */
export function searchQuery(name: KindName, defaultLimit: number): TSchema {
  const kind = objectKinds[name];
  return Type.Object(
    {
      ...paging(defaultLimit),
      sort: Type.Optional(
        Type.String({
          maxLength: 200,
          description:
            'Fields by which the list is sorted, with commas between and `-` before those that descend: `-bkDate01,title`. Without it: in the order of creation.',
        }),
      ),
      total: Type.Boolean({ default: false, description: 'Whether to count the items on all pages.' }),
      ...bkProperties(kind, (schema) => Type.Optional(Type.Unsafe(schema))),
    },
    { additionalProperties: false, patternProperties: { ...oneDigitNames(Type.Unsafe), ...compared(kind) } },
  );
}

function compared({ bkCounts }: ObjectKind): Record<string, TSchema> {
  return Object.fromEntries(
    bkTypes.map((type) => {
      const digits = bkCounts[type] === 30 ? '0?[1-9]|[12][0-9]|30' : '0?[1-9]|10';
      return [`^bk${type}(${digits})\\[(${comparisonsOf[type].join('|')})\\]$`, Type.Unsafe(bkSchemas[type])];
    }),
  );
}
