/** The scenes of the pages with the calendar of a town, on a phone and on a desk, as an eye sees them (`npm run pictures` shows them). */

import { beforeAll, describe, expect, test } from 'vitest';
import { fillTown } from '../../local/index.ts';
import { scenes, windows } from '../../scripts/pictures/scenes.ts';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { isFocusCovered, narrowTexts, overlaps, smallTargets } from '../support/eye.ts';
import { expectGoodPage, openPage, useWindow } from '../support/pages.ts';

const app = useApp({
  sampleCalendar: true,
  settings: {
    CALENDAR_SITE_URL: '',
    SITE_NAME: 'Havneby',
    CALENDAR_CURRENCY: 'DKK',
    SITE_HOME: 'Havneby Town=https://www.example.org',
  },
});
beforeAll(() => fillTown({ url: app.stack.calendar, token: app.token('alice@example.org') }));

const window = useWindow();

describe.runIf(chromiumPath !== undefined).each(windows)(
  'in a window of $width x $height',
  ({ width, height }) => {
    test.each(scenes)('$name has room for its texts, and for fingers', async ({ name, open, isList }) => {
      const opened = await openPage(window(), 'about:blank', { width, dark: false });
      const { page } = opened;
      await page.setViewportSize({ width, height });
      await open(page, app.stack.url);
      // The state of the form that no other test has open.
      if (width < 700 && name === 'form-preview') await expectGoodPage(opened);
      expect(await narrowTexts(page)).toEqual([]);
      expect(await overlaps(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
      if (!isList) return;
      const title = await page.locator('main h3').first().boundingBox();
      expect((title?.y ?? 0) + (title?.height ?? 0)).toBeLessThan(height);
    });
  },
);

test.runIf(chromiumPath !== undefined)('nothing covers the field that has the focus, at 400 %', async () => {
  const { page } = await openPage(window(), 'about:blank', { width: 320, dark: false });
  const form = scenes.find(({ name }) => name === 'form');
  await form?.open(page, app.stack.url);
  // A window of 1280 x 900 pixels at 400 %.
  await page.setViewportSize({ width: 320, height: 225 });
  await page.locator('.editor input').first().focus();
  const covered: (string | undefined)[] = [];
  for (let count = 0; count < 40; count += 1) {
    covered.push(await isFocusCovered(page));
    await page.keyboard.press('Tab');
  }
  expect(covered.filter((field) => field !== undefined)).toEqual([]);
});
