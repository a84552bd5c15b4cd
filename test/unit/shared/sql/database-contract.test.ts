import { expect, test } from 'vitest';
import { Objects } from '../../../../functions/records/objects/find.ts';
import { objectKinds } from '../../../../functions/records/objects/kinds.ts';
import { Users } from '../../../../functions/records/users/users.ts';
import type { Database } from '../../../../shared/sql/database.ts';
import { explainContract } from '../../../../shared/sql/database-contract.ts';
import { SqlFailure } from '../../../../shared/sql/failure.ts';

const cases: [number: number, message: string, detail: string][] = [
  [208, "Invalid object name 'dbo.vServiceUsers'.", 'dbo.vServiceUsers is missing'],
  [207, "Invalid column name 'email'.", 'a column email is missing'],
  [
    229,
    "The SELECT permission was denied on the object 'tCustomData', database 'customers-secret-name', schema 'dbo'.",
    'the right to SELECT tCustomData is missing',
  ],
  [229, "Nobody may 'tCustomData'.", 'the right to use tCustomData is missing'],
  [
    230,
    "The UPDATE permission was denied on the column 'title' of the object 'tDiaries', database 'x', schema 'dbo'.",
    'the right to UPDATE the column title of tDiaries is missing',
  ],
];

test.each(cases)('explainContract() says what error %i means', (number, message, detail) => {
  expect(() => explainContract(new SqlFailure(message, { number }))).toThrow(
    expect.objectContaining({
      code: 'database-contract',
      message: `Cannot use the database: ${detail}.`,
      facts: { number },
    }),
  );
});

test('explainContract() leaves errors of procedures, other numbers and other errors as they are', () => {
  for (const error of [
    new SqlFailure('x', { number: 229, procedure: 'pCustomData_a_Get' }),
    new SqlFailure("The SELECT permission was denied on the object 'tBudget', database 'd', schema 'dbo'.", {
      number: 229,
      procedure: 'dbo.pCustomData_a_Get',
    }),
    new SqlFailure('x', { number: 8134 }),
    new TypeError('x'),
  ])
    expect(() => explainContract(error)).toThrow(error);
});

test('explainContract() names the right to call a procedure, which the server calls an error of that procedure', () => {
  const message =
    "The EXECUTE permission was denied on the object 'pStructureObjectInfoGet', database 'd', schema 'dbo'.";
  expect(() =>
    explainContract(new SqlFailure(message, { number: 229, procedure: 'dbo.pStructureObjectInfoGet' })),
  ).toThrow('Cannot use the database: the right to EXECUTE pStructureObjectInfoGet is missing.');
});

test('users and objects name the right that the app lacks', async () => {
  const denied = (object: string, right: string): Database => ({
    query: async () => {
      throw new SqlFailure(
        `The ${right} permission was denied on the object '${object}', database 'd', schema 'dbo'.`,
        { number: 229 },
      );
    },
  });
  const users = new Users(() => 'svc');
  const view = denied('vServiceUsers', 'SELECT');
  const wanted = {
    code: 'database-contract',
    message: expect.stringContaining('the right to SELECT vServiceUsers is missing'),
  };
  await expect(users.byEmail(view, 'a@example.org')).rejects.toMatchObject(wanted);
  await expect(users.service(view)).rejects.toMatchObject(wanted);
  const objects = new Objects(() => ({ deeds: 4 }));
  await expect(
    objects.propIdOf(denied('pStructureObjectInfoGet', 'EXECUTE'), objectKinds.deed, 'x'),
  ).rejects.toMatchObject({
    code: 'database-contract',
    message: 'Cannot use the database: the right to EXECUTE pStructureObjectInfoGet is missing.',
  });
});
