/** Opens a page for editing in a browser, as somebody who signs in there. */

import type { BrowserContext } from 'playwright-core';
import { type OpenPage, openPage } from './pages.ts';

/** Opens an address below `/edit`, signs a sample user in, and waits for the list or the form. */
export async function openEditor(
  window: BrowserContext,
  url: string,
  { email, width }: { readonly email: string; readonly width: number },
): Promise<OpenPage> {
  const opened = await openPage(window, url, { width, dark: width < 700 });
  await opened.page.locator('.session button').click();
  await opened.page.locator(`button[value="${email}"]`).click();
  await opened.page.locator('.savebar, .toolbar-row').first().waitFor();
  return opened;
}
