import type { Finding, Project } from '../model.ts';
import { allModules } from '../model.ts';

/** Words in names of parameters and outputs that stand for secrets. */
const secretNames =
  /secret|password|passwd|access_?key|account_?key|function_?key|master_?key|sas_?token|connection_?string/i;
/** Expressions that read a key, and arguments that take one. */
const secretReads =
  /\blistKeys\b|\blistAccountSas\b|\bgetSecret\(|primary_access_key|secondary_access_key|primary_connection_string|_blob_connection_string|administratorLoginPassword|administrator_login_password|client_secret|instrumentation_key|instrumentationKey|@secure\(\)|sensitive_body|AccountKey=|SharedAccessSignature|\bpassword\b/;
/** The address of the ingestion endpoint: no credential, since local authentication is off (see the rule `security`). */
const notSecret = new Set(['connection_string', 'application_insights_connection_string']);

/** No secret in parameters, outputs, settings or expressions. */
export function secrets(project: Project): Finding[] {
  return allModules(project).flatMap(({ name: moduleName, module }) => {
    const names = [...Object.keys(module.parameters), ...Object.keys(module.outputs)];
    const suspicious = names.filter((name) => secretNames.test(name));
    const allowed = (name: string) => moduleName !== 'main' && notSecret.has(name);
    const reads = withoutComments(module.text).match(secretReads);
    return [
      ...suspicious.filter((name) => !allowed(name)).map((name) => `${name} sounds like a secret`),
      ...(reads ? [`"${reads[0]}" reads or sets a secret`] : []),
    ].map((message) => ({ file: module.file, message }));
  });
}

const withoutComments = (text: string) => text.replace(/^\s*(\/\/|#).*$/gm, '');
