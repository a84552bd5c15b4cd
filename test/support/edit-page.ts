/** The page for editing in a test: calls of its calendar by sample users, and forms opened in a browser as one of them. */

import type { BrowserContext, Page } from 'playwright-core';
import { send, type TestApp } from './app.ts';
import { openEditor } from './open-editor.ts';

/** What tests of editing do beside the form, in the name of a sample user. */
export function editPageOf(app: Pick<TestApp, 'base' | 'stack' | 'token'>, window: () => BrowserContext) {
  return {
    /** Calls the calendar, as an editor unless told; returns the body of the reply. */
    async call(path: string, method = 'GET', body?: object, email = 'alice@example.org') {
      const url = `${app.base}/tribe/events/v1${path}`;
      const { text } = await send(method, url, { token: app.token(email), ...(body && { body }) });
      return JSON.parse(text);
    },
    signedIn: (email: string, query: string, width: number) =>
      openEditor(window(), `${app.stack.url}/edit${query}`, { email, width }),
  };
}

/** Moves the focus to a button, and presses a key there. */
export async function press(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  const element = page.getByRole('button', { name, exact: typeof name === 'string' });
  await element.waitFor();
  await element.focus();
  await page.keyboard.press(key);
}
