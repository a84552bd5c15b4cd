/** Who is signed in: authorization code with a proof key, kept in the tab's session storage. */

import { type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';

/** What the page says of sign-in, in the attributes of its root element. */
export interface SignIn {
  readonly authority: string;
  readonly client: string;
  readonly base: string;
}

/** Returns the element that the page is rendered into. */
export function rootElement(): HTMLElement {
  const element = document.getElementById('app');
  if (element === null) throw new TypeError('The page has no element "app".');
  return element;
}

/** Creates the session of a page. `base` is the base path; there the identity provider sends people back to. */
export function createSession({ authority, client, base }: SignIn) {
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
  async function user(): Promise<User | null> {
    const found = await manager.getUser();
    return found?.expired ? null : found;
  }

  return {
    user,
    /** Leaves for the identity provider, which sends people back to where they were. */
    signIn: (hint?: string): Promise<void> => {
      const url = new URL(location.href);
      url.searchParams.delete('login_hint');
      return manager.signinRedirect({
        state: url.href,
        ...(hint === undefined ? {} : { login_hint: hint }),
      });
    },
    signOut: async (): Promise<void> => {
      await manager.removeUser();
      location.reload();
    },
    /** Completes a sign-in, and goes back. */
    async complete(): Promise<void> {
      const { state } = await manager.signinCallback().then((found) => found ?? { state: undefined });
      const target = new URL(String(state ?? '/'), location.origin);
      location.replace(target.origin === location.origin ? target : '/');
    },
  };
}

export type Session = ReturnType<typeof createSession>;

/** Returns the name of a person, as the identity provider says it. */
export function nameOf({ profile }: User): string {
  return profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub;
}
