import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readInspect, readStartSettings } from '../../../../scripts/start/settings.ts';
import { newFolder } from '../../../support/temporary-folder.ts';

let root: string;
beforeEach(() => {
  root = newFolder();
});

const server = { DB_SERVER: 'sql.example.org', DB_TRUSTED_CONNECTION: 'true' };
const defaults = () => ({ port: 7071, folder: join(root, '.local'), sampleData: true, settings: {} });

describe('readStartSettings()', () => {
  test('has a default for everything', () => {
    expect(readStartSettings(root, { HOME: '/home/somebody' })).toEqual(defaults());
  });

  test.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ LOCAL_STATE: 'memory' }, { folder: undefined }],
    [{ LOCAL_STATE: '/var/state' }, { folder: '/var/state' }],
    [{ SAMPLE_DATA: 'off' }, { sampleData: false }],
    [{ ...server, OTHER: 'x' }, { settings: server }],
    [{ DB_SERVER: '' }, {}],
    [{ WEBSITE_CORS_ALLOWED_ORIGINS: '["*"]' }, { settings: { WEBSITE_CORS_ALLOWED_ORIGINS: '["*"]' } }],
  ])('reads %j', (environment, expected) => {
    expect(readStartSettings(root, environment)).toEqual({ ...defaults(), ...expected });
  });

  test.each([
    [{ PORT: '70000' }, 'PORT must be a number from 0 to 65535, not "70000".'],
    [{ PORT: '7072' }, 'PORT must not be 7072, which is for the emulator identity.'],
    [{ SAMPLE_DATA: 'no' }, 'SAMPLE_DATA must be "on" or "off", not "no".'],
  ])('rejects %j', (environment, message) => {
    expect(() => readStartSettings(root, environment)).toThrow(message);
  });

  test('names every one that is wrong, a line each, those of the app too', () => {
    const wrong = {
      PORT: '70000',
      SAMPLE_DATA: 'no',
      DB_POOL_MAX: 'many',
      BIND_USERS: 'maybe',
      OBJECT_TYPES: 'x',
      CALENDAR_TIME_ZONE: 'Mars/Olympus',
      APIS: 'none',
      LOG_FORMAT: 'xml',
    };
    const said = () => readStartSettings(root, wrong);
    expect(said).toThrow();
    try {
      said();
    } catch (error) {
      const lines = (error as Error).message.split('\n');
      expect(lines).toHaveLength(Object.keys(wrong).length);
      for (const name of Object.keys(wrong)) expect(lines.join('\n')).toContain(name);
    }
  });

  test('counts what the emulators bring as given', () => {
    for (const given of [{ ...server, DB_NAME: 'a' }, { APIS: 'records' }])
      expect(readStartSettings(root, given).settings).toEqual(given);
  });

  test.each([
    ['{', "Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
    ['{ "Values": [] }', '"Values" is not an object'],
    ['{ "Values": { "DB_POOL_MAX": 5 } }', 'the value of "DB_POOL_MAX" is not a text in quotes'],
  ])('refuses %j in local.settings.json', (content, fault) => {
    writeFileSync(join(root, 'local.settings.json'), content);
    expect(() => readStartSettings(root, {})).toThrow(
      `Cannot read local.settings.json: ${fault}. local.settings.json.example shows its form.`,
    );
  });

  test('takes settings from local.settings.json, below those of the environment', () => {
    writeFileSync(
      join(root, 'local.settings.json'),
      '\uFEFF{ "Values": { "DB_SERVER": "one", "DB_NAME": "two", "DB_TRUSTED_CONNECTION": "true", "FUNCTIONS_WORKER_RUNTIME": "node" } }',
    );
    expect(readStartSettings(root, { DB_SERVER: 'three' }).settings).toEqual({
      DB_SERVER: 'three',
      DB_NAME: 'two',
      DB_TRUSTED_CONNECTION: 'true',
    });
  });
});

test.each(['0.0.0.0:9229', '9229 --eval=1'])('readInspect() rejects %j', (value) => {
  expect(() => readInspect(value)).toThrow(`--inspect takes a port, not "${value}".`);
});
