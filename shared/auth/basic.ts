/** From the `Authorization` header to a name and a password (RFC 7617). */

export interface Credentials {
  readonly name: string;
  /** Without whitespace: clients show application passwords in groups, and leave it to the reader to join them. */
  readonly password: string;
}

/** Returns the name and the password of an `Authorization` header value; undefined for another scheme, and where either is missing. */
export function basicCredentials(header: string): Credentials | undefined {
  const [, encoded = ''] = /^\s*basic\s+(\S+)\s*$/i.exec(header) ?? [];
  const [, name = '', given = ''] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const password = given.replace(/\s+/g, '');
  return name === '' || password === '' ? undefined : { name, password };
}
