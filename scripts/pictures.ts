/** Takes the pictures of the pages in README.md: the sample data in the dev stack, in Chromium, light and small. */

import { join } from 'node:path';
import { explained, readArguments } from './command-line.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');

/** The pages by the names of their files: where they are, and what is there once they are complete. */
const pages = {
  calendar: ['/calendar', '.event img'],
  month: ['/calendar?view=month', '#calendar .today'],
  event: ['/event/jazz-at-the-harbour/', 'article img'],
  records: ['/records?login_hint=alice@example.org#documents/document-contract', 'section.source table'],
  // The sign-in of the page before counts here too.
  edit: ['/edit?kind=event', '.editor .terms label'],
  explorer: ['/api/swagger?urls.primaryName=records', '.opblock'],
} as const;

async function takePictures(executablePath: string): Promise<void> {
  // All this takes longer to load than an explanation to read.
  const [{ chromium }, { startDevStack }, { buildApp }, { prepareDatabases }] = await Promise.all([
    import('playwright-core'),
    import('../local/index.ts'),
    import('./build.ts'),
    import('./migrate/migrate.ts'),
  ]);
  await buildApp();
  const stack = await startDevStack({ migrate: prepareDatabases, settings: { SITE_NAME: 'Havneby' } });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1200, height: 768 }, locale: 'en-GB' });
    const page = await context.newPage();
    for (const [name, [path, complete]] of Object.entries(pages)) {
      await page.goto(stack.url + path);
      await page.locator(complete).first().waitFor();
      await page.screenshot({ path: join(folder, `${name}.png`) });
      console.log(`docs/pictures/${name}.png`);
    }
  } finally {
    await browser.close();
    await stack.stop();
  }
}

if (import.meta.main) {
  readArguments({
    command: 'npm run pictures',
    help: `Takes the pictures of the pages in README.md. CHROMIUM names the browser (/usr/bin/chromium).

  npm run pictures      takes no options`,
  });
  await explained(() => takePictures(process.env['CHROMIUM'] ?? '/usr/bin/chromium'));
}
