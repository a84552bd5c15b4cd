/** What the templates say about what they made. */

/** Outputs by name; names are those of infra/bicep/main.bicep. */
export type Outputs = ReadonlyMap<string, unknown>;

/** Reads outputs as Azure Resource Manager and Terraform (`{ NAME: { value } }`) or the step outputs (`{ NAME: value }`) prints them. */
export function parseOutputs(text: string): Outputs {
  const parsed: unknown = JSON.parse(text.trim() || '{}');
  if (typeof parsed !== 'object' || parsed === null) return new Map();
  // Resource Manager may change the case of names.
  return new Map(Object.entries(parsed).map(([name, entry]) => [name.toUpperCase(), valueOfEntry(entry)]));
}

/** Reads the variable DEPLOYMENT_OUTPUTS. Throws an error that names it for a text that is no JSON, such as one that was copied in part. */
export function givenOutputs(text: string): Outputs {
  try {
    return parseOutputs(text);
  } catch (cause) {
    throw new Error('DEPLOYMENT_OUTPUTS is no JSON: set all that the step outputs prints.', { cause });
  }
}

function valueOfEntry(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'value' in entry ? entry.value : entry;
}

/** The text of an output; '' without one. */
export function textOutput(outputs: Outputs, name: string): string {
  const value = outputs.get(name);
  return value === undefined || value === null ? '' : String(value);
}

/** The texts of an output that is a list. Undefined without one. */
export function listOutput(outputs: Outputs, name: string): readonly string[] | undefined {
  const list = outputs.get(name);
  return Array.isArray(list) ? list.map(String) : undefined;
}

/** The text of an output that a step cannot do without. Throws an error that names it. */
export function needOutput(outputs: Outputs, name: string): string {
  const text = textOutput(outputs, name);
  if (text === '') throw new Error(`The deployment has no output ${name}: run the step provision first.`);
  return text;
}

/** Throws an error when outputs are those of another environment, as a variable of a pipeline that was copied has them. */
export function mustBeOf(environment: string, outputs: Outputs): void {
  const found = textOutput(outputs, 'AZURE_ENV_NAME');
  if (found === environment) return;
  throw new Error(
    found === ''
      ? 'DEPLOYMENT_OUTPUTS does not name its environment: run the step provision, and set what the step outputs prints.'
      : `DEPLOYMENT_OUTPUTS is of the environment ${found}, not of ${environment}: set the outputs of ${environment}.`,
  );
}

/** Returns placeholders for a dry run: each output is its own name in angle brackets. */
export function placeholderOutputs(): Outputs {
  const names =
    'AZURE_RESOURCE_GROUP FUNCTION_APP_NAME FUNCTION_APP_URL GREEN_FUNCTION_APP_NAME GREEN_FUNCTION_APP_URL ' +
    'API_CLIENT_ID SQL_SERVER_NAME SQL_SERVER_RESOURCE_GROUP DB_SERVER DB_NAME DB_CUSTOMIZATION_NAME RUNTIME_IDENTITY_NAME RUNTIME_IDENTITY_CLIENT_ID ' +
    'SERVICE_API_USERNAME OBJECT_TYPES OBJECT_METADATA CALENDAR_BASE_PATH CALENDAR_PLACE BACKUP_ACCOUNT_URL PICTURES_PLACE BACKUP_BLOB_URL';
  return new Map(names.split(' ').map((name) => [name, `<${name}>`]));
}
