/** Names of files as they stand in addresses: ASCII letters, digits, dots, underscores and hyphens. */

import removeAccents from 'remove-accents';

/** Characters of a name, without its extension. */
const maxLength = 100;

/** Returns the name of a file, with the extension of its type: its own where that is another spelling, such as `.JPEG`. */
export function fileNameOf(name: string, extension: string): string {
  const [file = ''] = name.split(/[\\/]/).slice(-1);
  const [, own = ''] = /\.([^.]*)$/.exec(file) ?? [];
  const base = removeAccents(file.replace(/\.[^.]*$/, ''))
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/[.-]{2,}/g, '-')
    .slice(0, maxLength)
    .replace(/^[.-]+|[.-]+$/g, '');
  const isOfType = own.toLowerCase().replace('jpeg', 'jpg') === extension;
  return `${base || 'picture'}.${isOfType ? own : extension}`;
}
