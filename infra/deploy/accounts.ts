/** The first users of an empty main database: without users every call of the records API is rejected. */

import { ifAdopted } from './database-users.ts';

/** Someone to add: `email` connects the account with the person's token; the service's own account has none. */
export interface Account {
  readonly account: string;
  readonly email: string | undefined;
}

/** English, in dbo.tLanguages. */
const language = 1033;
/** What marks an object as a person. */
const person = { module: 1, type: 1 };

/**
 * The T-SQL that adds an account and its person record, in one transaction, unless the account exists. In the database of an existing
 * product it adds no account, and fails when it is missing.
 */
export function accountStatement({ account, email }: Account): string {
  const name = quoted(account);
  const address = email === undefined ? 'NULL' : quoted(email);
  return `${ifAdopted} AND EXISTS (SELECT 1 FROM dbo.vServiceUsers WHERE account = ${name}) RETURN;
${ifAdopted} THROW 50001, ${quoted(`The account ${account} is not in vServiceUsers: the database belongs to an existing product, so add it there.`)}, 1;
SET XACT_ABORT ON;
BEGIN TRANSACTION;
IF NOT EXISTS (SELECT 1 FROM dbo.tUserSettings WHERE account = ${name})
BEGIN
    DECLARE @propID int;
    INSERT INTO dbo.tObjProperties (objectID, moduleID, typeID)
    VALUES (CONVERT(nvarchar(36), NEWID()), ${person.module}, ${person.type});
    SET @propID = SCOPE_IDENTITY();
    INSERT INTO dbo.tPersons (propID, name, email) VALUES (@propID, ${name}, ${address});
    INSERT INTO dbo.tUserSettings (usrPropID, account, langID) VALUES (@propID, ${name}, ${language});
END
COMMIT TRANSACTION;`;
}

const quoted = (text: string) => `N'${text.replaceAll("'", "''")}'`;
