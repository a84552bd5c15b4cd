/** The page to which the identity provider sends people back. */

import { createSession, rootElement } from './session.ts';

const { authority = '', client = '', base = '' } = rootElement().dataset;
createSession({ authority, client, base })
  .complete()
  .catch((error: unknown) => {
    rootElement().textContent = `Cannot sign in: ${error instanceof Error ? error.message : error}`;
  });
