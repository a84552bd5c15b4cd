/** What tests of other packages may use of the server's internals: the wire over an engine whose replies are scripted. */

export { type Event, LoginFailure, type Message } from '../../src/engine/session.ts';
export { type ContractServer, openContractServer } from './contract-server.ts';
export { type Script as Answer, ScriptedEngine } from './scripted-engine.ts';
export { clientConfig, connect, PASSWORD, startWire, type WireServer } from './wire-server.ts';
