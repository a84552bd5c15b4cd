import type { Finding, Project } from '../model.ts';
import type { Data } from '../plan/data.ts';
import { differences, leaves } from '../plan/lines.ts';
import { parseYaml } from '../yaml.ts';

const file = 'azure.yaml';
const run = 'npm run deploy -- finish --stack azd --yes';
const hook = { windows: { shell: 'pwsh', run }, posix: { shell: 'sh', run } };

/** All that azd must find: the template, and after each of its commands schema, users and code; no services, whose package azd would push. */
const wanted = {
  name: 'records-and-calendar',
  infra: { provider: 'bicep', path: 'infra/bicep', module: 'main' },
  hooks: { postprovision: hook, postdeploy: hook },
};

/** azd finds the template and its parameters, and every way through it ends with schema, users and code. */
export function azureYaml({ files }: Project): Finding[] {
  try {
    const found = parseYaml(files.get(file) ?? '') as Data;
    return differences(new Map(leaves(found)), new Map(leaves(wanted))).map(([what, here, must]) => ({
      file,
      message: `${what} is ${here ?? 'missing'}; it must be ${must ?? 'left out'}`,
    }));
  } catch (error) {
    return [{ file, message: String(error) }];
  }
}
