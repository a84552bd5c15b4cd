import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releaseNotes } from '../../../scripts/release-notes.ts';

const changelog = `# Changelog

## Unreleased

- Not yet.

## 1.10.0 (2026-11-22)

- One.

### Fixed

- Two.

## [1.1.0] - 2026-10-01

- Three.

## 1.0.0
`;

describe('releaseNotes()', () => {
  test.each([
    ['1.10.0', '- One.\n\n### Fixed\n\n- Two.'],
    ['1.1.0', '- Three.'],
    ['Unreleased', '- Not yet.'],
  ])('gives the section of %s', (version, notes) => {
    expect(releaseNotes(changelog, version)).toBe(notes);
  });
});

test('a tag of another version is rejected', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release-notes.ts', 'v99.0.0'], {
    cwd: join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('The tag v99.0.0 does not name the version of package.json'),
  });
});
