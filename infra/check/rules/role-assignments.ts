import facts from '../../facts/roles.json' with { type: 'json' };
import { type Finding, type Module, type Project, type Resource, type Stack, snakeCase } from '../model.ts';
import { armBody, at, difference, namesIn, place, show } from './walk.ts';

const roleNames = new Map(Object.entries(facts.roles).map(([name, id]) => [id, name]));
const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ours = ['Microsoft.Authorization/roleAssignments', 'azurerm_role_assignment'];

/** Each role assignment has a known, narrow role, a reason, the switch, and its twin in the other stack. */
export function roleAssignments({ bicep, terraform }: Project): Finding[] {
  const [inBicep, inTerraform] = [assignmentsOf(bicep), assignmentsOf(terraform)];
  const [onlyBicep, onlyTerraform] = difference(inBicep.map(key), inTerraform.map(key));
  return [
    ...[...inBicep, ...inTerraform].flatMap(check),
    ...onlyBicep.map((item) => ({
      file: 'infra/terraform',
      message: `lacks the role assignment ${item} of infra/bicep`,
    })),
    ...onlyTerraform.map((item) => ({
      file: 'infra/bicep',
      message: `lacks the role assignment ${item} of infra/terraform`,
    })),
  ];
}

interface Assignment {
  readonly module: Module;
  readonly resource: Resource;
  readonly roles: readonly string[];
}

const key = ({ resource, roles }: Assignment) => `${snakeCase(resource.symbol)}: ${roles.join(', ')}`;

function assignmentsOf(stack: Stack): Assignment[] {
  return Object.values(stack.modules).flatMap((module) =>
    module.resources
      .filter(({ type }) => ours.includes(type))
      .map((resource) => ({ module, resource, roles: rolesOf(module, resource) })),
  );
}

/** The role ids in an assignment, also those in variables that it names. */
function rolesOf({ locals }: Module, resource: Resource): string[] {
  const body = armBody(resource);
  const definition = show(at(body, 'properties.roleDefinitionId') ?? at(body, 'role_definition_id'));
  const words = definition.match(/\w+/g) ?? [];
  return [definition, ...words.map((word) => show(locals[snakeCase(word)]))].flatMap(
    (text) => text.match(guid) ?? [],
  );
}

function check({ resource, roles }: Assignment): Finding[] {
  const faults = [];
  const properties = new Map([...namesIn(resource.body)].map(({ name, value }) => [name, value]));
  const unknown = roles.filter((id) => !roleNames.has(id));
  const broad = roles.map((id) => roleNames.get(id) ?? '').filter((name) => facts.tooBroad.includes(name));
  if (roles.length !== 1) faults.push('names no role, or several');
  if (unknown.length > 0) faults.push(`has an unknown role id: ${unknown.join(', ')}`);
  if (broad.length > 0) faults.push(`gives ${broad.join(', ')}, which is too much`);
  if (resource.comment === '') faults.push('has no comment with its reason');
  if (!properties.has('description')) faults.push('has no description');
  if (!/create_?role_?assignments/i.test(resource.condition))
    faults.push('is created even when createRoleAssignments is false');
  if ((properties.get('principalType') ?? properties.get('principal_type')) !== 'ServicePrincipal')
    faults.push('must say that its principal is a ServicePrincipal');
  return faults.map((detail) => ({
    file: place(resource),
    message: `role assignment ${resource.symbol} ${detail}`,
  }));
}
