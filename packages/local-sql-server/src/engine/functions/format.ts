/** FORMAT, with the formats of .NET. */
import { sqlError } from '../../tsql/sql-error.ts';
import { familyOf, int, isDateTime, isNumeric, nvarchar } from '../types.ts';
import { cultureNamed } from '../values/cultures.ts';
import { readMoment } from '../values/datetime.ts';
import { parseDecimal } from '../values/decimal.ts';
import { formatDate } from '../values/format-date.ts';
import { formatNumber } from '../values/format-number.ts';
import type { FunctionLibrary } from './definition.ts';

/** FORMAT (value, format [, culture]): NULL for a format that .NET refuses. Throws 8116, 9818, and 40517 for rare formats and cultures. */
export const formatFunctions: FunctionLibrary = {
  FORMAT: {
    parameters: ['any', nvarchar(4000), nvarchar(20)],
    optional: 1,
    returns: nvarchar(4000),
    run: (_, [value = null, format, name = 'en-US'], [type = int]) => {
      if ((!isNumeric(type) && !isDateTime(type)) || type.name === 'bit')
        throw sqlError(8116, type.name, 1, 'format');
      if (!/^[a-z]{2,3}(-[a-z]{2,4})?$/i.test(String(name))) throw sqlError(9818, String(name));
      const culture = cultureNamed(String(name));
      const number = isNumeric(type) ? parseDecimal(String(value)) : undefined;
      const text =
        culture &&
        (number
          ? formatNumber(number, String(format), culture, familyOf(type) === 'integer')
          : type.name !== 'time' && type.name !== 'datetimeoffset'
            ? formatDate(readMoment(String(value)), String(format), culture)
            : undefined);
      if (text === undefined) throw sqlError(40_517, `FORMAT with ${format} in ${name}`, 1, 1);
      return text;
    },
  },
};
