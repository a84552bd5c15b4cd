/** Choices and links, in pages of the server and of scripts. */

import type { SelectHTMLAttributes } from 'preact';

/** The value of an option, and its text. */
export type Option = readonly [value: string | number, text: string];

export function Options({ options }: { readonly options: readonly Option[] }) {
  return options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}

interface SelectProps extends SelectHTMLAttributes {
  readonly label: string;
  readonly options: readonly Option[];
}

/** A choice with its label. */
export function Select({ label, options, ...attributes }: SelectProps) {
  return (
    <label>
      {label}
      <select {...attributes}>
        <Options options={options} />
      </select>
    </label>
  );
}

/** Address, text, and whether it is the page that is open. */
export type TabLink = readonly [href: string, text: string, isCurrent?: boolean];

/** Links side by side, of which one is the open page. */
export function Tabs({ label, links }: { readonly label: string; readonly links: readonly TabLink[] }) {
  return (
    <nav class="views" aria-label={label}>
      {links.map(([href, text, isCurrent]) => (
        <a key={href} href={href} aria-current={isCurrent ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
