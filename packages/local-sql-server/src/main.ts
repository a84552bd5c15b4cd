/** The process of the local SQL server: engine and wire, until it is stopped. */
import { type Started, tellParent, toldToStop } from '../../child-process.ts';
import { type CommandLine, readCommandLine, UsageError, usage } from './command-line.ts';
import { openEngine } from './engine/engine.ts';
import type { Engine } from './engine/session.ts';
import { tellStalls } from './stalls.ts';
import { listen, type RunningServer } from './wire/server.ts';

const USAGE_ERROR = 2;

try {
  const given = readCommandLine(process.argv.slice(2));
  if (given) await serve(given);
  else console.log(usage);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = USAGE_ERROR;
}

async function serve(given: CommandLine): Promise<void> {
  const opened = await open(given).catch((error: Error) => error);
  if (opened instanceof Error) {
    say({ failure: opened.message });
    process.exitCode = 1;
    return;
  }
  const told = toldToStop();
  tellStalls((line) => console.error(line));
  say({ port: opened.server.port });
  await told;
  await opened.server.stop();
  opened.engine.close();
  process.exit();
}

async function open(given: CommandLine): Promise<{ engine: Engine; server: RunningServer }> {
  const { folder, databases, users, issuer, port } = given;
  const engine = openEngine({ folder, databases, logins: Object.keys(users) });
  const server = await listen({ engine, port, users, issuer, log: (line) => console.error(line) });
  return { engine, server };
}

/** Informs the parent process, or writes to standard output without one. */
function say(started: Started): void {
  if (!tellParent(started)) console.log(JSON.stringify(started));
}
