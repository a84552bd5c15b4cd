/** Applications that are registered with the local tenant, each with a secret and app roles: clients that sign in as themselves. */

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a client signs in with. */
export interface ClientSecret {
  readonly clientId: string;
  readonly secret: string;
}

export interface Clients {
  /** Registers a client, and returns what it signs in with. */
  register(roles: readonly string[]): ClientSecret;
  /** Removes a client, so that what it signed in with is worth nothing any more. */
  remove(clientId: string): void;
  isRegistered(clientId: string): boolean;
  /** Returns the roles of a client; undefined when it is not registered, or its secret is another. */
  rolesOf(clientId: string, secret: string): readonly string[] | undefined;
}

interface Client {
  readonly secretHash: string;
  readonly roles: readonly string[];
}

/** Opens the registrations. With a folder they are kept in `identity-clients.json`, so that they outlive a restart. */
export function openClients(folder?: string): Clients {
  const clients = new Map<string, Client>(Object.entries(stored(folder)));
  const save = () => folder !== undefined && write(folder, Object.fromEntries(clients));
  return {
    register(roles) {
      const clientId = randomUUID();
      // The characters of the secrets of Entra ID.
      const secret = `${randomBytes(3).toString('hex')}~${randomBytes(24).toString('base64url')}`;
      clients.set(clientId, { secretHash: hashOf(secret), roles });
      save();
      return { clientId, secret };
    },
    remove(clientId) {
      clients.delete(clientId);
      save();
    },
    isRegistered: (clientId) => clients.has(clientId.toLowerCase()),
    rolesOf(clientId, secret) {
      const client = clients.get(clientId.toLowerCase());
      return client?.secretHash === hashOf(secret) ? client.roles : undefined;
    },
  };
}

function stored(folder: string | undefined): Record<string, Client> {
  if (folder === undefined || !existsSync(fileIn(folder))) return {};
  return JSON.parse(readFileSync(fileIn(folder), 'utf8'));
}

function write(folder: string, clients: Readonly<Record<string, Client>>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileIn(folder), `${JSON.stringify(clients, null, 2)}\n`, { mode: 0o600 });
}

function fileIn(folder: string): string {
  return join(folder, 'identity-clients.json');
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
