/** What customers call the fields of objects: the rows of tFieldLabels. */

import type { Database } from '../../../shared/sql/database.ts';
import { explainContract } from '../../../shared/sql/database-contract.ts';
import { int, rowsOf, text } from '../../../shared/sql/values.ts';
import { withTwoDigits } from './bk-fields.ts';

const selectLabels = 'SELECT field, label FROM dbo.tFieldLabels WHERE typeID = @typeID AND langID = @langID';

/** Reads the labels of a type of object in a language, by the names of the fields; bk-fields under those with two digits. */
export async function readLabels(
  customization: Database,
  { typeID, langID }: { readonly typeID: number; readonly langID: number },
): Promise<Readonly<Record<string, string>>> {
  const [found] = await customization
    .query(selectLabels, { typeID: int(typeID), langID: int(langID) })
    .catch(explainContract);
  return withTwoDigits(
    Object.fromEntries(rowsOf(found).map((row) => [text(row, 'field'), text(row, 'label')])),
  ).columns;
}
