/** Takes pictures of the pages in Chromium: those that have to be looked at after a change, and those of README.md. */

import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { DevStack } from '../../local/index.ts';
import { explained, readArguments } from '../command-line.ts';

const root = join(import.meta.dirname, '..', '..');

/** The pages of README.md by the names of their files: where they are, and what is there once they are complete. */
const ofReadme = {
  calendar: ['/calendar', '.event img'],
  month: ['/calendar?view=month', '#calendar .today'],
  event: ['/event/jazz-at-the-harbour/', 'article img'],
  records: ['/records?login_hint=alice@example.org#documents/document-contract', 'section.source table'],
  // The sign-in of the page before counts here too.
  edit: ['/edit?kind=event', '.editor .terms label'],
  explorer: ['/api/swagger?urls.primaryName=records', '.opblock'],
} as const;

/** Settings of the site of a town. */
const settings = {
  SITE_NAME: 'Havneby',
  SITE_HOME: 'Havneby Town|da:Havneby Kommune|sv:Havneby kommun=https://www.example.org',
  SITE_ADDRESS: 'Torvet 1; 8000 Havneby',
  SITE_CONTACT: '12 34 56 78=tel:+4512345678,culture@example.org=mailto:culture@example.org',
  CALENDAR_CURRENCY: 'DKK',
};

async function pictureReadme(browser: Browser, { url }: DevStack): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 768 }, locale: 'en-GB' });
  const page = await context.newPage();
  for (const [name, [path, complete]] of Object.entries(ofReadme)) {
    await page.goto(url + path);
    await page.locator(complete).first().waitFor();
    await page.screenshot({ path: join(root, 'docs', 'pictures', `${name}.png`) });
    console.log(`docs/pictures/${name}.png`);
  }
}

/** Waits for the images of a page, those below what is in sight too. */
async function allImages(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager';
    return Promise.allSettled([...document.images].map((image) => image.decode()));
  });
}

/** Takes each scene on a phone and on a desk, light and dark, in whole; and what a printer would print of two of them. */
async function pictureScenes(browser: Browser, { url }: DevStack, only: readonly string[]): Promise<void> {
  const { scenes, windows } = await import('./scenes.ts');
  const folder = join(root, '.local', 'pictures');
  await mkdir(folder, { recursive: true });
  const chosen = scenes.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
  for (const viewport of windows)
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme, locale: 'en-GB' });
      for (const { name, open } of chosen) {
        const page = await context.newPage();
        await open(page, url);
        await allImages(page);
        const file = join(folder, `${name}-${viewport.width}-${colorScheme}.png`);
        await page.screenshot({ path: file, fullPage: true });
        console.log(relative(root, file));
        if (viewport.width > 1000 && colorScheme === 'light' && /^(?:front|event|venue)$/.test(name)) {
          const printed = join(folder, `${name}.pdf`);
          await page.pdf({ path: printed, format: 'A4' });
          console.log(relative(root, printed));
        }
        await page.close();
      }
      await context.close();
    }
}

async function takePictures(executablePath: string, words: readonly string[]): Promise<void> {
  // All this takes longer to load than an explanation to read.
  const [{ chromium }, { fillTown, startDevStack }, { buildApp }, { prepareDatabases }] = await Promise.all([
    import('playwright-core'),
    import('../../local/index.ts'),
    import('../build.ts'),
    import('../migrate/migrate.ts'),
  ]);
  const isReadme = words.includes('readme');
  await buildApp();
  const stack = await startDevStack({ migrate: prepareDatabases, settings });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    if (isReadme) return await pictureReadme(browser, stack);
    await fillTown({ url: stack.calendar, token: stack.token('alice@example.org') });
    await pictureScenes(browser, stack, words);
  } finally {
    await browser.close();
    await stack.stop();
  }
}

if (import.meta.main) {
  const { positionals } = readArguments({
    command: 'npm run pictures',
    allowPositionals: true,
    help: `Takes pictures of the pages with the calendar of a town, to look at. CHROMIUM names the browser (/usr/bin/chromium).

  npm run pictures                   every scene at 390 and 1280 pixels, light and dark, and three as PDF, in .local/pictures
  npm run pictures -- front event    the scenes whose name has one of the words
  npm run pictures -- readme         those of README.md, in docs/pictures`,
  });
  await explained(() => takePictures(process.env['CHROMIUM'] ?? '/usr/bin/chromium', positionals));
}
