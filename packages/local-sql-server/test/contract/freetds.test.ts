/** The whole server under an independent client. Where `tsql` is not installed these tests do not run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractServer, openContractServer } from '../support/contract-server.ts';
import { type Outcome, tsql, tsqlInstalled } from '../support/tsql.ts';

let server: ContractServer;

beforeAll(async () => {
  server = await openContractServer();
});

afterAll(() => server.stop());

function run(script: string): Promise<Outcome> {
  const { server: host, port = 1433, user = '', password = '', database = '' } = server.config;
  return tsql({ server: host, port, user, password, database }, `${script}\nexit\n`);
}

describe.runIf(tsqlInstalled)('tsql of FreeTDS', () => {
  test('creates a table, fills it and reads it', async () => {
    const { lines, errors } = await run(`
CREATE TABLE dbo.Person (
  id int IDENTITY(1, 1) PRIMARY KEY,
  name nvarchar(40) NOT NULL,
  born date NULL,
  height decimal(5, 2) NULL,
  balance money NULL,
  code uniqueidentifier NULL,
  photo varbinary(max) NULL,
  notes nvarchar(max) NULL
)
go
INSERT INTO dbo.Person (name, born, height, balance, code, photo, notes) VALUES
  (N'Žofie', '1999-12-31', 1.70, 12.5, '6F9619FF-8B86-D011-B42D-00C04FC964FF', 0x01FF, N'ďábelské ódy'),
  (N'Bob', NULL, NULL, NULL, NULL, NULL, NULL)
go
SELECT id, name, height, balance, code, photo, notes FROM dbo.Person ORDER BY id
go
SELECT CONVERT(nvarchar(10), born, 23) AS born FROM dbo.Person ORDER BY id
go`);
    expect({ lines, errors: errors.filter((line) => line.startsWith('Msg')) }).toEqual({
      lines: [
        'id\tname\theight\tbalance\tcode\tphoto\tnotes',
        '1\tŽofie\t1.70\t12.5000\t6F9619FF-8B86-D011-B42D-00C04FC964FF\t01ff\tďábelské ódy',
        '2\tBob\tNULL\tNULL\tNULL\tNULL\tNULL',
        'born',
        '1999-12-31',
        'NULL',
      ],
      errors: [],
    });
  });

  test('runs a transaction over several batches', async () => {
    const { lines } = await run(`
CREATE TABLE dbo.Counter (n int NOT NULL)
go
BEGIN TRANSACTION
INSERT INTO dbo.Counter (n) VALUES (1)
go
SELECT @@TRANCOUNT AS open_transactions, COUNT(*) AS counters FROM dbo.Counter
go
ROLLBACK
go
SELECT COUNT(*) AS counters FROM dbo.Counter
go`);
    expect(lines).toEqual(['open_transactions\tcounters', '1\t1', 'counters', '0']);
  });

  test('calls a procedure, hears its message and its error, and goes on', async () => {
    const { lines, errors } = await run(`
CREATE PROCEDURE dbo.pGreet @name nvarchar(20) AS
BEGIN
  PRINT N'Greeting ' + @name;
  IF @name = N'nobody' THROW 50001, N'Nobody is there.', 2;
  SELECT N'Hello, ' + @name AS greeting;
END
go
EXEC dbo.pGreet @name = N'nobody'
go
EXEC dbo.pGreet N'Ada'
go`);
    expect(lines).toEqual(['greeting', 'Hello, Ada']);
    const text = errors.join('\n');
    expect(text).toContain('Greeting nobody');
    expect(text).toMatch(
      /Msg 50001 \(severity 16, state 2\) from \S+, Procedure (dbo\.)?pGreet Line 5:\n\t"Nobody is there\."/,
    );
  });
});
