/** The tables that queries read, with those of their columns that queries may use: Application Insights, and the workspace. */

import type { Tables } from './kusto.ts';

const common = {
  timestamp: 'datetime',
  itemId: 'string',
  itemType: 'string',
  itemCount: 'int',
  customDimensions: 'dynamic',
  operation_Name: 'string',
  operation_Id: 'string',
  operation_ParentId: 'string',
  cloud_RoleName: 'string',
  cloud_RoleInstance: 'string',
  appId: 'string',
} as const;

export const logTables: Tables = {
  traces: { ...common, message: 'string', severityLevel: 'int' },
  requests: {
    ...common,
    id: 'string',
    name: 'string',
    url: 'string',
    success: 'string',
    resultCode: 'string',
    duration: 'real',
    performanceBucket: 'string',
  },
  dependencies: {
    ...common,
    id: 'string',
    target: 'string',
    type: 'string',
    name: 'string',
    data: 'string',
    success: 'string',
    resultCode: 'string',
    duration: 'real',
  },
  exceptions: { ...common, type: 'string', outerMessage: 'string', problemId: 'string', details: 'dynamic' },
  customMetrics: {
    ...common,
    name: 'string',
    value: 'real',
    valueCount: 'int',
    valueSum: 'real',
    valueMin: 'real',
    valueMax: 'real',
  },
  AzureDiagnostics: {
    TimeGenerated: 'datetime',
    Category: 'string',
    OperationName: 'string',
    server_principal_name_s: 'string',
    action_name_s: 'string',
    DatabaseName_s: 'string',
    query_hash_s: 'string',
    count_executions_d: 'real',
    duration_d: 'real',
  },
  StorageTableLogs: {
    TimeGenerated: 'datetime',
    OperationName: 'string',
    Uri: 'string',
    StatusCode: 'string',
    RequesterObjectId: 'string',
  },
};
