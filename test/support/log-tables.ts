/** The tables that queries read, with those of their columns that queries use: Application Insights, and the workspace. */

import type { Tables } from '../engines/kusto.ts';

const common = {
  timestamp: 'datetime',
  itemType: 'string',
  itemCount: 'int',
  customDimensions: 'dynamic',
  operation_Id: 'string',
  cloud_RoleInstance: 'string',
} as const;
const call = { id: 'string', name: 'string', success: 'string', resultCode: 'string', duration: 'real' };

export const logTables: Tables = {
  traces: { ...common, message: 'string', severityLevel: 'int' },
  requests: { ...common, ...call, url: 'string' },
  dependencies: { ...common, ...call, target: 'string', type: 'string', data: 'string' },
  exceptions: { ...common, type: 'string', outerMessage: 'string' },
  customMetrics: {
    ...common,
    name: 'string',
    value: 'real',
    valueCount: 'int',
    valueSum: 'real',
    valueMax: 'real',
  },
  AzureDiagnostics: {
    TimeGenerated: 'datetime',
    Category: 'string',
    server_principal_name_s: 'string',
    action_name_s: 'string',
    DatabaseName_s: 'string',
    query_hash_s: 'string',
    count_executions_d: 'real',
    duration_d: 'real',
  },
  /** A function that every workspace has: what Azure Monitor did with its tables. */
  _LogOperation: {
    TimeGenerated: 'datetime',
    Category: 'string',
    Operation: 'string',
    Level: 'string',
    Detail: 'string',
  },
  StorageTableLogs: {
    TimeGenerated: 'datetime',
    OperationName: 'string',
    Uri: 'string',
    StatusCode: 'string',
    RequesterObjectId: 'string',
  },
  StorageBlobLogs: {
    TimeGenerated: 'datetime',
    OperationName: 'string',
    Uri: 'string',
    StatusCode: 'string',
    RequesterObjectId: 'string',
  },
};
