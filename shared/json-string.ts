/** Returns the offset behind the JSON string whose opening quote is at an offset; the end of the text where it is not closed. Searches for quotes and not through characters, since a string may be as long as a body. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1))
    if (!isEscaped(text, quote)) return quote + 1;
  return text.length;
}

/** Checks whether a quote in a string stands behind an odd number of backslashes. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text[before] === '\\') before--;
  return (quote - before) % 2 === 0;
}
