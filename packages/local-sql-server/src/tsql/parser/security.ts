/** GRANT, DENY and REVOKE; users, roles and their members; EXECUTE AS and REVERT. */
import type { Name } from '../ast.ts';
import type { Position } from '../sql-error.ts';
import type { CreateUser, Securable, Statement } from '../statement-ast.ts';
import { ModuleParser } from './modules.ts';

/** Parses the statements about rights and their owners. */
export abstract class SecurityParser extends ModuleParser {
  /** permission = (GRANT | DENY | REVOKE [GRANT OPTION FOR]) rights [ON securable] (TO | FROM) principals [WITH GRANT OPTION] [CASCADE] [AS principal] */
  protected permission(at: Position): Statement {
    const action = this.next().value.toLowerCase() as 'grant' | 'deny' | 'revoke';
    if (action === 'revoke' && this.is('GRANT', 'OPTION', 'FOR')) {
      this.refuse('REVOKE GRANT OPTION FOR', at);
      this.expect('GRANT', 'OPTION', 'FOR');
    }
    const rights = this.list(() => this.right());
    const on = this.accept('ON') ? this.securable() : undefined;
    if (!(action === 'revoke' && this.accept('FROM'))) this.expect('TO');
    const principals = this.list(() => this.principal());
    if (action === 'grant' && this.is('WITH', 'GRANT', 'OPTION')) {
      this.refuse('WITH GRANT OPTION', this.place());
      this.expect('WITH', 'GRANT', 'OPTION');
    }
    // Without grant options no right was passed on, so nothing else has to be revoked.
    if (action !== 'grant') this.accept('CASCADE');
    if (this.is('AS')) this.refuse(`${action.toUpperCase()} ... AS`, this.place());
    if (this.accept('AS')) this.principal();
    return { kind: 'permission', action, rights, on, principals, at };
  }

  /** right = words ['(' columns ')'] */
  private right(): string {
    const words: string[] = [];
    while (this.peek().kind === 'word' && !this.isAny('ON', 'TO', 'FROM')) words.push(this.next().value);
    if (words.length === 0) throw this.unexpected();
    this.refuseColumns();
    return words.join(' ');
  }

  private refuseColumns(): void {
    if (!this.isOperator('(')) return;
    this.refuse('rights on columns', this.place());
    this.columnList();
  }

  /** securable = [OBJECT '::' | SCHEMA '::' | DATABASE '::' | other '::'] name ['(' columns ')'] */
  private securable(): Securable {
    const at = this.place();
    const words: string[] = [];
    if (this.isOperator('::', 1) || this.isOperator('::', 2))
      while (!this.isOperator('::')) {
        if (this.peek().kind !== 'word') throw this.unexpected();
        words.push(this.next().value);
      }
    if (words.length > 0) this.expectOperator('::');
    const type = words.join(' ') || 'OBJECT';
    if (this.peek().kind === 'variable') this.refuse('rights on a variable', at);
    const name: Name =
      this.peek().kind === 'variable' ? { parts: [this.declaredVariable()], at } : this.name();
    this.refuseColumns();
    if (type === 'OBJECT' || type === 'SCHEMA' || type === 'DATABASE') return { type, name };
    this.refuse(`rights ON ${type}`, at);
    return { type: 'OBJECT', name };
  }

  /** principal = PUBLIC | identifier */
  protected principal(): string {
    return this.accept('PUBLIC') ? 'public' : this.identifier();
  }

  /** newPrincipal = createUser | createRole */
  protected newPrincipal(at: Position): Statement | undefined {
    if (this.is('USER')) return this.createUser(at);
    return this.is('ROLE') ? this.createRole(at) : undefined;
  }

  /** createUser = USER identifier identity [WITH option {',' option}] */
  private createUser(at: Position): Statement {
    this.expect('USER');
    const name = this.identifier();
    const identity = this.identityOf(name);
    const options = this.accept('WITH') ? this.list(() => this.userOption()) : [];
    return { kind: 'createUser', name, ...identity, ...Object.assign({}, ...options), at };
  }

