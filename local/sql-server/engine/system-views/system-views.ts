import type { FunctionContext } from '../functions/definition.ts';
import { informationSchemaViews } from './information-schema.ts';
import { keyViews } from './keys.ts';
import { sysViews } from './objects.ts';
import type { SystemView } from './view.ts';

const views = new Map<string, SystemView>(
  [...sysViews, ...keyViews, ...informationSchemaViews].map((view) => [view.name, view]),
);

/** The system view of a qualified name, if it is one. */
export function systemView(parts: readonly string[]): SystemView | undefined {
  return parts.length < 2 ? undefined : views.get(parts.slice(-2).join('.').toLowerCase());
}

/** The rows of a system view, by its name. */
export function systemRows(name: string, context: FunctionContext): readonly (readonly unknown[])[] {
  return views.get(name)?.rows(context) ?? [];
}
