/** PRELOGIN (MS-TDS 2.2.6.5), request and reply: a list of options, each with a big-endian offset and length, then their data. */
import { readBytes, readUInt8 } from '../bytes.ts';

const Option = {
  version: 0x00,
  encryption: 0x01,
  instance: 0x02,
  threadId: 0x03,
  mars: 0x04,
  federatedAuth: 0x06,
  end: 0xff,
} as const;

/** What a client or server says about encryption. */
const Encryption = { off: 0, on: 1, notSupported: 2, required: 3 } as const;

/** What is encrypted: nothing, the login alone, or everything. */
export type Encrypted = 'nothing' | 'login' | 'everything';

export interface Prelogin {
  readonly encrypted: Encrypted;
  /** True when the client asks whether the server wants the federated-authentication answer echoed. */
  readonly asksFederatedAuth: boolean;
}

/** Reads a client's PRELOGIN; throws a `ProtocolError` when an option lies outside of the message. */
export function readPrelogin(bytes: Buffer): Prelogin {
  const options = new Map<number, Buffer>();
  for (let at = 0; readUInt8(bytes, at).value !== Option.end; at += 5) {
    const entry = readBytes(bytes, at, 5).value;
    options.set(entry.readUInt8(0), readBytes(bytes, entry.readUInt16BE(1), entry.readUInt16BE(3)).value);
  }
  return {
    encrypted: encryptedFor(options.get(Option.encryption)?.[0]),
    asksFederatedAuth: options.has(Option.federatedAuth),
  };
}

/** The client has the choice, as with a SQL Server that does not force encryption. */
function encryptedFor(asked: number | undefined): Encrypted {
  if (asked === Encryption.on || asked === Encryption.required) return 'everything';
  return asked === Encryption.off ? 'login' : 'nothing';
}

const answers = {
  nothing: Encryption.notSupported,
  login: Encryption.off,
  everything: Encryption.on,
} as const;

/**
 * Returns the reply: the encryption that the client wants, the default instance, and no multiple active result sets. Federated
 * authentication is confirmed when the client asks for it.
 */
export function preloginReply(client: Prelogin, version: Buffer): Buffer {
  const options: [number, Buffer][] = [
    [Option.version, Buffer.concat([version, Buffer.alloc(2)])],
    [Option.encryption, Buffer.from([answers[client.encrypted]])],
    [Option.instance, Buffer.from([0])],
    [Option.threadId, Buffer.alloc(0)],
    [Option.mars, Buffer.from([0])],
  ];
  if (client.asksFederatedAuth) options.push([Option.federatedAuth, Buffer.from([1])]);
  return encode(options);
}

function encode(options: readonly [number, Buffer][]): Buffer {
  let offset = options.length * 5 + 1;
  const entries = options.map(([token, data]) => {
    const entry = Buffer.from([token, offset >> 8, offset & 0xff, data.length >> 8, data.length & 0xff]);
    offset += data.length;
    return entry;
  });
  return Buffer.concat([...entries, Buffer.from([Option.end]), ...options.map(([, data]) => data)]);
}
