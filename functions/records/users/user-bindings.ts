/** Bindings: which object of Entra ID (the claim `oid`) a user is, from their first sign-in on, where the setting BIND_USERS says so. */

import { createCache, loadThrough } from '../../../shared/cache.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { explainContract } from '../../../shared/sql/database-contract.ts';
import { int, nvarchar, rowsOf, text } from '../../../shared/sql/values.ts';

/** Of sign-ins that come together one writes; the others wait for it. */
const bind = `IF NOT EXISTS (SELECT 1 FROM dbo.tUserBindings WHERE usrPropID = @usrPropID)
INSERT INTO dbo.tUserBindings (usrPropID, objectId) SELECT @usrPropID, @objectId
WHERE NOT EXISTS (SELECT 1 FROM dbo.tUserBindings WITH (UPDLOCK, HOLDLOCK) WHERE usrPropID = @usrPropID);
SELECT objectId FROM dbo.tUserBindings WHERE usrPropID = @usrPropID;`;

/** Milliseconds for which a deleted binding still counts, at most. */
const lifetime = 5_000;

/** The bindings of users. */
export class UserBindings {
  /** Returns whether users are bound (the setting BIND_USERS); while they are not, every account with their e-mail address is the user. */
  readonly isOn: () => boolean;
  readonly #bound = createCache<number, Promise<string>>({
    maxEntries: 5_000,
    name: 'user bindings',
    ttl: lifetime,
  });

  constructor(isOn: () => boolean) {
    this.isOn = isOn;
  }

  /**
   * Checks whether a user is the object of a token. The first object that signs in becomes the user's, until an operator deletes the row.
   */
  async isBoundTo(customization: Database, usrPropID: number, objectId: string): Promise<boolean> {
    const find = () => objectOf(customization, usrPropID, objectId);
    return objectId === (await loadThrough(this.#bound, usrPropID, find));
  }
}

async function objectOf(customization: Database, usrPropID: number, objectId: string): Promise<string> {
  const parameters = { usrPropID: int(usrPropID), objectId: nvarchar(objectId, 128) };
  const results = await customization.query(bind, parameters, { name: 'bind user' }).catch(explainContract);
  const [row = {}] = rowsOf(results.at(-1));
  return text(row, 'objectId');
}
