/** What an eye sees of a page as it is drawn: texts without room, things over each other, and what is too small to be hit. */

import type { Page } from 'playwright-core';

/** Letters that a text has room for, at least, unless its longest word has fewer. */
const letters = 14;

/** Returns the texts of the main part that are narrower than their longest word, or than some letters where that is longer. */
export function narrowTexts(page: Page): Promise<string[]> {
  return page.evaluate((letters) => {
    const pen = document.createElement('canvas').getContext('2d');
    const parts = 'main :is(h1, h2, h3, p, dd, dt, td, label, .summary)';
    return [...document.querySelectorAll<HTMLElement>(parts)].flatMap((element) => {
      const text = element.innerText.trim();
      const { width, height } = element.getBoundingClientRect();
      const isShown =
        height > 1 && width > 0 && !element.closest('.hidden, .chips, dialog:not([open]), .overflow-auto');
      if (!isShown || text === '' || pen === null) return [];
      pen.font = getComputedStyle(element).font;
      const longest = Math.max(
        ...text.split(/[\s\u2010-\u2014/-]+/).map((word) => pen.measureText(word.slice(0, letters)).width),
      );
      return width + 1 < longest
        ? [`${text.slice(0, 40)}: ${Math.round(width)} of ${Math.round(longest)} px`]
        : [];
    });
  }, letters);
}

/** Returns the neighbours of which one lies over the other by more than two pixels, but for what the calendar itself places. */
export function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isPlaced = (element: Element) => {
      const { position, display, float } = getComputedStyle(element);
      return (
        ['static', 'relative'].includes(position) &&
        !['inline', 'none', 'contents'].includes(display) &&
        // Lines flow around it, inside of the boxes beside it.
        float === 'none'
      );
    };
    const nameOf = (element: Element) =>
      `${element.tagName} ${element.className} ${element.textContent?.trim().slice(0, 30)}`;
    const found: string[] = [];
    for (const parent of document.querySelectorAll('body, header, main, main *, footer, footer *')) {
      if (parent.closest('#calendar [role=grid], svg, dialog:not([open])')) continue;
      const boxes = [...parent.children]
        .filter(isPlaced)
        .map((element) => ({ element, box: element.getBoundingClientRect() }));
      boxes.forEach(({ element, box }, index) => {
        for (const other of boxes.slice(index + 1)) {
          const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
          const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
          if (width > 2 && height > 2) found.push(`${nameOf(element)} / ${nameOf(other.element)}`);
        }
      });
    }
    return found;
  });
}

/** Returns what can be pressed, stands in no sentence, and is less than 24 pixels high or wide (WCAG 2.2, 2.5.8). */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const targets = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary',
    );
    return [...targets].flatMap((target) => {
      // A box to tick is hit by its label too.
      const label =
        target instanceof HTMLInputElement && /checkbox|radio/.test(target.type)
          ? target.closest('label')
          : null;
      const { width, height } = (label ?? target).getBoundingClientRect();
      const isShown =
        width > 1 && height > 1 && target.checkVisibility() && !target.closest('.hidden, .skip');
      const isInText = getComputedStyle(target).display === 'inline';
      return isShown && !isInText && (width < 24 || height < 24)
        ? [
            `${target.tagName} ${target.textContent?.trim().slice(0, 30)}: ${Math.round(width)} x ${Math.round(height)}`,
          ]
        : [];
    });
  });
}

/** Checks whether the element that has the focus is in sight, and nothing lies over its middle. */
export function isFocusCovered(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
    const { left, top, width, height } = focused.getBoundingClientRect();
    const x = left + width / 2;
    const y = Math.min(Math.max(top + Math.min(height, innerHeight) / 2, 0), innerHeight - 1);
    const over = document.elementFromPoint(x, y);
    const isFree = over !== null && (focused.contains(over) || over.contains(focused));
    return isFree ? undefined : `${focused.tagName} ${focused.id} below ${over?.tagName} ${over?.className}`;
  });
}
