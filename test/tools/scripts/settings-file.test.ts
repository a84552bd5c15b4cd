import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettingsFile } from '../../../scripts/settings-file.ts';

function folderWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  writeFileSync(join(folder, 'local.settings.json'), content);
  return folder;
}

test('readSettingsFile() returns no settings without a file', () => {
  expect(readSettingsFile(mkdtempSync(join(tmpdir(), 'settings-')))).toEqual({});
});

test.each([
  ['{}', {}],
  ['{ "Values": { "A": "1", "B": "" } }', { A: '1', B: '' }],
  ['\uFEFF{ "Values": { "A": "1" } }', { A: '1' }],
])('readSettingsFile() reads %j', (content, settings) => {
  expect(readSettingsFile(folderWith(content))).toEqual(settings);
});

test.each([
  ['{', /^Cannot read local\.settings\.json: .+ local\.settings\.json\.example shows its form\.$/],
  ['[]', /it is not a JSON object/],
  ['{ "Values": [] }', /"Values" is not an object/],
  ['{ "Values": { "A": 1 } }', /the value of "A" is not a text in quotes/],
])('readSettingsFile() rejects %j', (content, message) => {
  expect(() => readSettingsFile(folderWith(content))).toThrow(message);
});
