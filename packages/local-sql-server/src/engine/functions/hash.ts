/** HASHBYTES. */
import { createHash } from 'node:crypto';
import { sqlError } from '../../tsql/sql-error.ts';
import { varbinary, varchar } from '../types.ts';
import { convert } from '../values/convert.ts';
import { type FunctionLibrary, scalar } from './definition.ts';

const algorithms: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SHA: 'sha1',
  SHA1: 'sha1',
  SHA2_256: 'sha256',
  SHA2_512: 'sha512',
};

/** HASHBYTES: the hash of the bytes of a text (UTF-16 for nvarchar) or of bytes. */
export const hashFunctions: FunctionLibrary = {
  HASHBYTES: scalar([varchar(20), 'any'], varbinary(8000), (_, [name, value = null], [, type]) => {
    const algorithm = algorithms[String(name).toUpperCase()];
    if (!algorithm || !type) return null;
    if (!('length' in type)) throw sqlError(8116, type.name, 2, 'hashbytes');
    const bytes = convert(value, type, varbinary('max'));
    return Uint8Array.from(
      createHash(algorithm)
        .update(bytes as Uint8Array)
        .digest(),
    );
  }),
};
