/**
 * The messages of SQL Server that this server can give: number, severity class and text, one per line; `%s` is filled
 * in order. Source: `sys.messages`, as documented in "Database Engine events and errors".
 */
import { textsBelow1000 } from './message-texts-below-1000.ts';
import { textsFrom1000 } from './message-texts-from-1000.ts';

interface Template {
  readonly severity: number;
  readonly text: string;
}

const templates = new Map((textsBelow1000 + textsFrom1000).trim().split(/\n+/).map(parse));

function parse(line: string): [number, Template] {
  const [, number, severity, template = ''] = /^(\d+) (\d+) (.*)$/.exec(line) ?? [];
  return [Number(number), { severity: Number(severity), text: template }];
}

/** The severity of a message, and its text filled by `values`, in order. */
export function messageFor(number: number, values: readonly (string | number)[]): Template {
  const template = templates.get(number);
  if (!template) throw new RangeError(`There is no message ${number}`);
  let index = 0;
  return {
    severity: template.severity,
    text: template.text.replace(/%s/g, () => String(values[index++] ?? '')),
  };
}
