import { describe, expect, test, vi } from 'vitest';
import { refusedAddress, throughFirewall } from '../../../../infra/deploy/sql-firewall.ts';
import { recordingContext } from './recording-context.ts';

describe('throughFirewall()', () => {
  const outputs = new Map([
    ['AZURE_RESOURCE_GROUP', 'rg'],
    ['SQL_SERVER_NAME', 'sql'],
  ]);
  const refused = new Error(
    "Cannot open server 'sql' requested by the login. Client with IP address '203.0.113.7' is not allowed to access the server.",
  );
  const rule = (action: string) => `az sql server firewall-rule ${action} --resource-group rg --server sql`;
  const list = `${rule('list')} --query '[?starts_with(name, '\\''deploy-'\\'')].name' --output tsv`;
  const ruleName = /--name (deploy-dev-\d{8}T\d{6}Z)/;

  test('finds the address in the error, also where it is the cause of another', () => {
    expect([
      refusedAddress(refused),
      refusedAddress(new Error('x', { cause: refused })),
      refusedAddress('x'),
    ]).toEqual(['203.0.113.7', '203.0.113.7', undefined]);
  });

  test('looks for the rules of an existing server in its own group', async () => {
    const { context, ran } = recordingContext();
    const existing = new Map([...outputs, ['SQL_SERVER_RESOURCE_GROUP', 'rg-product']]);
    await throughFirewall(context, existing, async () => {});
    expect(ran).toEqual([list.replace('--resource-group rg ', '--resource-group rg-product ')]);
  });

  test('opens the firewall for this machine and closes it afterwards', async () => {
    const { context, ran } = recordingContext();
    const work = vi
      .fn()
      .mockRejectedValueOnce(refused)
      .mockRejectedValueOnce(refused)
      .mockResolvedValue(undefined);
    await throughFirewall(context, outputs, work);
    const name = ruleName.exec(ran[1] ?? '')?.[1];
    expect(ran).toEqual([
      list,
      `${rule('create')} --name ${name} --start-ip-address 203.0.113.7 --end-ip-address 203.0.113.7 --output none`,
      `${rule('delete')} --name ${name}`,
    ]);
  });

  test('closes it also when the work fails', async () => {
    const { context, ran } = recordingContext();
    const work = vi.fn().mockRejectedValueOnce(refused).mockRejectedValue(new Error('Invalid column'));
    await expect(throughFirewall(context, outputs, work)).rejects.toThrow('Invalid column');
    expect(ran.at(-1)).toContain(rule('delete'));
  });

  test('removes its own rules that are too old to be in use, and none of others', async () => {
    const young = `deploy-dev-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    const others =
      'deploy-203-0-113-7\ndeploy-office\ndeploy-prod-20200101T000000Z\ndeploy-dev2-20200101T000000Z';
    const { context, ran } = recordingContext(async (_, [, , , action]) =>
      action === 'list' ? `deploy-dev-20200101T000000Z\n${young}\n${others}\n` : '',
    );
    await throughFirewall(context, outputs, async () => {});
    expect(ran.slice(1)).toEqual([`${rule('delete')} --name deploy-dev-20200101T000000Z`]);
  });

  test('waits for a paused database', async () => {
    const { context, said } = recordingContext();
    const paused = new Error("Database 'records' on server 'sql' is not currently available.");
    await throughFirewall(
      context,
      outputs,
      vi.fn().mockRejectedValueOnce(paused).mockResolvedValue(undefined),
    );
    expect(said).toEqual(['database: not yet (try 1 of 3); again in 0 s ...']);
  });
});
