/** The signed-in user: authorization code with a proof key, stored in the session storage of the tab. */

import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { type PageLanguage, words } from '../views/words.ts';

/** The element that the page is rendered into, and the paths of the service and its APIs. */
export const root = document.getElementById('app') ?? document.body;
export const { site = '', base = '', calendar, records } = document.body.dataset;
export const language = document.documentElement.lang as PageLanguage;
export const word = words(language);
const { authority = '', client = '' } = root.dataset;

export const manager = new UserManager({
  authority,
  client_id: client,
  redirect_uri: `${location.origin}${base}/swagger/oauth2-redirect.html`,
  scope: `openid profile ${client}/.default`,
  stateStore: new WebStorageStateStore({ store: sessionStorage }),
  automaticSilentRenew: false,
});

const storedUser = await manager.getUser();
/** The signed-in user, while the token is valid. */
export const user = storedUser?.expired ? null : storedUser;

/** Leaves for the identity provider, which sends people back to where they were. */
export function signIn(hint?: string): Promise<void> {
  const url = new URL(location.href);
  url.searchParams.delete('login_hint');
  return manager.signinRedirect({ state: url.href, ...(hint === undefined ? {} : { login_hint: hint }) });
}

/** What the names of all begin with that the browser keeps for the signed-in user over its own end, until they sign out. */
export const keptPrefix = `kept ${user?.profile.sub} `;

async function signOut(): Promise<void> {
  for (const name of Object.keys(localStorage))
    if (name.startsWith(keptPrefix)) localStorage.removeItem(name);
  await manager.removeUser();
  location.reload();
}

/** The name of the signed-in user, with a button to sign in or out. */
export function SignInBar() {
  const { name, preferred_username, email, sub } = user?.profile ?? {};
  return (
    <p class="session">
      {user && (
        <span>
          {word('signedInAs')} {name || preferred_username || email || sub}{' '}
        </span>
      )}
      <button type="button" onClick={() => (user ? signOut() : signIn())}>
        {word(user ? 'signOut' : 'signIn')}
      </button>
    </p>
  );
}
