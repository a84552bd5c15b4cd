/** sp_prepare, sp_execute, sp_prepexec and sp_unprepare, as calls of sp_executesql under a handle. */
import type { Event, Parameter, Session, SqlValue } from '../engine/session.ts';

interface Prepared {
  readonly statement: Parameter;
  readonly declarations: Parameter;
}

/**
 * The prepared statements of one connection. A statement is looked at only when it is executed: an error in it shows
 * there, where SQL Server shows it already at `sp_prepare`.
 */
export class PreparedStatements {
  private readonly byHandle = new Map<number, Prepared>();
  private lastHandle = 0;
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** Returns the events of a call, or `undefined` when the procedure is none of these. */
  call(name: string, parameters: readonly Parameter[]): AsyncIterable<Event> | undefined {
    switch (name.toLowerCase()) {
      case 'sp_prepare':
        return this.prepare(parameters);
      case 'sp_prepexec':
        return this.prepareAndExecute(parameters);
      case 'sp_execute':
        return this.execute(parameters);
      case 'sp_unprepare':
        return this.unprepare(parameters);
      default:
        return undefined;
    }
  }

  /** Forgets all, as a connection reset does. */
  clear(): void {
    this.byHandle.clear();
  }

  private async *prepare(parameters: readonly Parameter[]): AsyncIterable<Event> {
    const handle = this.add(parameters);
    if (!handle) return yield failure(201, 'sp_prepare expects a handle, declarations and a statement.');
    yield { kind: 'returnStatus', value: 0 };
    yield { kind: 'returnValue', ...handle };
  }

  private async *prepareAndExecute(parameters: readonly Parameter[]): AsyncIterable<Event> {
    const handle = this.add(parameters);
    if (!handle) return yield failure(201, 'sp_prepexec expects a handle, declarations and a statement.');
    yield* this.run(handle.value, parameters.slice(3));
    yield { kind: 'returnValue', ...handle };
  }

  private execute([handle, ...values]: readonly Parameter[]): AsyncIterable<Event> {
    return this.run(handle?.value, values);
  }

  private async *unprepare([handle]: readonly Parameter[]): AsyncIterable<Event> {
    if (this.byHandle.delete(Number(handle?.value))) yield { kind: 'returnStatus', value: 0 };
    else yield unknownHandle(handle?.value);
  }

  private add([handle, declarations, statement]: readonly Parameter[]) {
    if (!handle || !declarations || !statement) return undefined;
    const value = ++this.lastHandle;
    this.byHandle.set(value, { statement, declarations });
    return { name: handle.name, type: { name: 'int' }, value } as const;
  }

  private async *run(handle: SqlValue | undefined, values: readonly Parameter[]): AsyncIterable<Event> {
    const prepared = this.byHandle.get(Number(handle));
    if (!prepared) return yield unknownHandle(handle);
    const { statement, declarations } = prepared;
    const declared = declarations.value === null ? [] : [positional(declarations), ...values];
    yield* this.session.procedure('sp_executesql', [positional(statement), ...declared]);
  }
}

function positional(parameter: Parameter): Parameter {
  return { ...parameter, name: '' };
}

function unknownHandle(handle: SqlValue | undefined): Event {
  return failure(8179, `Could not find prepared statement with handle ${handle}.`);
}

function failure(number: number, message: string): Event {
  return { kind: 'message', message: { number, state: 1, class: 16, message, line: 0 } };
}
