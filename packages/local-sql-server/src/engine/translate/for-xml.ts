/** FOR XML PATH(''), by which texts of several rows are joined. */
import { type Position, unsupported } from '../../tsql/sql-error.ts';
import { familyOf, textMax } from '../types.ts';
import type { TranslatedQuery } from './compilation.ts';
import type { OutputColumn } from './typed.ts';

/** The values of columns without names, one after the other with signs of XML escaped; NULL where no row is. */
export function asXmlText({ sql, columns }: TranslatedQuery, at: Position): TranslatedQuery {
  const values = columns.map(({ name, type }, index) => {
    const family = familyOf(type);
    if (name !== '' || (family !== 'character' && family !== 'integer'))
      throw unsupported(
        "FOR XML PATH('') of columns with names, or of other types than text and integers",
        at,
      );
    return `ifnull(${escaped(`c${index}`)}, '')`;
  });
  const column: OutputColumn = {
    name: 'XML_F52E2B61-18A1-11d1-B105-00805F49916B',
    type: textMax,
    nullable: true,
  };
  return {
    sql: `SELECT group_concat(${values.join(' || ')}, '') AS c0 FROM (${sql})`,
    columns: [column],
    atMostOneRow: true,
  };
}

function escaped(sql: string): string {
  const marks = [
    ["'&'", "'&amp;'"],
    ["'<'", "'&lt;'"],
    ["'>'", "'&gt;'"],
    ['char(13)', "'&#x0D;'"],
  ];
  return marks.reduce((text, [mark, entity]) => `replace(${text}, ${mark}, ${entity})`, sql);
}
