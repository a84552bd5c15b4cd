import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemaVersions } from '../../../../shared/records/schema.ts';

const folder = join(import.meta.dirname, '../../../../infra/database');

test.each(Object.entries(schemaVersions))(
  'schemaVersions.%s is the number of the last script',
  (name, version) => {
    const numbers = readdirSync(join(folder, name)).map((file) => Number.parseInt(file, 10));
    expect(Math.max(...numbers)).toBe(version);
  },
);
