/** Who is signed in: authorization code with a proof key, kept in the tab's session storage. */

import { type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';

/** The element that the page is rendered into; its attributes hold what the script has to know. */
export const root = document.getElementById('app') ?? document.body;
const { authority = '', client = '', base = '' } = root.dataset;

const manager = new UserManager({
  authority,
  client_id: client,
  redirect_uri: `${location.origin}${base}/swagger/oauth2-redirect.html`,
  scope: `openid profile ${client}/.default`,
  userStore: new WebStorageStateStore({ store: sessionStorage }),
  stateStore: new WebStorageStateStore({ store: sessionStorage }),
  automaticSilentRenew: false,
});

/** Returns who is signed in, as long as the token is valid. */
export async function signedInUser(): Promise<User | null> {
  const user = await manager.getUser();
  return user?.expired ? null : user;
}

/** Leaves for the identity provider, which sends people back to where they were. */
export function signIn(hint?: string): Promise<void> {
  const url = new URL(location.href);
  url.searchParams.delete('login_hint');
  return manager.signinRedirect({ state: url.href, ...(hint === undefined ? {} : { login_hint: hint }) });
}

/** Completes a sign-in, and goes back. */
export async function completeSignIn(): Promise<void> {
  const user = await manager.signinCallback();
  const target = new URL(String(user?.state ?? '/'), location.origin);
  location.replace(target.origin === location.origin ? target : '/');
}

async function signOut(): Promise<void> {
  await manager.removeUser();
  location.reload();
}

/** Who is signed in, with a button to sign in or out. */
export function SignInBar({ user }: { readonly user: User | null }) {
  const { name, preferred_username, email, sub } = user?.profile ?? {};
  return (
    <p class="sign-in">
      {user && <span>Signed in as {name ?? preferred_username ?? email ?? sub}</span>}
      <button type="button" class={user ? '' : 'main'} onClick={() => (user ? signOut() : signIn())}>
        {user ? 'Sign out' : 'Sign in'}
      </button>
    </p>
  );
}
