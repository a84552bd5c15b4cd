/** LOGIN7 (MS-TDS 2.2.6.4): fixed fields, offsets and lengths of texts, the texts, then the feature extensions. */
import { readBytes, readUInt8, readUInt32, readUnicode } from '../bytes.ts';
import { type FederatedAuth, readFederatedAuth } from './federated-auth.ts';

const FIXED_LENGTH = 94;

/** The version that has feature extensions, and the one that this server speaks. */
export const TDS_7_4 = 0x7400_0004;

/** Where the offset (USHORT) and the length (USHORT, in characters) of each text stand. */
const Field = { user: 40, password: 44, application: 48, extension: 56, language: 64, database: 68 } as const;

const OPTION_FLAGS_2 = 25;
const OPTION_FLAGS_3 = 27;
const INTEGRATED_SECURITY = 0x80;
const CHANGE_PASSWORD = 0x01;
const EXTENSION_USED = 0x10;

const Feature = { federatedAuth: 0x02, utf8: 0x0a, end: 0xff } as const;

export interface Login7 {
  /** Such as 0x74000004 for 7.4. */
  readonly tdsVersion: number;
  readonly packetSize: number;
  readonly user: string;
  readonly password: string;
  readonly application: string;
  readonly language: string;
  /** Empty for the login's default database. */
  readonly database: string;
  readonly integratedSecurity: boolean;
  readonly changesPassword: boolean;
  readonly federatedAuth: FederatedAuth | undefined;
  /** True when the client asks for UTF-8 collations, which it then hears about. */
  readonly utf8: boolean;
}

/** Reads a LOGIN7; throws a `ProtocolError` when a field lies outside of the message. */
export function readLogin7(bytes: Buffer): Login7 {
  const fixed = readBytes(bytes, 0, FIXED_LENGTH).value;
  const tdsVersion = fixed.readUInt32LE(4);
  const features = tdsVersion < TDS_7_4 ? new Map<number, Buffer>() : readFeatures(bytes, fixed);
  const federated = features.get(Feature.federatedAuth);
  return {
    tdsVersion,
    packetSize: fixed.readUInt32LE(8),
    user: text(bytes, Field.user),
    password: password(bytes),
    application: text(bytes, Field.application),
    language: text(bytes, Field.language),
    database: text(bytes, Field.database),
    integratedSecurity: (fixed.readUInt8(OPTION_FLAGS_2) & INTEGRATED_SECURITY) !== 0,
    changesPassword: (fixed.readUInt8(OPTION_FLAGS_3) & CHANGE_PASSWORD) !== 0,
    federatedAuth: federated && readFederatedAuth(federated),
    utf8: features.has(Feature.utf8),
  };
}

function text(bytes: Buffer, field: number): string {
  return readUnicode(bytes, bytes.readUInt16LE(field), bytes.readUInt16LE(field + 2)).value;
}

/** Each byte of the password has its halves swapped and is combined with 0xA5 (MS-TDS 2.2.6.4). */
function password(bytes: Buffer): string {
  const length = bytes.readUInt16LE(Field.password + 2) * 2;
  const hidden = readBytes(bytes, bytes.readUInt16LE(Field.password), length).value;
  const clear = hidden.map((byte) => {
    const mixed = byte ^ 0xa5;
    return ((mixed << 4) | (mixed >> 4)) & 0xff;
  });
  return Buffer.from(clear).toString('utf16le');
}

/** Feature id to data. The extension field points to a ULONG that points to the list. */
function readFeatures(bytes: Buffer, fixed: Buffer): Map<number, Buffer> {
  const features = new Map<number, Buffer>();
  if ((fixed.readUInt8(OPTION_FLAGS_3) & EXTENSION_USED) === 0) return features;
  let offset = readUInt32(bytes, fixed.readUInt16LE(Field.extension)).value;
  for (;;) {
    const id = readUInt8(bytes, offset);
    if (id.value === Feature.end) return features;
    const length = readUInt32(bytes, id.offset);
    const data = readBytes(bytes, length.offset, length.value);
    features.set(id.value, data.value);
    offset = data.offset;
  }
}
