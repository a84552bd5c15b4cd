import { describe, expect, test } from 'vitest';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { made, quick, toolsOf, values } from './fixtures.ts';

describe('the step provision', () => {
  test('prints the role assignments when they are left to someone else', async () => {
    const listed = [{ scope: '/s', role: 'r', principalId: 'p', reason: 'Because.' }];
    const tools = playTools(toolsOf({ ...made, ROLE_ASSIGNMENTS_CREATED: false, ROLE_ASSIGNMENTS: listed }));
    const words = ['provision', '-e', 'dev', ...values, '--set', 'createRoleAssignments=false', ...quick];
    const { stdout } = await runDeploy(words, tools);
    expect(stdout).toContain(
      '# Because.\naz role assignment create --name 67de01c8-7be0-585d-97bf-b211545f65bd --role r --scope /s --assignee-object-id p --assignee-principal-type ServicePrincipal\n',
    );
  });

  test.each(['provision', 'preview', 'drift'])(
    'of a production without operators nothing is asked of Azure by %s',
    async (step) => {
      const tools = playTools(toolsOf(made));
      const { code, stderr } = await runDeploy([step, '-e', 'prod', ...values, ...quick], tools);
      expect({ code, refused: stderr.includes('Production needs alertEmails') }).toEqual({
        code: 2,
        refused: true,
      });
      expect(tools.calls()).toEqual([]);
    },
  );
});
