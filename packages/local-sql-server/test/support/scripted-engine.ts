/** An engine for tests of the wire: it answers each request with the events that the test has written down for it. */
import {
  type Engine,
  type Event,
  LoginFailure,
  type Message,
  type Parameter,
  type Session,
  type TransactionRequest,
} from '../../src/engine/session.ts';

export type Script = (
  session: ScriptedSession,
  parameters: readonly Parameter[],
) => AsyncIterable<Event> | Iterable<Event>;

/** One connection of the scripted engine; `log` tells what was asked of it, in order. */
export class ScriptedSession implements Session {
  database: string;
  readonly user: string;
  readonly log: string[] = [];
  cancelled = false;
  /** Called by `cancel`; an answer that waits sets it. */
  onCancel: () => void = () => {};
  private readonly answers: ReadonlyMap<string, Script>;
  private readonly home: string;

  constructor(user: string, database: string, answers: ReadonlyMap<string, Script>) {
    this.user = user;
    this.database = database;
    this.home = database;
    this.answers = answers;
  }

  async *batch(sql: string): AsyncIterable<Event> {
    this.log.push(`batch ${sql}`);
    yield* this.run(sql, []);
  }

  /** `sp_executesql` is answered by its statement with the parameters behind the declarations, all others by name. */
  async *procedure(name: string, parameters: readonly Parameter[]): AsyncIterable<Event> {
    const [statement, , ...values] = parameters;
    const executes = name.toLowerCase() === 'sp_executesql';
    this.log.push(
      `call ${name} ${parameters.map((parameter) => `${parameter.name}=${String(parameter.value)}`).join(', ')}`,
    );
    yield* executes ? this.run(String(statement?.value), values) : this.run(name, parameters);
  }

  async *transaction(request: TransactionRequest): AsyncIterable<Event> {
    this.log.push(`transaction ${request.action} ${request.name}`);
    yield* this.run(request.action, []);
  }

  cancel(): void {
    this.log.push('cancel');
    this.cancelled = true;
    this.onCancel();
  }

  reset({ keepsTransaction = false } = {}): void {
    this.log.push(keepsTransaction ? 'reset keeping the transaction' : 'reset');
    this.database = this.home;
  }

  close(): void {
    this.log.push('close');
  }

  private async *run(key: string, parameters: readonly Parameter[]): AsyncIterable<Event> {
    this.cancelled = false;
    const script = this.answers.get(key.trim());
    if (script) yield* script(this, parameters);
    else if (!/^set /i.test(key) && key.trim() !== '')
      yield { kind: 'message', message: unknownProcedure(key) };
  }
}

function unknownProcedure(name: string): Message {
  return {
    number: 2812,
    state: 62,
    class: 16,
    message: `Could not find stored procedure '${name}'.`,
    line: 1,
  };
}

/** The scripted engine has the databases `main` and `other`; `sessions` holds all that were opened, in order. */
export class ScriptedEngine implements Engine {
  readonly sessions: ScriptedSession[] = [];
  private readonly answers: ReadonlyMap<string, Script>;

  constructor(answers: Readonly<Record<string, Script>> = {}) {
    this.answers = new Map(Object.entries({ 'SELECT 1': selectOne, echo, ...answers }));
  }

  openSession({ user, database }: { user: string; database: string }): Session {
    if (!['', 'main', 'other'].includes(database)) {
      const message = `Cannot open database "${database}" requested by the login. The login failed.`;
      throw new LoginFailure({ number: 4060, state: 1, class: 11, message, line: 1 });
    }
    const session = new ScriptedSession(user, database || 'main', this.answers);
    this.sessions.push(session);
    return session;
  }

  close(): void {}
}

function* selectOne(): Iterable<Event> {
  yield { kind: 'columns', columns: [{ name: '', type: { name: 'int' }, nullable: false }] };
  yield { kind: 'row', values: [1] };
  yield { kind: 'statementDone', count: 1, insideProcedure: false };
}

/** Answers with one row: the parameters, under their names and types. */
function* echo(_session: ScriptedSession, parameters: readonly Parameter[]): Iterable<Event> {
  const columns = parameters.map(({ name, type }) => ({ name: name.slice(1), type, nullable: true }));
  yield { kind: 'columns', columns };
  yield { kind: 'row', values: parameters.map(({ value }) => value) };
  yield { kind: 'statementDone', count: 1, insideProcedure: true };
  yield { kind: 'returnStatus', value: 0 };
}
