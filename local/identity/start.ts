/** Starts the local issuer: an emulator for Entra ID and for the managed identity endpoint of App Service. */

import { type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import jwt from 'jsonwebtoken';
import type { SampleUser } from '../sample-data/users.ts';
import { createAuthorization } from './authorization.ts';
import { applicationClaims, type Claims, userClaims } from './claims.ts';
import { type Clients, openClients } from './clients.ts';
import { issuerEndpoints, managedIdentityPath } from './endpoints.ts';
import { type EndpointName, type Endpoints, endpointFor, handle } from './http.ts';
import { readIssuerFile, writeIssuerFile } from './issuer-file.ts';
import { type KeyRing, openKeyRing } from './keys.ts';
import { close, listen } from './listen.ts';
import { issuerOf, type Tenant, type TokenVersion } from './tenant.ts';

export interface IdentityOptions {
  /** 0, the default, takes the port of the last start when the folder knows one and it is free, else any. */
  readonly port?: number;
  /** Keeps key and address, so that tokens outlive a restart; without it nothing is kept. */
  readonly folder?: string;
  readonly tenantId: string;
  /** Client id of the API: the audience of the tokens. */
  readonly clientId: string;
  readonly users: readonly SampleUser[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Makes the keys that it signs with. Default: new ones. */
  readonly generateKey?: (() => KeyObject) | undefined;
}

/** Answers a request instead of the issuer when it returns true: for faults in tests. */
export type Intercept = (
  endpoint: EndpointName,
  request: IncomingMessage,
  response: ServerResponse,
) => boolean;

/** A running issuer. */
export interface Identity {
  readonly url: string;
  /** Value for `AppRegistration__Authority`. */
  readonly authority: string;
  /** Value for `IDENTITY_ENDPOINT`. */
  readonly identityEndpoint: string;
  /** Value for `IDENTITY_HEADER`. */
  readonly identityHeader: string;
  /**
   * Signs a token for the API. The claims given replace those of a user, or of an app-only token with `idtyp: 'app'`; the version is 1.0
   * with `ver: '1.0'`. A claim that is `undefined` is left out.
   */
  issueToken(claims?: Claims): string;
  readonly keyRing: KeyRing;
  /** The clients that may sign in as themselves. */
  readonly clients: Clients;
  /** Requests so far, by endpoint. */
  readonly requests: Readonly<Record<EndpointName, number>>;
  /** Answers every request first, until it is set back to undefined. */
  intercept: Intercept | undefined;
  stop(): Promise<void>;
}

/** Starts the issuer on this machine's loopback address. */
export async function startIdentity(options: IdentityOptions): Promise<Identity> {
  const { port = 0, folder, tenantId, clientId, users, now = Date.now, generateKey } = options;
  const server = createServer();
  const url = await listen(server, port, lastPort(folder));
  const tenant: Tenant = { url, tenantId, clientId, users };
  const keyRing = openKeyRing(folder, generateKey);
  const clients = openClients(folder);
  const sign = (claims: Claims) => signed(claims, keyRing);
  const identityHeader = randomBytes(16).toString('hex').toUpperCase();
  const authorization = createAuthorization(tenant, now);
  const requests = { metadata: 0, keys: 0, authorize: 0, token: 0, clients: 0, 'managed-identity': 0 };
  const identity: Identity = {
    url,
    authority: issuerOf(tenant, '2.0'),
    identityEndpoint: url + managedIdentityPath,
    identityHeader,
    issueToken: (claims = {}) => sign({ ...defaultClaims(tenant, claims, now() / 1000), ...claims }),
    keyRing,
    clients,
    requests,
    intercept: undefined,
    stop: () => close(server),
  };
  serve(
    server,
    issuerEndpoints({ tenant, authorization, clients, sign, now, keyRing, identityHeader }),
    identity,
    requests,
  );
  if (folder !== undefined) writeIssuerFile(folder, { ...tenant, keyId: keyRing.current().keyId });
  return identity;
}

function serve(
  server: Server,
  endpoints: Endpoints,
  identity: Identity,
  requests: Record<EndpointName, number>,
): void {
  server.on('request', (request, response) => {
    const endpoint = endpointFor(endpoints, request);
    if (endpoint !== undefined) requests[endpoint.name] += 1;
    if (endpoint !== undefined && identity.intercept?.(endpoint.name, request, response)) return;
    handle(endpoint, request, response).catch((error: Error) => response.destroy(error));
  });
}

function defaultClaims(tenant: Tenant, { ver, idtyp, email }: Claims, now: number): Claims {
  const version: TokenVersion = ver === '1.0' ? '1.0' : '2.0';
  const facts = { version, audience: tenant.clientId, callingApp: tenant.clientId, now };
  if (idtyp === 'app') return applicationClaims(tenant, { ...facts, roles: [] });
  const [first] = tenant.users;
  const user = typeof email === 'string' ? email : (first?.email ?? 'user@example.org');
  return userClaims(tenant, { ...facts, email: user, scope: 'access_as_user' });
}

function signed(claims: Claims, keyRing: KeyRing): string {
  const { keyId, privateKey } = keyRing.current();
  // Through JSON, which leaves undefined claims out.
  const payload = JSON.stringify(claims);
  return jwt.sign(payload, privateKey, {
    algorithm: 'RS256',
    header: { alg: 'RS256', typ: 'JWT', kid: keyId },
  });
}

function lastPort(folder: string | undefined): number {
  const last = folder === undefined ? undefined : readIssuerFile(folder);
  return last === undefined ? 0 : Number(new URL(last.url).port);
}
