/** Colours of categories and of the site, with the text colour that is readable on each (WCAG 2.2, contrast 4.5). */

import type { EventView, TermView } from './types.ts';

/** Colours of categories without one, by the id of the category. White is readable on each. */
const palette = ['0b5cad', '9a3412', '166534', '7e22ce', '92400e', '0f766e', '9d174d', '475569'];

/** Least contrast of text (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

/** Returns the relative luminance of a colour of six hexadecimal digits (WCAG 2.2). */
function luminanceOf(color: string): number {
  const linear = (start: number) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(0) + 0.7152 * linear(2) + 0.0722 * linear(4);
}

/** Returns the contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const first = luminanceOf(one);
  const second = luminanceOf(other);
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** Returns the colour of text on a background: white where that is readable, else black, which then is. */
export function textOn(background: string): 'ffffff' | '000000' {
  return contrastOf('ffffff', background) >= minContrast ? 'ffffff' : '000000';
}

/** Mixes a colour with black or white, step by step, until it is readable on a background. */
export function readableOn(background: string, color: string): string {
  const target = luminanceOf(background) > 0.18 ? 0 : 255;
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = [0, 2, 4].map((start) => {
      const value = Number.parseInt(color.slice(start, start + 2), 16);
      const mixedValue = Math.round(value + (target - value) * part);
      return mixedValue.toString(16).padStart(2, '0');
    });
    if (contrastOf(mixed.join(''), background) >= minContrast) return mixed.join('');
  }
  return target === 0 ? '000000' : 'ffffff';
}

/** Returns the function that finds the colour of a category: its own, else that of the nearest parent, else one of the palette. */
export function createColorOf(categories: readonly TermView[]): (term: Pick<TermView, 'id'>) => string {
  const byId = new Map(categories.map((category) => [category.id, category]));
  return ({ id }) => {
    let top = id;
    for (let term = byId.get(id); term !== undefined; term = byId.get(term.parent ?? 0)) {
      if (term.color) return term.color.slice(1);
      top = term.id;
    }
    return palette[top % palette.length] ?? '';
  };
}

export type ColorOf = ReturnType<typeof createColorOf>;

/** Returns the class of an event with the colour of its first category. */
export function classOf({ categories: [first] }: Pick<EventView, 'categories'>, colorOf: ColorOf): string {
  return first === undefined ? '' : `c-${colorOf(first)}`;
}

/** Backgrounds of pages in the light and in the dark scheme. */
const lightPage = 'ffffff';
const darkPage = '13171f';

/** Returns the style sheet of the colour of the site, and of classes of categories: `c-0b57a4` for the colour `#0b57a4`. */
export function colorSheet(site: string, categories: readonly string[]): string {
  const primary = (background: string) => {
    const color = `#${readableOn(background, site)}`;
    return `--pico-primary:${color};--pico-primary-hover:${color};--pico-primary-underline:${color};`;
  };
  const rules = [
    `:root{--site:#${site};--on-site:#${textOn(site)};${primary(lightPage)}`,
    ...['background', 'border', 'hover-background', 'hover-border'].map(
      (name) => `--pico-primary-${name}:#${site};`,
    ),
    `--pico-primary-inverse:#${textOn(site)};}`,
    `@media (prefers-color-scheme:dark){:root{${primary(darkPage)}}}`,
    ...categories.map((color) => `.c-${color}{--category:#${color};--on-category:#${textOn(color)}}`),
  ];
  return rules.join('\n');
}
