import { describe, expect, test } from 'vitest';
import { checkWorkflows } from '../../../infra/check/actionlint.ts';
import { fakeTool } from '../../support/fake-tools.ts';

describe('the layer of actionlint', () => {
  test('says that it was skipped where there is none, and else what it has found', async () => {
    expect(await checkWorkflows(process.cwd(), 'no-such-actionlint')).toMatchObject({
      skipped: 'no actionlint on the PATH',
      faults: [],
    });
    const fault = 'deploy.yml:3:1: unexpected key "onn" [syntax-check]';
    const failing = fakeTool(`echo '${fault}'; exit 1`);
    expect((await checkWorkflows(process.cwd(), failing.tool)).faults).toEqual([fault]);
    expect((await checkWorkflows(process.cwd(), fakeTool('').tool)).faults).toEqual([]);
  });
});
