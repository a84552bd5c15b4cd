/** Users of the service: e-mail address -> person record -> row of tUserSettings, as the view vServiceUsers joins them (docs/records-contract.md, "Authentication"). */

import { createCache, loadThrough } from '../../../shared/cache.ts';
import { CodedError } from '../../../shared/errors.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { explainContract } from '../../../shared/sql/database-contract.ts';
import { integer, nvarchar, type Row, rowsOf, text } from '../../../shared/sql/values.ts';
import { foldCase } from '../../../shared/text/fold-case.ts';

/** A user as procedures get to know them. */
export interface User {
  readonly usrPropID: number;
  readonly langID: number;
  readonly account: string;
  readonly name: string;
}

/**
 * A collation in which letters that differ in case only are equal, as for `foldCase`; that of the database may be any. The e-mail
 * addresses of our table have it, and an index.
 */
const anyCase = 'COLLATE Latin1_General_100_CI_AS';
const select = 'SELECT usrPropID, langID, account, name, email FROM dbo.vServiceUsers';
const selectByEmail = `${select} WHERE email ${anyCase} = @email`;
const selectByAccount = `${select} WHERE account ${anyCase} = @account`;

/** A change of a user's language or address is seen after this many milliseconds, at most. */
const lifetime = 5_000;

/** The directory of users. */
export class Users {
  /** Returns the value of SERVICE_API_USERNAME. */
  readonly #serviceAccount: () => string;
  readonly #cached = createCache<string, Promise<User | undefined>>({
    maxEntries: 5_000,
    name: 'users',
    ttl: lifetime,
  });

  constructor(serviceAccount: () => string) {
    this.#serviceAccount = serviceAccount;
  }

  /** Returns the user with this e-mail address, compared without regard to case; undefined when none or more than one has it. */
  byEmail(main: Database, email: string): Promise<User | undefined> {
    const folded = foldCase(email);
    return loadThrough(this.#cached, `email ${folded}`, () => findByEmail(main, folded));
  }

  /** Returns the service's own user (SERVICE_API_USERNAME), or throws `service-account-missing`. */
  async service(main: Database): Promise<User> {
    const find = () => findByAccount(main, this.#serviceAccount());
    return (await loadThrough(this.#cached, 'service', find)) ?? serviceAccountMissing();
  }
}

async function findByEmail(main: Database, email: string): Promise<User | undefined> {
  const [found] = await main
    .query(selectByEmail, { email: nvarchar(email, 254) }, { name: 'find user' })
    .catch(explainContract);
  // Collations see some different addresses as equal, so what the server found is compared again.
  const [user, another] = rowsOf(found).filter((row) => foldCase(text(row, 'email')) === email);
  return user === undefined || another !== undefined ? undefined : toUser(user);
}

async function findByAccount(main: Database, account: string): Promise<User | undefined> {
  const [found] = await main
    .query(selectByAccount, { account: nvarchar(account, 128) }, { name: 'find service account' })
    .catch(explainContract);
  const row = rowsOf(found).find((item) => foldCase(text(item, 'account')) === foldCase(account));
  return row && toUser(row);
}

function toUser(row: Row): User {
  return {
    usrPropID: integer(row, 'usrPropID'),
    langID: integer(row, 'langID'),
    account: text(row, 'account'),
    // The service's own user need not be a person.
    name: row['name'] === null ? text(row, 'account') : text(row, 'name'),
  };
}

function serviceAccountMissing(): never {
  throw new CodedError(
    'service-account-missing',
    'Cannot act for the service: the account of the setting SERVICE_API_USERNAME is not in the table tUserSettings.',
    {
      facts: { setting: 'SERVICE_API_USERNAME' },
      hint: 'Add the account to tUserSettings of the main database, or correct the setting.',
    },
  );
}
