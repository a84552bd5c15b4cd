/** Logins. */
import { Connection, type ConnectionConfiguration } from 'tedious';
import { describe, expect, test } from 'vitest';
import type { Identity } from '../../../../local/index.ts';
import { startIssuer, tenantId } from '../../../../test/support/issuer.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';
import { clientConfig, connect, PASSWORD, startWire } from '../support/wire-server.ts';

interface Attempt {
  /** What the client reports, empty when it is in. */
  readonly error: string;
  readonly messages: { number: number; message: string }[];
  readonly changes: string[];
}

/** Logs in with tedious itself, which tells all that the server says, and leaves. */
async function attempt(port: number, authentication: unknown, options: object = {}): Promise<Attempt> {
  const config = {
    server: '127.0.0.1',
    authentication,
    options: { port, encrypt: false, database: 'main', ...options },
  } as ConnectionConfiguration;
  const connection = new Connection(config);
  const messages: Attempt['messages'] = [];
  const changes: string[] = [];
  connection.on('errorMessage', ({ number, message }) => messages.push({ number, message }));
  connection.on('databaseChange', (database) => changes.push(`database ${database}`));
  connection.on('languageChange', (language) => changes.push(`language ${language}`));
  const error = await new Promise<Error | undefined>((resolve) => connection.connect(resolve));
  const ended = new Promise((resolve) => connection.once('end', resolve));
  connection.close();
  if (!error) await ended;
  return { error: error?.message ?? '', messages, changes };
}

function password(userName: string, word: string) {
  return { type: 'default', options: { userName, password: word } };
}

describe('a SQL login', () => {
  test('with the right password gets the database that it names', async () => {
    const engine = new ScriptedEngine();
    await using server = await startWire(engine);
    const result = await attempt(server.port, password('SA', PASSWORD), { database: 'other' });
    expect(result).toEqual({ error: '', messages: [], changes: ['database other', 'language us_english'] });
    expect(engine.sessions.map(({ user, database }) => ({ user, database }))).toEqual([
      { user: 'SA', database: 'other' },
    ]);
    expect(server.log).toEqual([]);
  });

  test.each([
    ['sa', 'wrong', "wrong password for user 'sa'"],
    ['sa', '', "wrong password for user 'sa'"],
    ['eve', PASSWORD, "there is no user 'eve'"],
  ])('as %j with %j is refused with 18456, and only the log says why', async (user, word, reason) => {
    await using server = await startWire(new ScriptedEngine());
    const error = `Login failed for user '${user}'.`;
    expect(await attempt(server.port, password(user, word))).toEqual({
      error,
      messages: [{ number: 18456, message: error }],
      changes: [],
    });
    expect(server.log).toEqual([`Login refused: ${reason}`]);
  });

  test('to an unknown database is refused with 4060 and then 18456, as on SQL Server', async () => {
    await using server = await startWire(new ScriptedEngine());
    const reason = 'Cannot open database "nowhere" requested by the login. The login failed.';
    const { error, messages } = await attempt(server.port, password('sa', PASSWORD), { database: 'nowhere' });
    expect({ error, messages }).toEqual({
      error: "Login failed for user 'sa'.",
      messages: [
        { number: 4060, message: reason },
        { number: 18456, message: "Login failed for user 'sa'." },
      ],
    });
    expect(server.log).toEqual([`Login refused: ${reason}`]);
  });
});

describe('a client that this server cannot serve', () => {
  test('is disconnected when it starts TLS at once, and the log says why', async () => {
    await using server = await startWire(new ScriptedEngine());
    const { error } = await attempt(server.port, password('sa', PASSWORD), { encrypt: 'strict' });
    expect(error).not.toBe('');
    expect(server.log.join()).toContain(
      'The client starts TLS at once (Encrypt=Strict), which this server does not have',
    );
  });

  test('hears that there is no integrated security', async () => {
    await using server = await startWire(new ScriptedEngine());
    const { messages } = await attempt(server.port, {
      type: 'ntlm',
      options: { userName: 'a', password: 'b', domain: 'c' },
    });
    expect(messages[0]?.message).toContain('Integrated security is not supported');
  });

  test('hears that TDS 7.4 is spoken when it speaks an older version', async () => {
    await using server = await startWire(new ScriptedEngine());
    const { messages } = await attempt(server.port, password('sa', PASSWORD), { tdsVersion: '7_3_B' });
    expect(messages[0]?.message).toBe(
      'The local SQL server speaks TDS 7.4; the client asked for version 0x730b0003.',
    );
  });

  test('hears that tokens need an issuer where there is none', async () => {
    await using server = await startWire(new ScriptedEngine());
    const { messages } = await attempt(server.port, {
      type: 'azure-active-directory-access-token',
      options: { token: 'x.y.z' },
    });
    expect(messages[0]?.message).toContain('Federated authentication is not set up');
  });
});

