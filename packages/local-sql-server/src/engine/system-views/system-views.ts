/** All system views by name. */
import type { Catalog } from '../catalog.ts';
import type { FunctionContext } from '../functions/definition.ts';
import { keyViews } from './keys.ts';
import { compatibilityViews, emptyViews, sysViews } from './objects.ts';
import { principalViews } from './principals.ts';
import type { SystemView } from './view.ts';

const views = new Map<string, SystemView>(
  [...sysViews, ...compatibilityViews, ...emptyViews, ...keyViews, ...principalViews].map((view) => [
    view.name,
    view,
  ]),
);
const inAnySchema = new Set(compatibilityViews.map(({ name }) => name));

/** The system view of a qualified name, if it is one. Those of SQL Server 2000 need no schema, or take dbo. */
export function systemView(parts: readonly string[]): SystemView | undefined {
  const name = (parts.at(-1) ?? '').toLowerCase();
  const schema = (parts.at(-2) ?? '').toLowerCase();
  if (inAnySchema.has(`sys.${name}`) && ['', 'dbo', 'sys'].includes(schema)) return views.get(`sys.${name}`);
  return views.get(`${schema}.${name}`);
}

/** The texts of views that were asked for, as long as their catalog lasts. */
const texts = new WeakMap<Catalog, Map<string, string>>();

/** Views that tell more than the catalog does. */
const changing = new Set(['sys.identity_columns', 'sys.databases', 'sys.sysdatabases']);

/** The rows of a system view as JSON text. */
export function systemRows(name: string, context: FunctionContext): string {
  const { catalog, database } = context;
  const cached = texts.get(catalog) ?? new Map<string, string>();
  texts.set(catalog, cached);
  const key = `${database} ${name}`;
  const text = cached.get(key) ?? JSON.stringify(views.get(name)?.rows(context) ?? []);
  if (!changing.has(name)) cached.set(key, text);
  return text;
}
