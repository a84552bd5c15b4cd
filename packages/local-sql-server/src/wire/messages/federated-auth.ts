/** Federated authentication: the LOGIN7 feature (MS-TDS 2.2.6.4) and the token message that may follow (2.2.6.3). */
import { readBytes, readUInt8, readUInt32, unicode } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';

const Library = { securityToken: 0x01, adal: 0x02 } as const;

/** A token that came with the login; or none yet, then the client waits to hear where to get one. */
export type FederatedAuth = { readonly token: string } | { readonly token: undefined };

/** Reads the FEDAUTH feature of a LOGIN7. */
export function readFederatedAuth(data: Buffer): FederatedAuth {
  const options = readUInt8(data, 0);
  const library = options.value >> 1;
  if (library === Library.securityToken) return { token: readToken(data, options.offset) };
  if (library === Library.adal) return { token: undefined };
  throw new ProtocolError(`Cannot log in: there is no federated authentication library ${library}`);
}

/** Reads the FEDAUTH message: the length of its data, then the token. */
export function readFederatedAuthToken(bytes: Buffer): string {
  return readToken(bytes, readUInt32(bytes, 0).offset);
}

function readToken(bytes: Buffer, at: number): string {
  const length = readUInt32(bytes, at);
  return unicode(readBytes(bytes, length.offset, length.value).value);
}
