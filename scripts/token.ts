/** `npm run token`: prints an access token of the local issuer, and nothing else, on standard output. */

import { fixedSettings, folderOfStart, type IssuerFile, readIssuerFile } from '../local/index.ts';
import { readArguments } from './command-line.ts';

const help = `Prints an access token for the local APIs. Needs a running "npm start".

  npm run --silent token -- <e-mail> [--role R ...]     a user: any address, any app roles
  npm run --silent token -- --app [--role R ...]        an application that acts for itself
  npm run --silent token -- --client [--role R ...]     no token: a new client id and its secret, as name:password

  --role R     app role in the token, may be repeated; without it a sample user has the roles of
               the sample data, an application has Service.Access, a client Calendar.Editor, and everybody else has none
  --app        an app-only token: no user, no e-mail
  --client     registers a client that knows only passwords, for CALENDAR_BASIC=true
  --v1         a token of version 1.0 instead of 2.0
  --help       this text

The issuer is that of the "npm start" with the same LOCAL_STATE (default .local, or
the one that keeps nothing where only that runs), and never another one that happens to have its port.

  curl -H "Authorization: Bearer $(npm run --silent token -- alice@example.org)" http://localhost:7071${fixedSettings['SERVICE_API_BASE_URL']}/v8.0/authorized`;

const options = {
  role: { type: 'string', multiple: true },
  app: { type: 'boolean', default: false },
  client: { type: 'boolean', default: false },
  v1: { type: 'boolean', default: false },
} as const;

/** Something the user can mend: shown as it is, without a stack. */
class UserError extends Error {}

async function main(): Promise<string> {
  const { values, positionals } = readArguments({
    command: 'npm run token',
    help,
    options,
    allowPositionals: true,
  });
  if (values.client) return newClient(values.role ?? ['Calendar.Editor'], positionals);
  const grant = grantFor(values.app, positionals);
  const issuer = issuerFile();
  const path = values.v1 ? '/oauth2/token' : '/oauth2/v2.0/token';
  const form = new URLSearchParams({ client_id: issuer.clientId, ...grant });
  if (values.role !== undefined) form.set('roles', values.role.join(' '));
  const { access_token: token = '' } = await requestToken(issuer, path, form);
  return mustBeFrom(issuer, token);
}

/** Registers a client; a separate token shows that the issuer is ours. */
async function newClient(roles: readonly string[], positionals: readonly string[]): Promise<string> {
  if (positionals.length > 0) throw new UserError('A client has no e-mail address: give --client alone.');
  const issuer = issuerFile();
  const form = new URLSearchParams({ roles: roles.join(' ') });
  const { client_id = '', client_secret = '' } = await requestToken(issuer, '/clients', form);
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token: token = '' } = await requestToken(
    issuer,
    '/oauth2/v2.0/token',
    new URLSearchParams(grant),
  );
  mustBeFrom(issuer, token);
  return `${client_id}:${client_secret}`;
}

function grantFor(app: boolean, [email, ...rest]: string[]): Record<string, string> {
  if (rest.length > 0)
    throw new UserError(`Only one e-mail address can be given, not also: ${rest.join(', ')}`);
  if (app && email !== undefined)
    throw new UserError('Give either an e-mail address or --app: an application has no e-mail.');
  if (app) return { grant_type: 'client_credentials', client_secret: 'any', roles: 'Service.Access' };
  if (email === undefined) throw new UserError(`Whose token? Give an e-mail address, or --app.\n\n${help}`);
  return { grant_type: 'password', username: email, password: 'any' };
}

/** Where the last start with this folder said that it listens. */
function issuerFile(): IssuerFile {
  const folder = folderOfStart(process.cwd(), process.env['LOCAL_STATE']);
  const found = readIssuerFile(folder);
  if (found !== undefined) return found;
  throw new UserError(
    `Cannot find the local issuer: no "npm start" has run with its state in ${folder} (LOCAL_STATE).`,
  );
}

/** Throws when another issuer, such as that of another copy of this project, listens where ours did. */
function mustBeFrom({ url, keyId }: IssuerFile, token: string): string {
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
    kid?: string;
  };
  if (kid === keyId) return token;
  throw new UserError(
    `Cannot get a token: what answers at ${url} is the issuer of another "npm start". Run "npm start" here again, or name its LOCAL_STATE.`,
  );
}

async function requestToken(
  { url, tenantId }: IssuerFile,
  path: string,
  form: URLSearchParams,
): Promise<Partial<Record<string, string>>> {
  const endpoint = `${url}/${tenantId}${path}`;
  const response = await fetch(endpoint, { method: 'POST', body: form }).catch((cause: Error) => {
    throw new UserError(
      `Cannot reach the local issuer at ${new URL(endpoint).origin}: nothing answers there. Start it with "npm start".`,
      { cause },
    );
  });
  if (!response.headers.get('content-type')?.startsWith('application/json'))
    throw new UserError(
      `Cannot get a token: what answers at ${new URL(endpoint).origin} is not the local issuer. Run "npm start" again.`,
    );
  const body = (await response.json()) as Partial<Record<string, string>>;
  if (response.ok) return body;
  const problem = body['error_description'] ?? `the issuer answered ${response.status}`;
  throw new UserError(`Cannot get a token: ${problem}`);
}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
