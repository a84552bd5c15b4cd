/** The caller of the endpoints about the service: anonymous, or with a role that shows details. */

import { identityOf, serviceRole } from '../../shared/auth/caller.ts';
import type { TokenVerifier } from '../../shared/auth/token-verifier.ts';
import { isCodedError } from '../../shared/errors.ts';
import type { Authenticated } from '../../shared/http/api.ts';
import type { RequestContext } from '../../shared/http/request-context.ts';

export interface ServiceCaller {
  /** Whether to show the details of what the service depends on. */
  readonly seesDetails: boolean;
}

/** App roles that show details. They come with the token alone, so that they count while the databases are down. */
const roles: readonly string[] = [serviceRole, 'Calendar.Editor'];

export const anonymous: ServiceCaller = { seesDetails: false };

/** Creates the authentication that rejects no caller: probes and monitors must get an answer, so an invalid token counts as none. */
export function createRecognition(verifier: Pick<TokenVerifier, 'verify'>) {
  return async ({ request }: RequestContext<ServiceCaller>): Promise<Authenticated<ServiceCaller>> => {
    const authorization = request.headers.get('authorization');
    if (authorization === null) return { caller: anonymous };
    try {
      const verified = await verifier.verify(authorization);
      const seesDetails = verified.roles.some((role) => roles.includes(role));
      return { caller: { seesDetails }, identity: identityOf(verified) };
    } catch (error) {
      if (!isCodedError(error)) throw error;
      return { caller: anonymous };
    }
  };
}
