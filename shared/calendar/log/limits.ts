/**
 * The limits of Azure Tables, held by us because Azurite does not hold them.
 * Source: Microsoft, "Understanding the Table service data model" and "Performing entity group transactions".
 */

import { CodedError } from '../../errors.ts';
import type { Entity } from './rows.ts';

/** UTF-16 code units of a text property: 64 KiB. */
export const maximumPropertyLength = 32_768;
const maximumProperties = 252;
const maximumEntityBytes = 1_048_576;
const maximumOperations = 100;
const maximumTransactionBytes = 4 * 1_048_576;
/** What the multipart envelope adds to an operation, at most: its two boundaries, request line and headers. */
const envelopeBytes = 2_048;

const tableNames = /^[A-Za-z][A-Za-z0-9]{2,62}$/;
/** What a key may not hold, and `%`, which some clients decode twice. */
const forbiddenInKeys = /[/\\#?%\p{Cc}]/u;
const maximumKeyLength = 512;

/** Throws `misconfigured` when a table or a partition cannot have the given name. */
export function checkNames(tableName: string, partition: string): void {
  if (!tableNames.test(tableName))
    throw unusable('CALENDAR_TABLE_NAME', 'it must be 3 to 63 letters and digits, and start with a letter');
  if (partition === '' || partition.length > maximumKeyLength || forbiddenInKeys.test(partition))
    throw unusable(
      'CALENDAR_NAME',
      'it must be 1 to 512 characters, without / \\ # ? % and control characters',
    );
}

function unusable(setting: string, reason: string): CodedError {
  return new CodedError(
    'misconfigured',
    'configuration',
    `The setting ${setting} is not usable: ${reason}.`,
    {
      facts: { setting },
    },
  );
}

/** Throws `too-large` or `invalid` when a record's entity is more than Azure stores. */
export function checkEntity(key: string, entity: Entity): void {
  const properties = Object.entries(entity).filter(([name]) => name !== 'partitionKey' && name !== 'rowKey');
  if (!properties.every(([, value]) => typeof value !== 'string' || value.isWellFormed()))
    throw new CodedError('invalid', 'record-not-text', `Cannot save ${key}: it holds half of a character.`, {
      facts: { record: key },
    });
  const bytes = entityBytes(entity.partitionKey + entity.rowKey, properties);
  if (bytes > maximumEntityBytes || properties.length > maximumProperties)
    throw new CodedError(
      'too-large',
      'record-too-large',
      `Cannot save ${key}: it takes ${bytes} bytes, and a record may take ${maximumEntityBytes}.`,
      { facts: { record: key, bytes, maximum: maximumEntityBytes }, hint: 'Shorten its texts.' },
    );
}

/** Size of an entity by Microsoft's formula: 4 + keys + per property 8 + name + value, two bytes per code unit. */
function entityBytes(keys: string, properties: readonly (readonly [string, string | bigint])[]): number {
  const sizes = properties.map(
    ([name, value]) => 8 + 2 * name.length + (typeof value === 'string' ? 4 + 2 * value.length : 8),
  );
  return sizes.reduce((sum, size) => sum + size, 4 + 2 * keys.length);
}

/** Throws `too-large` when a write has more records than one transaction takes, whatever they hold: ask before the work of the next one is done. */
export function checkRecords(count: number): void {
  if (count >= maximumOperations)
    throw tooLarge(
      `it has more than ${maximumOperations - 1} records, and one change may touch ${maximumOperations} rows`,
    );
}

/** Throws `too-large` when a write touches more rows, or sends more bytes, than one transaction takes. */
export function checkTransaction(entities: readonly Entity[]): void {
  if (entities.length > maximumOperations)
    throw tooLarge(`it touches ${entities.length} rows, and one change may touch ${maximumOperations}`);
  const bytes = entities.reduce((sum, entity) => sum + envelopeBytes + payloadBytes(entity), 0);
  if (bytes > maximumTransactionBytes)
    throw tooLarge(`it sends ${bytes} bytes, and one change may send ${maximumTransactionBytes}`);
}

function payloadBytes(entity: Entity): number {
  return Buffer.byteLength(
    JSON.stringify(entity, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  );
}

function tooLarge(found: string): CodedError {
  return new CodedError('too-large', 'change-too-large', `Cannot save the change: ${found}.`);
}
