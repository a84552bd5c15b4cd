/** How users of the documents' pages sign in. */

import type { Config } from '../config.ts';

/** Returns the endpoints of the identity provider and the scope of the API, for the OpenAPI documents. */
export function signIn(config: Config) {
  const authority = config.AppRegistration__Authority.replace(/\/v2\.0$/, '');
  return {
    authorizationUrl: `${authority}/oauth2/v2.0/authorize`,
    tokenUrl: `${authority}/oauth2/v2.0/token`,
    scope: `${config.AppRegistration__ClientId}/.default`,
  };
}
