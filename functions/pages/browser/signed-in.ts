/** The page to which the identity provider sends people back. */

import { completeSignIn, root } from './session.tsx';

completeSignIn().catch((error: unknown) => {
  root.textContent = `Cannot sign in: ${error instanceof Error ? error.message : error}`;
});
