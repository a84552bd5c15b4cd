/** All system views by name. */
import type { Catalog } from '../catalog.ts';
import type { FunctionContext } from '../functions/definition.ts';
import { keyViews } from './keys.ts';
import { sysViews } from './objects.ts';
import { principalViews } from './principals.ts';
import type { SystemView } from './view.ts';

const views = new Map<string, SystemView>(
  [...sysViews, ...keyViews, ...principalViews].map((view) => [view.name, view]),
);

/** The system view of a qualified name, if it is one. */
export function systemView(parts: readonly string[]): SystemView | undefined {
  return parts.length < 2 ? undefined : views.get(parts.slice(-2).join('.').toLowerCase());
}

/** The texts of views that were asked for, as long as their catalog lasts. */
const texts = new WeakMap<Catalog, Map<string, string>>();

/** The rows of a system view as JSON text. */
export function systemRows(name: string, context: FunctionContext): string {
  const { catalog, database } = context;
  const cached = texts.get(catalog) ?? new Map<string, string>();
  texts.set(catalog, cached);
  const key = `${database} ${name}`;
  const text = cached.get(key) ?? JSON.stringify(views.get(name)?.rows(context) ?? []);
  cached.set(key, text);
  return text;
}
