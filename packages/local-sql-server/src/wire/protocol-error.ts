/**
 * Says that the client's bytes break the protocol. The connection answers error 4002 where it still can, and closes;
 * nothing else is touched.
 */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
