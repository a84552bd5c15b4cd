/** The page to which the identity provider sends people back: it completes the sign-in, and goes back. */

import { manager, root } from './session.tsx';

try {
  const { state } = (await manager.signinCallback()) ?? {};
  const target = new URL(String(state ?? '/'), location.origin);
  location.replace(target.origin === location.origin ? target : '/');
} catch (error) {
  root.textContent = `Cannot sign in: ${error instanceof Error ? error.message : error}`;
}
