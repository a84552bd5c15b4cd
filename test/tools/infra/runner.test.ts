/** The runner inside of a private network: what its container does, on substitutes of its tools, and when it is refused. */

import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import jwt from 'jsonwebtoken';
import { describe, expect, test } from 'vitest';
import { mustBeAllowed } from '../../../infra/deploy/guards.ts';
import { effectiveValues } from '../../../infra/deploy/values.ts';
import { fakeTools } from '../../support/fake-tools.ts';

const script = readFileSync(join(import.meta.dirname, '../../../infra/runner/start.sh'), 'utf8');
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** Starts a container with these variables; gives what was asked of GitHub, with which token, and the calls of its tools. */
function start(variables: Readonly<Record<string, string>>, before = '') {
  const stdin = `fs.readFileSync(0)`;
  const tools = fakeTools({
    openssl: `if (words[0] === 'base64') process.stdout.write(${stdin}.toString('base64'));
      else process.stdout.write(require('node:crypto').sign('sha256', ${stdin}, fs.readFileSync(words[words.indexOf('-sign') + 1])));`,
    jq: `console.log(JSON.parse(${stdin})[words.at(-1).slice(1)]);`,
    sudo: `if (words[0] === 'tee') fs.appendFileSync(__dirname + '/written', words[1] + ' ' + ${stdin});`,
    curl: `if (words.at(-1).endsWith('.asc')) { console.log('the key'); return; }
      const file = words.find((word) => word.startsWith('@')).slice(1);
      const asked = words.at(-1) + ' ' + fs.readFileSync(file, 'utf8');
      fs.appendFileSync(__dirname + '/asked', asked + '\\n');
      console.log(JSON.stringify({ token: asked.includes('access_tokens') ? 'of-installation' : 'registration' }));`,
    'config.sh': '',
    'run.sh': `fs.writeFileSync(__dirname + '/ran', String(process.env.GITHUB_CREDENTIAL));`,
    az: '',
    gh: '',
  });
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', before + script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${tools.folder}${delimiter}${process.env['PATH']}`,
      RUNNER_HOME: tools.folder,
      GITHUB_API: 'https://api.example.org',
      REPOSITORY: 'owner/name',
      LABEL: 'inside-prod',
      ...variables,
    },
    encoding: 'utf8',
  });
  const read = (name: string) => readFileSync(join(tools.folder, name), 'utf8');
  return {
    status,
    stderr,
    asked: read('asked').trim().split('\n'),
    ran: read('ran'),
    calls: tools.calls(),
    read,
  };
}

describe('the container of a runner', () => {
  test('registers for one job with a token, which the job does not get', () => {
    const { status, stderr, asked, ran, calls } = start({ GITHUB_CREDENTIAL: 'the-token' });
    expect({ status, stderr, ran }).toEqual({ status: 0, stderr: '', ran: 'undefined' });
    expect(asked).toEqual([
      'https://api.example.org/repos/owner/name/actions/runners/registration-token Authorization: Bearer the-token',
    ]);
    expect(calls.find((call) => call.startsWith('config.sh'))).toMatch(
      /--unattended --ephemeral --no-default-labels --labels inside-prod --name \S+ --url https:\/\/github\.com\/owner\/name --token registration$/,
    );
    expect(calls.filter((call) => /the-token/.test(call))).toEqual([]);
  });

  test('registers with the key of a GitHub App, by a token of its installation', () => {
    const { status, asked, ran } = start({
      GITHUB_CREDENTIAL: privateKey.trim(),
      APPLICATION_ID: '123',
      INSTALLATION_ID: '456',
    });
    expect({ status, ran }).toEqual({ status: 0, ran: 'undefined' });
    const [first = '', second] = asked;
    const [url, claim = ''] = first.split(' Authorization: Bearer ');
    expect(url).toBe('https://api.example.org/app/installations/456/access_tokens');
    const {
      iss,
      iat = 0,
      exp = 0,
    } = jwt.verify(claim, publicKey, { algorithms: ['RS256'] }) as jwt.JwtPayload;
    expect({ iss, seconds: exp - iat }).toEqual({ iss: '123', seconds: 600 });
    expect(second).toBe(
      'https://api.example.org/repos/owner/name/actions/runners/registration-token Authorization: Bearer of-installation',
    );
  });
});

describe('a deployment with a runner', () => {
  const runner = {
    repository: 'o/n',
    keyVaultId: '/subscriptions/s/resourceGroups/g/x',
    secretName: 'token',
  };
  const allowed = (values: Readonly<Record<string, unknown>>, profile = 'prod') =>
    mustBeAllowed(
      effectiveValues({ profile, values: { alertEmails: '["a@b.c"]', runner: JSON.stringify(values) } }),
    );

  test('is refused without a network, and without what the runner needs', () => {
    expect(() => allowed(runner)).not.toThrow();
    expect(() => allowed({ ...runner, applicationId: '1', installationId: '2' })).not.toThrow();
    expect(() => allowed(runner, 'dev')).toThrow('runner needs privateNetworking=true');
    expect(() => allowed({ ...runner, applicationId: '1' })).toThrow('applicationId and installationId');
    for (const name of Object.keys(runner))
      expect(() => allowed({ ...runner, [name]: undefined })).toThrow(
        'repository, keyVaultId and secretName',
      );
  });
});
