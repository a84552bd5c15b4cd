/** The sign-in of commands to the blob storage. A call to it takes some seconds at most, and the Azure CLI may take as long to give a token. */

import type { Credential } from '../../shared/managed-identity.ts';

const scope = 'https://storage.azure.com/.default';
/** Milliseconds for which a token must still be good. */
const minValidity = 300_000;

/** What gives the credential for addresses; connection strings need none. */
export type SignIn = () => Credential | Promise<Credential>;

/** Signs in as `az login` or the managed identity says. The credential has its token already, and gets the next one when that ends. */
export async function signIn(): Promise<Credential> {
  // Loaded late, since the library is large, and a connection string needs no sign-in.
  const { DefaultAzureCredential } = await import('@azure/identity');
  const identity = new DefaultAzureCredential();
  let token = await identity.getToken(scope);
  return {
    async getToken(scopes, options) {
      if (token.expiresOnTimestamp - Date.now() < minValidity)
        token = await identity.getToken(scopes, options);
      return token;
    },
  };
}
