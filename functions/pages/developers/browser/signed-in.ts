/** The page to which the identity provider sends people back: it completes the sign-in of a page, or that of the explorer. */

import { manager, root, word } from '../../common/browser/session.tsx';

try {
  // Swagger UI's script hands what the address says over to the explorer, and closes this window.
  if (isOfExplorer()) await import('swagger-ui-dist/oauth2-redirect.js');
  else await signIn();
} catch (error) {
  root.textContent = `${word('cannotSignIn')} ${error instanceof Error ? error.message : error}`;
}

/** Checks whether the explorer has opened this window, for the sign-in that the address answers. */
function isOfExplorer(): boolean {
  const explorer = explorerOf(opener);
  return explorer !== undefined && explorer.state === new URLSearchParams(location.search).get('state');
}

interface Explorer {
  readonly swaggerUIRedirectOauth2?: { readonly state?: string };
}

function explorerOf(opener: (Window & Explorer) | null): Explorer['swaggerUIRedirectOauth2'] {
  try {
    return opener?.swaggerUIRedirectOauth2;
  } catch {
    // A page of another origin has opened this window: it may have opened /records, where people signed in.
    return undefined;
  }
}

async function signIn(): Promise<void> {
  const { state } = (await manager.signinCallback()) ?? {};
  const target = new URL(String(state ?? '/'), location.origin);
  location.replace(target.origin === location.origin ? target : '/');
}
