/** Pages in a real browser: what every one must be at two widths. */

import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { chromiumPath, launchChromium } from './chromium.ts';

/** A desk and a phone, in pixels. */
export const widths = [1280, 390] as const;

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A page that was opened, with what its console has said of errors. */
export interface OpenPage {
  readonly page: Page;
  readonly errors: readonly string[];
}

/**
 * Opens a window for the tests of a file. Each test has a new page in it, with a separate session. Opening a window takes a browser longer
 * than any page.
 */
async function openWindow(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    // Far from the zones of the events, whose times pages show as they are there.
    timezoneId: 'America/New_York',
    // axe is put into the page, which its policy would refuse.
    bypassCSP: false,
  });
  // A window closes with its last page.
  await context.newPage();
  return context;
}

/** Opens a browser with a window for the tests of this file, and closes it behind them; returns the window. There is none where Chromium is not installed. */
export function useWindow(): () => BrowserContext {
  let browser: Browser | undefined;
  let window: BrowserContext | undefined;
  beforeAll(async () => {
    if (chromiumPath === undefined) return;
    browser = await launchChromium();
    window = await openWindow(browser);
  });
  afterAll(() => browser?.close());
  return () => window as BrowserContext;
}

/** Opens an address for one test in a page of a width; `dark` as a system in the dark mode does. A busy machine takes its time. */
export async function openPage(
  window: BrowserContext,
  url: string,
  { width, dark }: { readonly width: number; readonly dark: boolean },
): Promise<OpenPage> {
  const page = await window.newPage();
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
  // A page that stays open continues to ask for health.
  onTestFinished(() => page.close());
  page.setDefaultTimeout(300_000);
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url);
  return { page, errors };
}

/** Elements, by a selector, that a rule of axe-core leaves out. */
export type Exceptions = Readonly<Record<string, string>>;

/**
 * Expects of a page that axe-core reports nothing, that the console is free of errors, and that nothing is wider than the window: in the
 * fonts of the machine, and in a wide and larger one.
 */
export async function expectGoodPage({ page, errors }: OpenPage, exceptions: Exceptions = {}): Promise<void> {
  expect(errors).toEqual([]);
  expect(await violationsOf(page, exceptions)).toEqual([]);
  expect(await overflowsOf(page)).toEqual([0, 0]);
}

/** Returns by how many pixels a page is wider than the window in each font; fonts are set as Pico has them. */
function overflowsOf(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const fonts = [{}, { '--pico-font-size': '125%', '--pico-font-family': 'monospace' }];
    return fonts.map((font) => {
      for (const [name, value] of Object.entries(font)) root.style.setProperty(name, value);
      const overflow = root.scrollWidth - innerWidth;
      for (const name of Object.keys(font)) root.style.removeProperty(name);
      return Math.max(0, overflow);
    });
  });
}

/** axe-core's own source is evaluated by the debugger, which no policy of the page hinders. */
async function violationsOf(page: Page, exceptions: Exceptions): Promise<unknown[]> {
  const { readFileSync } = await import('node:fs');
  await page.evaluate(readFileSync(axe, 'utf8'));
  return page.evaluate(async (exceptions) => {
    const { violations } = await (globalThis as unknown as Axe).axe.run({ elementRef: true });
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ element }) => !element.matches(exceptions[id] ?? ':not(*)'))
        .map(({ html, failureSummary }) => [id, html, failureSummary]),
    );
  }, exceptions);
}

/** What axe-core defines in a page. */
interface Axe {
  readonly axe: {
    run(options: { readonly elementRef: true }): Promise<{ readonly violations: readonly Violation[] }>;
  };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly {
    readonly element: Element;
    readonly html: string;
    readonly failureSummary: string;
  }[];
}
