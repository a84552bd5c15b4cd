import { type Finding, type Project, templates } from '../model.ts';

/** Words in names of parameters and outputs that stand for secrets. */
const secretNames =
  /secret|password|passwd|access_?key|account_?key|function_?key|master_?key|sas_?token|connection_?string/i;
/** Expressions that read a key, and arguments that take one. */
const secretReads =
  /\blistKeys\b|\blistAccountSas\b|\bgetSecret\(|primary_access_key|secondary_access_key|primary_connection_string|_blob_connection_string|administratorLoginPassword|administrator_login_password|client_secret|instrumentation_key|instrumentationKey|@secure\(\)|sensitive_body|AccountKey=|SharedAccessSignature|\bpassword\b/;
/** The address of the ingestion endpoint: no credential, since local authentication is off (see the rule `resources`). */
const notSecret = /^(?:application_?insights_?)?connection_?string$/i;
const declared = /^(?:param|output|variable) "?(\w+)/gm;

/** No secret in parameters, outputs, settings or expressions. */
export function secrets(project: Project): Finding[] {
  return templates(project).flatMap(([file, text]) => {
    const isModule = file.includes('/modules/');
    const names = [...text.matchAll(declared)].map(([, name = '']) => name);
    const suspicious = names.filter((name) => secretNames.test(name) && !(isModule && notSecret.test(name)));
    const reads = text.match(secretReads);
    return [
      ...suspicious.map((name) => `${name} sounds like a secret`),
      ...(reads ? [`"${reads[0]}" reads or sets a secret`] : []),
    ].map((message) => ({ file, message }));
  });
}
