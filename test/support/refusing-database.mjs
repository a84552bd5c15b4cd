/**
 * Preloaded into a run: in the place of the database driver, one whose server has a firewall. It refuses this machine until az has made a
 * rule, and executes nothing; while the file `busy` is there a batch does not end. FIREWALL is the folder of az's rules, one file each.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const folder = process.env.FIREWALL ?? '';
mkdirSync(folder, { recursive: true });

async function batch() {
  if (!existsSync(`${folder}/busy`)) return;
  writeFileSync(`${folder}/waiting`, '');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}

class ConnectionPool {
  async connect() {
    if (readdirSync(folder).some((name) => name.startsWith('deploy-'))) return;
    throw new Error(
      "Cannot open server 'sql-dev' requested by the login. Client with IP address '203.0.113.7' is not allowed to access the server.",
    );
  }
  request() {
    return { batch };
  }
  close() {}
}
globalThis.refusingDatabase = { ConnectionPool };

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'mssql'
      ? {
          url: 'data:text/javascript,export default globalThis.refusingDatabase',
          shortCircuit: true,
        }
      : next(specifier, context),
});
