/** Who is signed in, with a button to sign in or out. */

import type { User } from 'oidc-client-ts';
import { nameOf, type Session } from './session.ts';

export function SignInBar({ session, user }: { readonly session: Session; readonly user: User | null }) {
  return (
    <p class="sign-in">
      {user === null ? (
        <button type="button" class="main" onClick={() => session.signIn()}>
          Sign in
        </button>
      ) : (
        <>
          <span>Signed in as {nameOf(user)}</span>{' '}
          <button type="button" onClick={() => session.signOut()}>
            Sign out
          </button>
        </>
      )}
    </p>
  );
}
