/** The index of the calendar API, and its description of each route (docs/calendar-contract.md, "Index and document"). */

import * as Type from 'typebox';
import type { Config } from '../../../shared/config.ts';
import { CodedError } from '../../../shared/errors.ts';
import type { EndpointDescription } from '../../../shared/http/description.ts';
import { json } from '../../../shared/http/reply.ts';
import type { Caller } from '../model/rights.ts';
import { bounds } from '../wire/bounds.ts';
import { endpoint } from '../wire/input.ts';
import { querySchema } from '../wire/parameters.ts';

type AnyEndpoint = Pick<EndpointDescription<Caller>, 'method' | 'path' | 'parameters' | 'query' | 'body'>;
type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Creates the endpoint of the index. */
export function indexEndpoint(namespace: string, config: Config) {
  return endpoint({
    method: 'GET',
    path: '',
    operationId: 'get-calendar-index',
    bound: bounds.index,
    summary: 'List the routes of the calendar API',
    tag: 'Calendar: index',
    access: 'optional',
    query: querySchema({
      namespace: { description: 'Namespace of the API.', type: 'string', default: namespace, parse: String },
      context: {
        description: 'Accepted, and changes nothing.',
        type: 'string',
        default: 'view',
        parse: String,
      },
    }),
    problems: { 404: 'Another namespace (rest_invalid_namespace).' },
    replies: {
      200: {
        description: 'Namespace and routes.',
        schema: Type.Object({
          namespace: Type.String(),
          routes: Type.Object({}, { additionalProperties: true }),
          _links: Type.Object(
            {},
            { additionalProperties: true, description: 'The site that the calendar is part of.' },
          ),
        }),
      },
    },
    handle({ query, link, siteLink, route }) {
      const { namespace: asked = namespace } = query;
      if (asked !== namespace)
        throw new CodedError('rest_invalid_namespace', 'Cannot list the routes: there is no such namespace.');
      const routes = Object.fromEntries(
        [...Map.groupBy(route.api.endpoints, ({ path }) => path)].map(([path, group]) => [
          routePattern(namespace, path),
          { ...describeRoute(namespace, group), ...selfLink(path, link) },
        ]),
      );
      const site = config.CALENDAR_SITE_URL || siteLink('');
      return json({ namespace, routes, _links: { up: [{ href: `${site}/` }] } });
    },
  });
}

/** Describes a route: its methods, and the arguments of each. Updates by POST, PUT and PATCH are one. */
export function describeRoute(namespace: string, endpoints: readonly AnyEndpoint[]) {
  const groups = Map.groupBy(endpoints, (item) => JSON.stringify(argumentsOf(item)));
  return {
    namespace,
    methods: endpoints.map(({ method }) => method),
    endpoints: [...groups.values()].flatMap((group) => {
      const [first] = group;
      return first === undefined
        ? []
        : [{ methods: group.map(({ method }) => method), args: argumentsOf(first) }];
    }),
  };
}

/** The parameters that name the record come first, then the fields, then the other parameters. */
function argumentsOf({ parameters, query, body }: AnyEndpoint): Record<string, object> {
  const required = [parameters, body?.schema].flatMap(requiredOf);
  const properties = { ...propertiesOf(parameters), ...propertiesOf(body?.schema), ...propertiesOf(query) };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, description, default: value }]) => [
      name,
      {
        description,
        type: type ?? 'any',
        required: required.includes(name),
        ...(value === undefined ? {} : { default: value }),
      },
    ]),
  );
}

function requiredOf(schema: object | undefined): readonly string[] {
  return (schema as { required?: readonly string[] } | undefined)?.required ?? [];
}

function propertiesOf(schema: object | undefined): Properties {
  return (schema as { properties?: Properties } | undefined)?.properties ?? {};
}

/** Returns a path as clients know it: `/tribe/events/v1/events/(?P<id>\d+)`. */
export function routePattern(namespace: string, path: string): string {
  const root = namespace === '' ? '' : `/${namespace}`;
  return `${root}${path.replace('{id}', '(?P<id>\\d+)').replace('{slug}', '(?P<slug>[^/]+)')}` || '/';
}

function selfLink(path: string, link: (path: string) => string): object {
  return path.includes('{') ? {} : { _links: { self: [{ href: link(path) }] } };
}
