/**
 * The syntax of T-SQL that this server reads but does not run, one rule per line (longer ones are continued indented). WORDS and signs
 * stand for themselves, `[x]` is optional, `{x}` comes any number of times, `<x | y>` is one of them. `x...` is a list with commas, `!n`
 * is error n; other names are rules, or methods of the parser (see `nonterminal`).
 */
export const syntax = `
tableFunction = tableResult tableElements [ WITH functionOption... ] [ AS ] BEGIN statements END
inlineOption = INLINE = onOff
functionOption = RETURNS NULL ON NULL INPUT | CALLED ON NULL INPUT | moduleOption
moduleOption = ENCRYPTION | SCHEMABINDING | RECOMPILE | VIEW_METADATA | NATIVE_COMPILATION | executeAs
executeAs = < EXECUTE | EXEC > AS < CALLER | SELF | OWNER | string >
trigger = TRIGGER name ON < ALL SERVER | DATABASE | name > [ WITH moduleOption... ] < FOR | AFTER | INSTEAD OF >
  < INSERT | UPDATE | DELETE | identifier >... [ WITH APPEND ] [ NOT FOR REPLICATION ] AS < EXTERNAL NAME name | statements >
sequence = SEQUENCE name { AS type | START WITH signed | RESTART [ WITH signed ] | INCREMENT BY signed | MINVALUE signed
  | MAXVALUE signed | CYCLE | CACHE [ integer ] | NO < MINVALUE | MAXVALUE | CYCLE | CACHE > }
synonym = SYNONYM name FOR name
type_definition = TYPE name < FROM type [ NULL | NOT NULL ] | AS TABLE tableElements [ WITH options ] | EXTERNAL NAME name >
login = LOGIN identifier < WITH option... | FROM EXTERNAL PROVIDER [ WITH option... ] | FROM WINDOWS [ WITH option... ] | ENABLE | DISABLE >
statistics = STATISTICS identifier ON name ( identifier... ) [ WHERE condition ] [ WITH statisticsOption... ]
statisticsOption = FULLSCAN | RESAMPLE | SAMPLE number < PERCENT | ROWS > | NORECOMPUTE | ALL | COLUMNS | INDEX | option
databaseOptions = < ON | CONTAINMENT | WITH | AS | FOR | ( > rest
other_definition = otherObject rest | DEFAULT words rest | RULE words rest | XML SCHEMA COLLECTION name rest
  | < ASSEMBLY | CERTIFICATE | CREDENTIAL | QUEUE | SERVICE | CONTRACT | ROUTE | ENDPOINT | AGGREGATE > name rest
otherObject = < PRIMARY XML INDEX | XML INDEX | SPATIAL INDEX | FULLTEXT < INDEX | CATALOG | STOPLIST > | PARTITION < FUNCTION | SCHEME >
  | < SYMMETRIC | ASYMMETRIC | MASTER | DATABASE ENCRYPTION > KEY | DATABASE SCOPED CREDENTIAL | COLUMN < MASTER | ENCRYPTION > KEY | SECURITY POLICY
  | EXTERNAL < TABLE | DATA SOURCE | FILE FORMAT | LIBRARY | LANGUAGE | MODEL | RESOURCE POOL > | APPLICATION ROLE | SERVER < ROLE | AUDIT | CONFIGURATION >
  | EVENT < SESSION | NOTIFICATION > | MESSAGE TYPE | WORKLOAD < GROUP | CLASSIFIER > | RESOURCE < POOL | GOVERNOR > | REMOTE SERVICE BINDING
  | CRYPTOGRAPHIC PROVIDER | AVAILABILITY GROUP | BROKER PRIORITY | SEARCH PROPERTY LIST | SELECTIVE XML INDEX | VECTOR INDEX >
columnstore = COLUMNSTORE INDEX identifier ON name [ ( identifier... ) ] [ ORDER ( identifier... ) ] [ WHERE condition ] [ WITH options ] [ place ]
alterIndex = DISABLE | RESUME [ WITH options ] | PAUSE | ABORT
rebuiltIndex = < REBUILD | REORGANIZE > [ PARTITION = < ALL | expression > ]
renamedRole = WITH NAME = identifier
alterUser = USER identifier WITH option...
alterSchema = SCHEMA identifier TRANSFER [ securableClass :: ] name
alterAuthorization = AUTHORIZATION ON [ securableClass :: ] name TO < SCHEMA OWNER | principal >
alterDatabase = DATABASE < CURRENT | identifier | SCOPED > rest
dropped = SCHEMA [ IF EXISTS ] identifier | < TRIGGER | SEQUENCE | SYNONYM | TYPE | LOGIN | DATABASE | STATISTICS | RULE | DEFAULT
  | AGGREGATE | ASSEMBLY > [ IF EXISTS ] name... [ ON < DATABASE | ALL SERVER > ]
droppedOther = otherObject rest | XML SCHEMA COLLECTION rest | < CERTIFICATE | CREDENTIAL | QUEUE | SERVICE | CONTRACT | ROUTE | ENDPOINT > name rest
option = words = < onOff | identifier [ words ] | string [ words ] | number [ words ] | binary [ words ] | NULL >
options = ( < words [ = < optionValue > ] [ ( rest_in_parentheses ) ] >... )
optionValue = < onOff | words | string | signed | name > [ ( rest_in_parentheses ) ] [ words ]
cursor = [ INSENSITIVE ] [ SCROLL ] CURSOR cursorBody
cursorBody = { LOCAL | GLOBAL | FORWARD_ONLY | SCROLL | STATIC | KEYSET | DYNAMIC | FAST_FORWARD | READ_ONLY | SCROLL_LOCKS
  | OPTIMISTIC | TYPE_WARNING } FOR fullQuery [ FOR < READ ONLY | UPDATE [ OF name... ] > ]
cursorName = [ GLOBAL ] < identifier | variable >
open = OPEN < < SYMMETRIC | MASTER > rest | cursorName >
close = CLOSE < < SYMMETRIC | MASTER | ALL > rest | cursorName >
deallocate = DEALLOCATE cursorName
fetch = FETCH < < NEXT | PRIOR | FIRST | LAST | ABSOLUTE offset | RELATIVE offset > FROM cursorName | FROM cursorName | cursorName >
  [ INTO variable... ]
offset = variable | signed
currentOf = CURRENT OF cursorName
goto = GOTO identifier
label = identifier :
dbcc = DBCC identifier [ ( [ < name | string | signed | variable | NULL >... ] ) ] [ WITH identifier... ]
statisticsTail = [ ( identifier... ) | identifier ] [ WITH statisticsOption... ]
truncatePartitions = WITH ( PARTITIONS ( < integer [ TO integer ] >... ) )
backup = < BACKUP | RESTORE > words rest
bulkInsert = BULK INSERT name FROM < string | identifier > [ WITH ( < words [ = < string | signed | identifier > ] [ ( rest_in_parentheses ) ] >... ) ]
kill = KILL < signed | string | QUERY NOTIFICATION SUBSCRIPTION < ALL | integer > | STATS JOB integer > [ WITH < STATUSONLY | COMMIT | ROLLBACK > ]
checkpoint = CHECKPOINT [ integer ]
reconfigure = RECONFIGURE [ WITH OVERRIDE ]
shutdown = SHUTDOWN [ WITH NOWAIT ]
revertOptions = WITH COOKIE = variable
textStatement = < READTEXT | WRITETEXT | UPDATETEXT > rest
enableTrigger = < ENABLE | DISABLE > TRIGGER < ALL | name... > ON < DATABASE | ALL SERVER | name >
enableTriggerOfTable = < ENABLE | DISABLE > < TRIGGER < ALL | identifier... > | CHANGE_TRACKING [ WITH options ] >
executeAsOptions = WITH < NO REVERT | COOKIE INTO variable >
conversation = < SEND ON | RECEIVE | GET CONVERSATION | MOVE CONVERSATION | END CONVERSATION > rest
beginDialog = BEGIN < DIALOG | CONVERSATION > rest
distributed = BEGIN DISTRIBUTED < TRAN | TRANSACTION > [ identifier | variable ]
atomic = BEGIN ATOMIC WITH ( < words = < onOff | string | words > >... ) statements END
withMark = WITH MARK [ string | variable ]
durability = WITH ( DELAYED_DURABILITY = onOff )
waitforOther = TIME < string | variable > | ( rest_in_parentheses ) [ , TIMEOUT < integer | variable > ]
pivot = PIVOT ( name ( < * | name... > ) FOR name IN ( identifier... ) ) [ AS ] identifier
unpivot = UNPIVOT ( name FOR name IN ( name... ) ) [ AS ] identifier
tablesample = TABLESAMPLE [ SYSTEM ] ( expression [ PERCENT | ROWS ] ) [ REPEATABLE ( expression ) ]
systemTime = FOR SYSTEM_TIME < AS OF sum | FROM sum TO sum | BETWEEN sum AND sum | CONTAINED IN ( sum , sum ) | ALL >
tableHint = READPAST | SNAPSHOT | KEEPIDENTITY | KEEPDEFAULTS | IGNORE_CONSTRAINTS | IGNORE_TRIGGERS
neutralHint = FORCESCAN | NOEXPAND | FORCESEEK [ ( < identifier | integer > ( identifier... ) ) ] | SPATIAL_WINDOW_MAX_CELLS = integer
indexHint = INDEX < = < indexName | ( indexName... ) > | ( indexName... ) >
indexName = identifier | integer
rowset = < OPENQUERY ( identifier , string ) | OPENDATASOURCE ( string , string ) . name | OPENXML ( variable , < string | variable > [ , < integer | variable > ] )
  [ WITH ( < name | < identifier type [ string ] >... > ) ] | < CONTAINSTABLE | FREETEXTTABLE > ( name , < * | identifier | ( < * | identifier... > ) > , < string | variable > [ , LANGUAGE < string | integer > ] [ , < integer | variable > ] )
  | OPENROWSET ( rest_in_parentheses ) [ WITH ( rest_in_parentheses ) ] | CHANGETABLE ( rest_in_parentheses ) >
fullText = < CONTAINS | FREETEXT > ( < PROPERTY ( rest_in_parentheses ) | * | ( < * | name... > ) | name > , < string | variable > [ , LANGUAGE < string | integer > ] )
updatedColumn = UPDATE ( identifier )
grouping = < ROLLUP | CUBE > ( groupingItem... ) | GROUPING SETS ( groupingSet... ) | ( ) | ALL expression...
groupingItem = ( expression... ) | expression
groupingSet = ( ) | < ROLLUP | CUBE > ( groupingItem... ) | ( groupingItem... ) | expression
withRollup = WITH < ROLLUP | CUBE >
windowClause = WINDOW < identifier AS ( [ windowName ] window ) >...
forXml = FOR XML < RAW [ ( string ) ] | PATH [ ( string ) ] | AUTO | EXPLICIT >
  { , < ROOT [ ( string ) ] | ELEMENTS [ XSINIL | ABSENT ] | TYPE | BINARY BASE64 | XMLDATA | XMLSCHEMA [ ( string ) ] > }
forBrowse = FOR BROWSE
xmlNamespaces = XMLNAMESPACES ( < string AS identifier | DEFAULT string >... )
queryHint = FAST integer | FORCE < ORDER | EXTERNALPUSHDOWN | SCALEOUTEXECUTION > | < HASH | LOOP | MERGE | CONCAT | ORDER > < JOIN | UNION | GROUP >
  | < KEEP | KEEPFIXED | ROBUST > PLAN | EXPAND VIEWS | OPTIMIZE FOR < UNKNOWN | ( < variable < UNKNOWN | = expression > >... ) >
  | PARAMETERIZATION < SIMPLE | FORCED > | QUERYTRACEON integer | USE < HINT ( string... ) | PLAN string >
  | < MIN_GRANT_PERCENT | MAX_GRANT_PERCENT > = number | LABEL = string | NO_PERFORMANCE_SPOOL
  | IGNORE_NONCLUSTERED_COLUMNSTORE_INDEX | DISABLE < EXTERNALPUSHDOWN | OPTIMIZED_PLAN_FORCING > | TABLE HINT ( name { , < tableHint | neutralHint | indexHint | identifier > } )
nextValue = NEXT VALUE FOR name [ OVER ( window ) ]
jsonEntries = [ < expression : expression >... ] [ < NULL | ABSENT > ON NULL ]
jsonNulls = < NULL | ABSENT > ON NULL
nulls = < IGNORE | RESPECT > NULLS
trimmed = < LEADING | TRAILING | BOTH > expression FROM expression
parsed = ( expression AS type [ USING expression ] )
identityColumn = IDENTITY ( type [ , signed , signed ] )
write = WRITE ( expression , expression , expression )
method = . identifier [ ( [ expression... ] ) ] | :: identifier [ ( [ expression... ] ) ]
resultSets = WITH < RESULT SETS < NONE | UNDEFINED | ( < resultSet >... ) > | RECOMPILE [ , RESULT SETS < NONE | UNDEFINED | ( resultSet... ) > ] >
resultSet = AS OBJECT name | AS TYPE name | AS FOR XML | ( < identifier type [ COLLATE identifier ] [ NULL | NOT NULL ] >... )
at = AT [ DATA_SOURCE ] identifier
asUser = AS < USER | LOGIN > = string
columnAttribute = SPARSE | COLUMN_SET FOR ALL_SPARSE_COLUMNS | ROWGUIDCOL | FILESTREAM | HIDDEN | NOT FOR REPLICATION | MASKED WITH ( FUNCTION = string )
  | GENERATED ALWAYS AS < ROW | TRANSACTION_ID | SEQUENCE_NUMBER > < START | END > [ HIDDEN ] | ENCRYPTED WITH ( rest_in_parentheses )
alterAttribute = < ADD | DROP > < ROWGUIDCOL | PERSISTED | SPARSE | HIDDEN | NOT FOR REPLICATION | MASKED [ WITH ( FUNCTION = string ) ] >
columnIndex = INDEX identifier [ UNIQUE ] [ CLUSTERED | NONCLUSTERED ] [ HASH ] [ WHERE condition ] [ WITH options ] [ place ]
columnstoreIndex = COLUMNSTORE [ ( identifier... ) ] [ ORDER ( identifier... ) ] [ WHERE condition ] [ WITH options ] [ place ]
period = PERIOD FOR SYSTEM_TIME ( identifier , identifier )
place = ON < string | identifier > [ ( identifier ) ]
storage = place | TEXTIMAGE_ON < string | identifier > | FILESTREAM_ON < string | identifier > | WITH options
textImage = TEXTIMAGE_ON < string | identifier >
tableOptions = WITH options
indexOptions = WITH < options | FILLFACTOR = integer >
tableSwitch = SWITCH [ PARTITION expression ] TO name [ PARTITION expression ] [ WITH options ] | SET options | REBUILD [ PARTITION = < ALL | expression > ] [ WITH options ]
constraintSwitch = NOCHECK CONSTRAINT < ALL | identifier... >
dropWith = WITH ( < words = optionValue | MOVE TO < string | identifier > [ ( identifier ) ] >... )
schemaElement = CREATE < TABLE name tableElements | VIEW rest > | permission
setStatistics = STATISTICS < IO | TIME | XML | PROFILE >... onOff
setOther = CONTEXT_INFO < binary | variable > | QUERY_GOVERNOR_COST_LIMIT signed | FIPS_FLAGGER < OFF | string > | ERRLVL integer | OFFSETS words onOff
  | USER string | ROWCOUNT variable | LOCK_TIMEOUT variable | DATEFIRST variable | DEADLOCK_PRIORITY variable | LANGUAGE variable | DATEFORMAT variable
  | TEXTSIZE variable
`;
