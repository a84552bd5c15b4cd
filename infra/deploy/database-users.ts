/**
 * The contained users of the databases for the identities of the app and the pipeline, made from their client ids alone. `CREATE USER ...
 * FROM EXTERNAL PROVIDER` would need a server identity with the role Directory Readers. `WITH SID, TYPE = E` needs only an Entra
 * administrator of the server.
 */

/** A user to make: its name is that of the identity, its SID the bytes of the identity's client id. */
export interface DatabaseUser {
  readonly name: string;
  readonly clientId: string;
  readonly rights: 'runtime' | 'migration';
}

export type DatabaseKind = 'main' | 'customization';

/**
 * Returns the SID of an identity as T-SQL writes bytes: the client id (not the object id) in the byte order of a GUID, with the first
 * three groups reversed. Throws a TypeError for anything but a GUID.
 */
export function sidOf(clientId: string): string {
  const groups = /^([\da-f]{8})-([\da-f]{4})-([\da-f]{4})-([\da-f]{4})-([\da-f]{12})$/i.exec(clientId);
  if (!groups) throw new TypeError(`A client id must be a GUID: ${clientId}`);
  const [, one = '', two = '', three = '', four = '', five = ''] = groups;
  return `0x${reversed(one)}${reversed(two)}${reversed(three)}${four}${five}`
    .toUpperCase()
    .replace('0X', '0x');
}

const reversed = (hex: string) => (hex.match(/../g) ?? []).reverse().join('');

/** The tables of users and of applied scripts, which the app reads and must not write in any case. */
const readOnly = ['tUserSettings', 'tPersons', 'tSchemaJournal'];

/** A table of an existing product may have another name. */
function denied(table: string): string {
  return `IF OBJECT_ID(N'dbo.${table}', N'U') IS NOT NULL DENY INSERT, UPDATE, DELETE ON dbo.${table} TO app_runtime;`;
}

/** The condition for a main database that belongs to an existing product, as `npm run migrate -- --adopt` has noted: nothing of it is written. */
export const ifAdopted =
  "IF EXISTS (SELECT 1 FROM dbo.tSchemaJournal WHERE script = N'database/main/' AND digest = N'adopted')";

/** What the app reads in the main database of an existing product, besides its views of reference data (infra/database/README.md). */
const readFromProduct = [
  'tSchemaJournal',
  'vServiceUsers',
  'tObjProperties',
  'vDiaries',
  'vJournalizedCases',
  'vDeeds',
  'vDocuments',
];

/** What each kind of user may do in each database; a role holds the rights, the user is its member. */
const rights: Readonly<Record<DatabaseUser['rights'], Readonly<Record<DatabaseKind, readonly string[]>>>> = {
  runtime: {
    main: [
      `${ifAdopted}
BEGIN
    REVOKE SELECT ON SCHEMA::dbo FROM app_runtime;
    DECLARE @grants nvarchar(max) = N'';
    SELECT @grants += N'GRANT SELECT ON dbo.' + QUOTENAME(name) + N' TO app_runtime;' FROM sys.objects
    WHERE schema_id = SCHEMA_ID(N'dbo') AND (name IN (${readFromProduct.map((name) => `N'${name}'`).join(', ')})
        OR type = 'V' AND name LIKE N'RefData[_]%');
    EXEC sys.sp_executesql @grants;
END
ELSE
    GRANT SELECT, INSERT, UPDATE, EXECUTE ON SCHEMA::dbo TO app_runtime;`,
      "IF OBJECT_ID(N'dbo.pStructureObjectInfoGet', N'P') IS NOT NULL GRANT EXECUTE ON dbo.pStructureObjectInfoGet TO app_runtime;",
      ...readOnly.map(denied),
    ],
    customization: [
      "IF OBJECT_ID(N'dbo.tCustomData', N'U') IS NULL THROW 50001, N'dbo.tCustomData is missing: run the step migrate first.', 1;",
      'GRANT SELECT, EXECUTE ON SCHEMA::dbo TO app_runtime;',
      'GRANT INSERT, UPDATE, DELETE ON dbo.tCustomData TO app_runtime;',
      'GRANT INSERT, UPDATE ON dbo.tCustomDataVersions TO app_runtime;',
      "IF OBJECT_ID(N'dbo.tUserBindings', N'U') IS NOT NULL GRANT INSERT ON dbo.tUserBindings TO app_runtime;",
      denied('tSchemaJournal'),
    ],
  },
  migration: {
    main: migrationRights(),
    customization: migrationRights(),
  },
};

function migrationRights(): string[] {
  return [
    'GRANT CREATE TABLE, CREATE VIEW, CREATE PROCEDURE, CREATE FUNCTION, CREATE TYPE TO app_migration;',
    'GRANT ALTER, SELECT, INSERT, UPDATE, DELETE, EXECUTE, REFERENCES ON SCHEMA::dbo TO app_migration;',
  ];
}

/** The T-SQL that makes a user in one database. It may run again, and replaces a user of the same name with another SID. */
export function userStatements(user: DatabaseUser, database: DatabaseKind): string[] {
  const name = bracketed(user.name);
  const text = quoted(user.name);
  const sid = sidOf(user.clientId);
  return [
    // Somebody else's user is neither dropped nor let in.
    `IF EXISTS (SELECT 1 FROM sys.database_principals WHERE name = ${text} AND type <> 'E') THROW 50001, ${quoted(`${user.name} is a user or role of the database that is no identity of Azure: give the identity another name (resourceNames).`)}, 1;`,
    `IF EXISTS (SELECT 1 FROM sys.database_principals WHERE name = ${text} AND sid <> ${sid}) AND ISNULL(IS_ROLEMEMBER(N'app_${user.rights}', ${text}), 0) = 0 THROW 50001, ${quoted(`${user.name} is the user of another identity, which was never one of app_${user.rights}: give the identity another name (resourceNames).`)}, 1;`,
    // The identity was made anew: same name, another client id.
    `IF EXISTS (SELECT 1 FROM sys.database_principals WHERE name = ${text} AND sid <> ${sid}) DROP USER ${name};`,
    `IF DATABASE_PRINCIPAL_ID(${text}) IS NULL CREATE USER ${name} WITH SID = ${sid}, TYPE = E;`,
    ...rightsStatements(user, database),
  ];
}

/** The T-SQL that gives a user of one database its rights. It may run again. */
export function rightsStatements(user: DatabaseUser, database: DatabaseKind): string[] {
  const role = `app_${user.rights}`;
  return [
    `IF DATABASE_PRINCIPAL_ID(N'${role}') IS NULL CREATE ROLE ${role};`,
    ...rights[user.rights][database],
    `IF IS_ROLEMEMBER(N'${role}', ${quoted(user.name)}) = 0 ALTER ROLE ${role} ADD MEMBER ${bracketed(user.name)};`,
  ];
}

const bracketed = (name: string) => `[${name.replaceAll(']', ']]')}]`;
const quoted = (text: string) => `N'${text.replaceAll("'", "''")}'`;
