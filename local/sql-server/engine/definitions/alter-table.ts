import type { Statement } from '../../tsql/ast.ts';
import { unsupported } from '../../tsql/sql-error.ts';
import type { Definer } from './definer.ts';

export function alterTable(_definer: Definer, statement: Statement & { kind: 'alterTable' }): void {
  throw unsupported('ALTER TABLE', statement.at);
}
