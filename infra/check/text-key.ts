/** Keys of texts, for what is read from them once: a check of many changes reads most files as they were. */

const numbers = new Map<string, number>();

/** Returns the same short key for the same files with the same texts, in their order. */
export function keyOfTexts(files: Iterable<readonly [file: string, text: string]>): string {
  let key = '';
  for (const [file, text] of files) key += `${numberOf(file)} ${numberOf(text)},`;
  return key;
}

function numberOf(text: string): number {
  const number = numbers.get(text);
  if (number !== undefined) return number;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}
