/** Where to sign in, in the challenge of a 401: by it Excel and Power Query sign in with an organizational account. */

import { authorizationUri } from '../../../shared/auth/authority.ts';
import { type Config, settingGroup } from '../../../shared/config.ts';
import { isCodedError } from '../../../shared/errors.ts';
import type { Reply } from '../../../shared/http/reply.ts';

/** Returns what adds the address of the identity provider to a reply with a challenge; with unusable settings the challenge stays as it is. */
export function createSignInChallenge(config: Config): (reply: Reply) => Reply {
  const uri = signInUri(config);
  return (reply) => {
    const challenge = reply.headers?.['WWW-Authenticate'];
    if (uri === undefined || challenge === undefined) return reply;
    const headers = { ...reply.headers, 'WWW-Authenticate': `${challenge}, authorization_uri="${uri}"` };
    return { ...reply, headers };
  };
}

/** Requests say which setting is unusable. */
function signInUri(config: Config): string | undefined {
  const names = ['AppRegistration__Authority', 'AppRegistration__TenantId'] as const;
  const { values, errors } = settingGroup(config, names);
  if (errors.length > 0) return undefined;
  try {
    return authorizationUri(values.AppRegistration__Authority, values.AppRegistration__TenantId);
  } catch (error) {
    if (!isCodedError(error, 'configuration')) throw error;
    return undefined;
  }
}
