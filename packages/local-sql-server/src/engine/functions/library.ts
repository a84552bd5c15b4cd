/** All scalar functions. */
import { dateFunctions } from './dates.ts';
import type { FunctionLibrary, ScalarFunction } from './definition.ts';
import { formatFunctions } from './format.ts';
import { hashFunctions } from './hash.ts';
import { jsonFunctions } from './json.ts';
import { numberFunctions } from './numbers.ts';
import { principalFunctions } from './principals.ts';
import { stringFunctions } from './strings.ts';
import { systemFunctions } from './system.ts';

/** All scalar functions that run in JavaScript, by name in upper case. */
export const library: FunctionLibrary = {
  ...stringFunctions,
  ...numberFunctions,
  ...dateFunctions,
  ...formatFunctions,
  ...hashFunctions,
  ...jsonFunctions,
  ...systemFunctions,
  ...principalFunctions,
};

export function scalarFunction(name: string): ScalarFunction | undefined {
  return Object.hasOwn(library, name) ? library[name] : undefined;
}

/** Functions of SQL Server that are not supported, so that they are named rather than called unknown. */
const unsupportedFunctions = new Set(
  `ANY_VALUE APPLOCK_MODE BINARY_CHECKSUM CERT_ID CHECKSUM CHECKSUM_AGG COMPRESS CONTEXT_INFO CURSOR_STATUS
  DATE_BUCKET DECOMPRESS DIFFERENCE ENCRYPTBYKEY FILEPROPERTY FULLTEXTSERVICEPROPERTY GETANSINULL
  GROUPING GROUPING_ID IDENTITY INDEX_COL INDEXPROPERTY
  IS_SRVROLEMEMBER JSON_ARRAY JSON_OBJECT JSON_PATH_EXISTS MIN_ACTIVE_ROWVERSION NEWSEQUENTIALID OBJECTPROPERTYEX PARSE
  PERCENTILE_CONT PERCENTILE_DISC SESSION_CONTEXT DATETIMEOFFSETFROMPARTS SOUNDEX
  STATS_DATE SUSER_ID SUSER_SID TERTIARY_WEIGHTS TEXTPTR TRY_PARSE TYPEPROPERTY XACT_ID   @@CONNECTIONS @@CPU_BUSY @@CURSOR_ROWS @@DBTS @@FETCH_STATUS @@IDLE @@IO_BUSY @@LANGID @@MAX_CONNECTIONS @@OPTIONS
  @@PACKET_ERRORS @@PACK_RECEIVED @@PACK_SENT @@REMSERVER @@TEXTSIZE @@TIMETICKS @@TOTAL_ERRORS @@TOTAL_READ @@TOTAL_WRITE
  ASYMKEY_ID BASE64_DECODE BASE64_ENCODE BIT_COUNT COLLATIONPROPERTY COLUMNS_UPDATED CRYPT_GEN_RANDOM CURRENT_REQUEST_ID CURRENT_TIMEZONE
  CURRENT_TIMEZONE_ID DECRYPTBYKEY DECRYPTBYPASSPHRASE EDIT_DISTANCE EDIT_DISTANCE_SIMILARITY
  ENCRYPTBYPASSPHRASE EVENTDATA FILEGROUP_ID FILEGROUP_NAME FILEGROUPPROPERTY FILE_ID FILE_IDEX FILE_NAME FULLTEXTCATALOGPROPERTY GET_BIT
  HAS_DBACCESS HOST_ID INDEXKEY_PROPERTY JARO_WINKLER_DISTANCE JARO_WINKLER_SIMILARITY KEY_GUID KEY_ID LEFT_SHIFT LOGINPROPERTY
  ORIGINAL_DB_NAME PERMISSIONS PWDCOMPARE PWDENCRYPT REGEXP_COUNT REGEXP_INSTR REGEXP_SUBSTR RIGHT_SHIFT SET_BIT SIGNBYCERT
  TEXTVALID TRIGGER_NESTLEVEL UNISTR VERIFYSIGNEDBYCERT
  REGEXP_LIKE REGEXP_REPLACE SQL_VARIANT_PROPERTY DB_PRINCIPAL_ID CONNECTIONPROPERTY`.split(/\s+/),
);

/** Whether SQL Server has a function that this server has not. */
export function isUnsupported(name: string): boolean {
  return unsupportedFunctions.has(name);
}

/** The name under which SQLite knows a function of the library. */
export function sqliteName(name: string): string {
  return `fn_${name.replace('@@', 'global_').toLowerCase()}`;
}
