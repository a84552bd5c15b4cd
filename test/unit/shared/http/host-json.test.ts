import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { requestLimit } from '../../../../shared/http/host-json.ts';

const setting = 'AzureFunctionsJobHost__extensions__http__maxOutstandingRequests';

describe('requestLimit()', () => {
  test.each([
    [{ [setting]: '10' }, 8],
    [{ [setting]: '90' }, 75],
    [{ 'azurefunctionsjobhost:Extensions:HTTP:maxoutstandingrequests': '240' }, 200],
    [{ [setting]: '1' }, 1],
    [{ [setting]: '-1' }, 500],
    [{ [setting]: 'x' }, 500],
  ])('is below what the host takes by %j', (environment, limit) => {
    expect(requestLimit(environment)).toBe(limit);
  });

  test('is below what the host takes by host.json', () => {
    const host = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../host.json'), 'utf8')) as {
      extensions: { http: { maxOutstandingRequests: number } };
    };
    // From here host.json is not where the bundle would find it.
    expect(requestLimit({ [setting]: String(host.extensions.http.maxOutstandingRequests) })).toBe(500);
  });
});