describe('a login with a token', () => {
  const forDatabase = { aud: 'https://database.windows.net/', upn: 'ada@example.org' };
  const databaseToken = (issuer: Identity, claims = {}) => issuer.issueToken({ ...forDatabase, ...claims });
  const withToken = (token: string) => ({ type: 'azure-active-directory-access-token', options: { token } });

  test('brings it along (security token)', async () => {
    const issuer = await startIssuer();
    const engine = new ScriptedEngine();
    await using server = await startWire(engine, issuer.authority);
    expect(await attempt(server.port, withToken(databaseToken(issuer)))).toMatchObject({ error: '' });
    expect(engine.sessions[0]?.user).toBe('ada@example.org');
  });

  test('hears where to get it, and then sends it (token-credential)', async () => {
    const issuer = await startIssuer();
    const engine = new ScriptedEngine();
    await using server = await startWire(engine, issuer.authority);
    const scopes: unknown[] = [];
    const credential = {
      getToken: async (scope: unknown) => {
        scopes.push(scope);
        const token = issuer.issueToken({ aud: forDatabase.aud, idtyp: 'app', ver: '1.0', appid: 'app' });
        return { token, expiresOnTimestamp: 0 };
      },
    };
    const authentication = { type: 'token-credential', options: { credential } };
    expect(await attempt(server.port, authentication)).toMatchObject({ error: '' });
    expect({ scopes, user: engine.sessions[0]?.user }).toEqual({
      scopes: ['https://database.windows.net/.default'],
      user: `app@${tenantId}`,
    });
  });

  test('works through a pool of mssql', async () => {
    const issuer = await startIssuer();
    await using server = await startWire(new ScriptedEngine(), issuer.authority);
    const { user: _user, password: _password, ...config } = clientConfig(server.port);
    const authentication = withToken(databaseToken(issuer, { aud: 'https://database.windows.net' }));
    await using pool = await connect(server.port, { ...config, authentication } as typeof config);
    expect((await pool.request().query('SELECT 1')).recordset).toHaveLength(1);
  });

  test('fetches the keys once, and again when a token names a new one', async () => {
    const issuer = await startIssuer();
    await using server = await startWire(new ScriptedEngine(), issuer.authority);
    const fetched = [];
    for (const rotate of [false, false, true]) {
      if (rotate) issuer.keyRing.rotate();
      expect(await attempt(server.port, withToken(databaseToken(issuer)))).toMatchObject({ error: '' });
      fetched.push(issuer.requests.keys);
    }
    // Two at a time: the keys of tokens of version 1.0, and of 2.0.
    expect(fetched).toEqual([2, 2, 4]);
  });

  test.each([
    ['1.0', (authority: string) => authority],
    ['2.0', (authority: string) => authority],
    ['1.0', (authority: string) => authority.replace('/v2.0', '')],
    ['2.0', (authority: string) => `${authority.replace('/v2.0', '')}/`],
  ])('may be of version %s, however the authority is written', async (ver, write) => {
    const issuer = await startIssuer();
    await using server = await startWire(new ScriptedEngine(), write(issuer.authority));
    expect(await attempt(server.port, withToken(databaseToken(issuer, { ver })))).toMatchObject({
      error: '',
    });
  });

  const past = Math.floor(Date.now() / 1000) - 600;
  test.each<[string, Record<string, unknown>]>([
    ['has expired', { exp: past }],
    ['is not yet valid', { nbf: past + 1200 }],
    ['never expires', { exp: undefined }],
    ['is for another audience', { aud: 'https://management.azure.com/' }],
    ['is for an audience that ours begins', { aud: 'https://database.windows.net/x' }],
    ['is from another issuer', { iss: 'https://login.example.org/' }],
  ])('is refused when the token %s', async (_name, claims) => {
    const issuer = await startIssuer();
    const engine = new ScriptedEngine();
    await using server = await startWire(engine, issuer.authority);
    const error = "Login failed for user '<token-identified principal>'.";
    expect(await attempt(server.port, withToken(databaseToken(issuer, claims)))).toMatchObject({
      error,
      messages: [{ number: 18456, message: error }],
    });
    expect(server.log).toEqual([expect.stringMatching(/^Login refused: the token is not good: /)]);
    expect(engine.sessions).toEqual([]);
  });

  test.each([
    ['has no signature', (good: string) => `${good.split('.').slice(0, 2).join('.')}.`],
    ['has another payload than was signed', (good: string) => good.replace(/\.[^.]+\./, '.eyJhIjoxfQ.')],
    ['is no token', () => 'hello'],
    ['is blank', () => ' '],
  ])('is refused when the token %s', async (_name, spoil) => {
    const issuer = await startIssuer();
    await using server = await startWire(new ScriptedEngine(), issuer.authority);
    const { messages } = await attempt(server.port, withToken(spoil(databaseToken(issuer))));
    expect(messages).toMatchObject([{ number: 18456 }]);
  });

  test('is refused when the token is signed by a key that was withdrawn', async () => {
    const issuer = await startIssuer();
    await using server = await startWire(new ScriptedEngine(), issuer.authority);
    const token = databaseToken(issuer);
    issuer.keyRing.rotate({ withdraw: true });
    expect((await attempt(server.port, withToken(token))).messages).toMatchObject([{ number: 18456 }]);
  });

  test('is refused, and the log says why, when the issuer does not answer', async () => {
    const issuer = await startIssuer();
    const token = databaseToken(issuer);
    await issuer.stop();
    await using server = await startWire(new ScriptedEngine(), issuer.authority);
    expect(await attempt(server.port, withToken(token))).toMatchObject({ messages: [{ number: 18456 }] });
    expect(server.log).toEqual(['Login refused: the token is not good: fetch failed']);
  });
});
