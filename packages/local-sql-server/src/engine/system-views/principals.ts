/** The views of schema sys about users, roles and rights. */
import type { Permission } from '../catalog.ts';
import { principalsOf } from '../security/principals.ts';
import { codeOf } from '../security/rights.ts';
import { type Cell, view } from './view.ts';

const types = { S: 'SQL_USER', E: 'EXTERNAL_USER', R: 'DATABASE_ROLE' } as const;
const classes = {
  DATABASE: [0, 'DATABASE'],
  OBJECT: [1, 'OBJECT_OR_COLUMN'],
  SCHEMA: [3, 'SCHEMA'],
} as const;

function permissionRow(grantee: number, { on, id, right, state }: Permission): Cell[] {
  return [...classes[on], id, 0, grantee, 1, codeOf(right), right, state.charAt(0), state];
}

/** The views of schema sys about users, roles and rights. */
export const principalViews = [
  view(
    'sys.database_principals',
    'name:sysname principal_id:int type:char1 type_desc:nvarchar? default_schema_name:sysname? create_date:datetime modify_date:datetime owning_principal_id:int? sid:sid? is_fixed_role:bit',
    ({ wholeCatalog }) =>
      principalsOf(wholeCatalog).map(({ id, name, type, sid, created, modified }): Cell[] => {
        const isRole = type === 'R';
        const place = [isRole ? null : 'dbo', created, modified, isRole ? 1 : null];
        return [name, id, type, types[type], ...place, sid ?? null, Number(id >= 16_384)];
      }),
  ),
  view('sys.database_role_members', 'role_principal_id:int member_principal_id:int', ({ wholeCatalog }) =>
    wholeCatalog.principals.flatMap(({ id, roles }) => roles.map((role) => [role, id])),
  ),
  view(
    'sys.database_permissions',
    'class:tinyint class_desc:nvarchar? major_id:int minor_id:int grantee_principal_id:int grantor_principal_id:int type:char4 permission_name:nvarchar? state:char1 state_desc:nvarchar?',
    ({ wholeCatalog }) =>
      wholeCatalog.principals.flatMap(({ id, permissions }) =>
        permissions.map((permission) => permissionRow(id, permission)),
      ),
  ),
];
