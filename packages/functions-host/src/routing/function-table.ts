/** The functions of an app in the order in which the host tries them. */

import type { FunctionMetadata } from '../worker/functions-core.ts';
import { matchRoute, parseRouteTemplate, type RouteTemplate, splitPath } from './route-template.ts';

export type { FunctionMetadata } from '../worker/functions-core.ts';

interface HttpFunction {
  readonly name: string;
  readonly trigger: string;
  readonly template: RouteTemplate;
  readonly methods: ReadonlySet<string>;
}

export interface FoundFunction {
  readonly name: string;
  /** The name of its HTTP trigger. */
  readonly trigger: string;
  readonly params: Readonly<Record<string, string>>;
}

export interface FunctionTable {
  /** Finds the function of a decoded path and a method; methods count without regard to case. */
  find(path: string, method: string): FoundFunction | undefined;
}

/** Creates the table. Throws when a function has a trigger, a key or a route that the emulator does not support. */
export function createFunctionTable(
  functions: readonly FunctionMetadata[],
  routePrefix: string,
): FunctionTable {
  const table = functions
    .toSorted((a, b) => compareNames(a.name, b.name))
    .map((metadata) => toHttpFunction(metadata, routePrefix));
  return {
    find(path, method) {
      const parts = splitPath(path);
      const wanted = method.toUpperCase();
      for (const { name, trigger, template, methods } of table) {
        const params = methods.has(wanted) ? matchRoute(template, path, parts) : undefined;
        if (params !== undefined) return { name, trigger, params };
      }
      return undefined;
    },
  };
}

/** The host sorts functions by name, ordinally and without regard to case; there is no precedence of literals over parameters. */
function compareNames(a: string, b: string): number {
  const first = a.toUpperCase();
  const second = b.toUpperCase();
  return first < second ? -1 : first > second ? 1 : 0;
}

function toHttpFunction({ name, bindings }: FunctionMetadata, routePrefix: string): HttpFunction {
  const [trigger, binding] = Object.entries(bindings).find(([, { direction }]) => direction === 'in') ?? [];
  if (trigger === undefined || binding?.type !== 'httpTrigger')
    throw new Error(`Cannot load the function "${name}": the emulator has HTTP triggers only.`);
  if (binding.authLevel !== undefined && binding.authLevel.toLowerCase() !== 'anonymous')
    throw new Error(`Cannot load the function "${name}": the emulator has no function keys (authLevel).`);
  const { route = name, methods = ['GET', 'POST'] } = binding;
  const prefixed = routePrefix === '' ? route : `${routePrefix}/${route.replace(/^\//, '')}`;
  return {
    name,
    trigger,
    template: parseRouteTemplate(prefixed),
    methods: new Set(methods.map((method) => method.toUpperCase())),
  };
}
