/** Statements and objects whose rules are those of `unsupported-syntax.ts`. */

/** The rules of statements that are not supported, by their first word. */
export const unsupportedStatements: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    `kill checkpoint reconfigure shutdown open close fetch deallocate goto`
      .split(' ')
      .map((rule) => [rule.toUpperCase(), [rule]]),
  ),
  ...Object.fromEntries(['SEND', 'RECEIVE', 'GET', 'MOVE', 'END'].map((word) => [word, ['conversation']])),
  ...Object.fromEntries(['READTEXT', 'WRITETEXT', 'UPDATETEXT'].map((word) => [word, ['textStatement']])),
  BACKUP: ['backup'],
  RESTORE: ['backup'],
  BULK: ['bulkInsert'],
  ENABLE: ['enableTrigger'],
  DISABLE: ['enableTrigger'],
};
/** Objects that CREATE may have. */
export const createdObjects = 'sequence synonym type_definition login statistics other_definition'.split(' ');
/** Objects that ALTER may have. */
export const alteredObjects =
  'alterUser alterSchema alterAuthorization alterDatabase sequence login other_definition'.split(' ');