  /** identity = [(FOR | FROM) LOGIN identifier | WITHOUT LOGIN | FROM EXTERNAL PROVIDER]: without it the login of the same name */
  private identityOf(name: string): Pick<CreateUser, 'login' | 'external'> {
    if (this.accept('FROM', 'EXTERNAL', 'PROVIDER')) return { external: true };
    if (this.accept('WITHOUT', 'LOGIN')) return {};
    if (this.acceptAny('FOR', 'FROM') === undefined) return { login: name };
    this.expect('LOGIN');
    return { login: this.identifier() };
  }

  /** option = SID '=' binary | TYPE '=' E | DEFAULT_SCHEMA '=' dbo; others are not supported */
  private userOption(): Partial<CreateUser> {
    const { kind, value, text } = this.peek(2);
    const sets = (option: string) => this.is(option) && this.isOperator('=', 1);
    const option: Partial<CreateUser> | undefined =
      sets('SID') && kind === 'binary'
        ? { login: undefined, sid: text.slice(2).toUpperCase() }
        : sets('TYPE') && value === 'E'
          ? { login: undefined, external: true }
          : sets('DEFAULT_SCHEMA') && text.toLowerCase() === 'dbo'
            ? {}
            : undefined;
    if (option === undefined) this.follow('option', `CREATE USER WITH ${this.peek().text}`);
    else for (let count = 0; count < 3; count++) this.next();
    return option ?? {};
  }

  /** createRole = ROLE identifier [AUTHORIZATION identifier] */
  private createRole(at: Position): Statement {
    this.expect('ROLE');
    const name = this.identifier();
    const place = this.place();
    const owner = this.accept('AUTHORIZATION') ? this.identifier() : 'dbo';
    if (owner.toLowerCase() !== 'dbo') this.refuse('CREATE ROLE AUTHORIZATION', place);
    return { kind: 'createRole', name, at };
  }

  /** alterRole = ROLE principal ((ADD | DROP) MEMBER principal | WITH NAME '=' identifier) */
  protected alterRole(at: Position): Statement {
    this.expect('ROLE');
    const role = this.principal();
    if (this.is('WITH')) {
      this.follow('renamedRole', 'ALTER ROLE ... WITH NAME', at);
      return { kind: 'empty', at };
    }
    const action = this.acceptAny('ADD', 'DROP');
    if (action === undefined) throw this.unexpected();
    this.expect('MEMBER');
    return { kind: 'alterRole', role, adds: action === 'ADD', member: this.principal(), at };
  }

  /** dropPrincipal = (USER | ROLE) [IF EXISTS] identifier */
  protected override dropPrincipal(at: Position): Statement {
    const type = this.next().value === 'USER' ? 'user' : 'role';
    const ifExists = this.accept('IF', 'EXISTS');
    return { kind: 'dropPrincipal', type, name: this.identifier(), ifExists, at };
  }

  /** executeOrImpersonate = executeAs | execute */
  protected executeOrImpersonate(at: Position): Statement {
    return this.peek(1).kind === 'word' && this.peek(1).value === 'AS' ? this.executeAs(at) : this.execute();
  }

  /** executeAs = (EXEC | EXECUTE) AS (USER '=' (string | '@v') | LOGIN '=' ... | CALLER) [WITH ...] */
  private executeAs(at: Position): Statement {
    this.next();
    this.expect('AS');
    const word = this.acceptAny('USER', 'LOGIN', 'CALLER');
    if (word === undefined) throw this.unexpected();
    if (word !== 'USER') this.refuse(`EXECUTE AS ${word}`, at);
    if (word === 'CALLER') return { kind: 'empty', at };
    this.expectOperator('=');
    if (!this.isString() && this.peek().kind !== 'variable') throw this.unexpected();
    const user = this.primary();
    this.accepts('executeAsOptions', 'EXECUTE AS ... WITH');
    return { kind: 'executeAs', user, at };
  }

  /** revert = REVERT [WITH COOKIE '=' '@v'] */
  protected revert(at: Position): Statement {
    this.expect('REVERT');
    this.accepts('revertOptions', 'REVERT WITH COOKIE');
    return { kind: 'revert', at };
  }
}
