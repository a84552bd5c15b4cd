/** Returns a text without the spaces at its end. The pattern / +$/ would take quadratic time where there are many elsewhere. */
export function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}
