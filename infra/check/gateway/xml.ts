/** The gateway's policy as a tree of elements. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Text directly inside, without blanks around. */
  readonly text: string;
}

const tag = /<(\/?)([\w-]+)((?:\s+[\w-]+=(?:'[^']*'|"[^"]*"))*)\s*(\/?)>/g;
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};
const decoded = (text: string) =>
  text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity);

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Parses a policy. Throws a SyntaxError that says what is not well-formed. */
export function parsePolicy(source: string): Element {
  const text = source.replace(/<!--[\s\S]*?-->/g, '');
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const open: Open[] = [root];
  let at = 0;
  for (const match of text.matchAll(tag)) {
    const [all, closes, name = '', attributes = '', closed] = match;
    addText(open.at(-1), text.slice(at, match.index));
    at = match.index + all.length;
    if (closes) {
      const element = open.pop();
      if (element?.name !== name) throw new SyntaxError(`</${name}> closes another element`);
      open.at(-1)?.children.push({ ...element, text: element.text.trim() });
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' };
      if (closed) open.at(-1)?.children.push(element);
      else open.push(element);
    }
  }
  addText(open.at(-1), text.slice(at));
  const [policy, ...more] = root.children;
  if (open.length > 1) throw new SyntaxError(`<${open.at(-1)?.name}> is not closed`);
  if (!policy || more.length > 0 || root.text.trim() !== '')
    throw new SyntaxError('there must be one element around everything');
  return policy;
}

function addText(element: Open | undefined, text: string): void {
  const stray = /[<&](?!(?:lt|gt|quot|apos|amp);)/.exec(text);
  if (stray)
    throw new SyntaxError(`"${text.slice(stray.index, stray.index + 40).trim()}" is not well-formed`);
  if (element) element.text += decoded(text);
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w-]+)=(?:'([^']*)'|"([^"]*)")/g)];
  return Object.fromEntries(
    pairs.map(([, name = '', single, double]) => [name, decoded(single ?? double ?? '')]),
  );
}
