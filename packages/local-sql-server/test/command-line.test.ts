/** The command line. */
import { describe, expect, test } from 'vitest';
import { readCommandLine, UsageError, usage } from '../src/command-line.ts';

describe('the command line', () => {
  test('names folder or memory, databases, logins and more', () => {
    expect(
      readCommandLine([
        '--folder',
        'state',
        '--database',
        'a',
        '--database',
        'b',
        '--login',
        'sa:p:w',
        '--issuer',
        'http://127.0.0.1:1/t',
        '--port',
        '14330',
      ]),
    ).toEqual({
      folder: 'state',
      databases: ['a', 'b'],
      users: { sa: 'p:w' },
      issuer: 'http://127.0.0.1:1/t',
      port: 14330,
    });
    expect(readCommandLine(['--memory', '--database', 'a', '--login', 'sa:'])).toEqual({
      folder: undefined,
      databases: ['a'],
      users: { sa: '' },
      issuer: undefined,
      port: 0,
    });
  });

  test('may ask for help', () => {
    expect(readCommandLine(['--help'])).toBe(undefined);
    expect(readCommandLine(['-h', '--port', 'x'])).toBe(undefined);
  });

  test.each([
    [[], 'Give either --folder or --memory.'],
    [['--folder', 'x', '--memory'], 'Give either --folder or --memory.'],
    [['--memory'], 'Give at least one --database.'],
    [['--memory', '--database', 'a'], 'Give at least one --login, or an --issuer.'],
    [['--memory', '--database', 'a', '--login', 'sa'], 'A --login has the form user:password.'],
    [['--memory', '--database', 'a', '--login', ':x'], 'A --login has the form user:password.'],
    [
      ['--memory', '--database', 'a', '--login', 'a:b', '--port', '65536'],
      '--port must be a number from 0 to 65535, not "65536".',
    ],
    [
      ['--memory', '--database', 'a', '--login', 'a:b', '--port', '1e3'],
      '--port must be a number from 0 to 65535, not "1e3".',
    ],
    [['--memory', '--verbose'], "Unknown option '--verbose'"],
    [['--memory', 'x'], "Unexpected argument 'x'"],
  ])('%j is refused', (argv, message) => {
    expect(() => readCommandLine(argv)).toThrow(UsageError);
    expect(() => readCommandLine(argv)).toThrow(message);
  });

  test('has every option in its help', () => {
    const options = ['folder', 'memory', 'database', 'login', 'issuer', 'port', 'help'];
    expect([...usage.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name)).toEqual(options);
  });
});
