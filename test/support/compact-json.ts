/** Writes JSON with one line for each value that fits on one, so that a difference shows its line. */
export function compactJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= 120) return line;
  const inner = `${indent} `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((item) => inner + compactJson(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${inner}${JSON.stringify(name)}: ${compactJson(item, inner)}`,
      );
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
