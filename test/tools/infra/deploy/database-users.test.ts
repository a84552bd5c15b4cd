import { describe, expect, test } from 'vitest';
import { sidOf, userStatements } from '../../../../infra/deploy/database-users.ts';

const clientId = '12345678-9abc-def0-1122-334455667788';

describe('sidOf()', () => {
  const cases: [guid: string, sid: string][] = [
    [clientId, '0x78563412BC9AF0DE1122334455667788'],
    ['00000000-0000-0000-0000-000000000001', '0x00000000000000000000000000000001'],
    ['01000000-0000-0000-0000-000000000000', '0x00000001000000000000000000000000'],
    ['ABCDEFAB-CDEF-ABCD-EFAB-CDEFABCDEFAB', '0xABEFCDABEFCDCDABEFABCDEFABCDEFAB'],
  ];
  test.each(cases)('reverses the bytes of the first three groups of %s', (guid, sid) => {
    expect(sidOf(guid)).toBe(sid);
  });

  test.each(['', 'id', clientId.slice(1), `${clientId}0`, `{${clientId}}`])('refuses "%s"', (text) => {
    expect(() => sidOf(text)).toThrow(`A client id must be a GUID: ${text}`);
  });
});

describe('userStatements()', () => {
  const user = { name: 'id-dev', clientId, rights: 'runtime' } as const;

  test('makes the user of the app in the main database', () => {
    expect(userStatements(user, 'main')).toEqual([
      "IF EXISTS (SELECT 1 FROM sys.database_principals WHERE name = N'id-dev' AND type <> 'E') THROW 50001, N'id-dev is a user or role of the database that is no identity of Azure: give the identity another name (resourceNames).', 1;",
      "IF EXISTS (SELECT 1 FROM sys.database_principals WHERE name = N'id-dev' AND sid <> 0x78563412BC9AF0DE1122334455667788) AND ISNULL(IS_ROLEMEMBER(N'app_runtime', N'id-dev'), 0) = 0 THROW 50001, N'id-dev is the user of another identity, which was never one of app_runtime: give the identity another name (resourceNames).', 1;",
      "IF EXISTS (SELECT 1 FROM sys.database_principals WHERE name = N'id-dev' AND sid <> 0x78563412BC9AF0DE1122334455667788) DROP USER [id-dev];",
      "IF DATABASE_PRINCIPAL_ID(N'id-dev') IS NULL CREATE USER [id-dev] WITH SID = 0x78563412BC9AF0DE1122334455667788, TYPE = E;",
      "IF DATABASE_PRINCIPAL_ID(N'app_runtime') IS NULL CREATE ROLE app_runtime;",
      expect.stringContaining('GRANT SELECT, INSERT, UPDATE, EXECUTE ON SCHEMA::dbo TO app_runtime;'),
      "IF OBJECT_ID(N'dbo.pStructureObjectInfoGet', N'P') IS NOT NULL GRANT EXECUTE ON dbo.pStructureObjectInfoGet TO app_runtime;",
      "IF OBJECT_ID(N'dbo.tUserSettings', N'U') IS NOT NULL DENY INSERT, UPDATE, DELETE ON dbo.tUserSettings TO app_runtime;",
      "IF OBJECT_ID(N'dbo.tPersons', N'U') IS NOT NULL DENY INSERT, UPDATE, DELETE ON dbo.tPersons TO app_runtime;",
      "IF OBJECT_ID(N'dbo.tSchemaJournal', N'U') IS NOT NULL DENY INSERT, UPDATE, DELETE ON dbo.tSchemaJournal TO app_runtime;",
      "IF IS_ROLEMEMBER(N'app_runtime', N'id-dev') = 0 ALTER ROLE app_runtime ADD MEMBER [id-dev];",
    ]);
  });

  test('lets the app write its own tables of the customization database only', () => {
    const grants = userStatements(user, 'customization').filter((item) => item.includes('GRANT'));
    expect(grants).toEqual([
      'GRANT SELECT, EXECUTE ON SCHEMA::dbo TO app_runtime;',
      'GRANT INSERT, UPDATE, DELETE ON dbo.tCustomData TO app_runtime;',
      'GRANT INSERT, UPDATE ON dbo.tCustomDataVersions TO app_runtime;',
      "IF OBJECT_ID(N'dbo.tUserBindings', N'U') IS NOT NULL GRANT INSERT ON dbo.tUserBindings TO app_runtime;",
    ]);
  });

  test('gives no one the rights of an owner', () => {
    const all = (['runtime', 'migration'] as const).flatMap((rights) =>
      (['main', 'customization'] as const).flatMap((database) =>
        userStatements({ ...user, rights }, database),
      ),
    );
    expect(all.filter((item) => /db_owner|CONTROL|FROM EXTERNAL PROVIDER/i.test(item))).toEqual([]);
  });

  test('keeps the app and the pipeline apart', () => {
    const migration = userStatements({ ...user, rights: 'migration' }, 'main').join('\n');
    expect(migration).not.toContain('app_runtime');
  });

  test('quotes a name that would end its quotes', () => {
    const [refusal = '', , drop = '', create = ''] = userStatements({ ...user, name: "a]b'c" }, 'main');
    expect(refusal).toContain("N'a]b''c is a user");
    expect(drop).toContain("name = N'a]b''c'");
    expect(create).toContain("[a]]b'c]");
  });
});
