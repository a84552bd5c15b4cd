/**
 * The server that a contract suite runs against: the local one, or a real SQL Server when TEST_DB_SERVER (`host` or `host,port`),
 * TEST_DB_USER and TEST_DB_PASSWORD name one. There the suite gets a new database, dropped at the end.
 */
import { randomBytes } from 'node:crypto';
import sql from 'mssql';
import { startSqlServer } from '../../start.ts';

export interface ContractServer {
  /** How mssql reaches the suite's database. */
  readonly config: sql.config;
  /** Connects a pool to the suite's database. */
  connect(changes?: Partial<sql.config>): Promise<sql.ConnectionPool>;
  stop(): Promise<void>;
}

/** Starts or reaches the server. */
export async function openContractServer(): Promise<ContractServer> {
  const { TEST_DB_SERVER: real } = process.env;
  return real === undefined || real === '' ? localServer() : realServer(real);
}

async function localServer(): Promise<ContractServer> {
  const login = { user: 'sa', password: 'Contract-1' };
  const server = await startSqlServer({ databases: ['contract'], users: { [login.user]: login.password } });
  const config = { server: '127.0.0.1', port: server.port, ...login, options: { encrypt: false } };
  return poolsOf({ ...config, database: 'contract' }, () => server.stop());
}

async function realServer(hostAndPort: string): Promise<ContractServer> {
  const [server = hostAndPort, port = '1433'] = hostAndPort.split(',');
  const config = {
    server,
    port: Number(port),
    user: process.env['TEST_DB_USER'] ?? 'sa',
    password: process.env['TEST_DB_PASSWORD'] ?? '',
    options: { encrypt: true, trustServerCertificate: true },
  };
  const database = `contract_${randomBytes(6).toString('hex')}`;
  await once(config, `CREATE DATABASE ${database}`);
  return poolsOf({ ...config, database }, () =>
    once(
      config,
      `ALTER DATABASE ${database} SET SINGLE_USER WITH ROLLBACK IMMEDIATE; DROP DATABASE ${database}`,
    ),
  );
}

function poolsOf(config: sql.config, stop: () => Promise<void>): ContractServer {
  const pools: sql.ConnectionPool[] = [];
  return {
    config,
    async connect(changes = {}) {
      const pool = new sql.ConnectionPool({
        ...config,
        ...changes,
        options: { ...config.options, ...changes.options },
      });
      pools.push(pool);
      return pool.connect();
    },
    async stop() {
      await Promise.all(pools.map((pool) => pool.close()));
      await stop();
    },
  };
}

async function once(config: sql.config, statement: string): Promise<void> {
  const pool = await new sql.ConnectionPool({ ...config, database: 'master' }).connect();
  await pool.request().batch(statement);
  await pool.close();
}
