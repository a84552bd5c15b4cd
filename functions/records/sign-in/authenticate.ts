/** Who calls the records API: the user of the service who signed in, or its own account for an application. */

import { actingAccount, identityOf, serviceRole } from '../../../shared/auth/caller.ts';
import { refuse } from '../../../shared/auth/refusal.ts';
import type { TokenVerifier } from '../../../shared/auth/token-verifier.ts';
import type { Authenticated } from '../../../shared/http/api.ts';
import type { RequestContext } from '../../../shared/http/request-context.ts';
import type { RecordsCaller, RecordsService } from '../operations/records-service.ts';

/** Creates the authentication of the records API by bearer tokens (docs/records-contract.md, "Authentication"). */
export function createAuthentication(
  { databases, users, bindings, settingsError, showsSourceErrors }: RecordsService,
  verifier: Pick<TokenVerifier, 'verify'>,
) {
  return async ({
    request,
    deadline,
  }: RequestContext<RecordsCaller>): Promise<Authenticated<RecordsCaller>> => {
    const caller = await verifier.verify(request.headers.get('authorization'));
    const identity = identityOf(caller);
    const account = actingAccount(caller);
    if (settingsError !== undefined) throw settingsError;
    const { main, customization } = databases.within(deadline);
    const user =
      account.kind === 'person' ? await users.byEmail(main, account.email) : await users.service(main);
    if (user === undefined)
      return refuse('user-unknown', 'no user of this service has the e-mail address of the token', {
        identity,
      });
    const mustBeBound = account.kind === 'person' && bindings.isOn();
    if (mustBeBound && !(await bindings.isBoundTo(customization, user.usrPropID, caller.objectId)))
      return refuse(
        'user-bound',
        'the user with the e-mail address of the token is bound to another account',
        { identity },
      );
    const seesSourceErrors = showsSourceErrors() || caller.roles.includes(serviceRole);
    return { caller: { user, seesSourceErrors }, identity };
  };
}
