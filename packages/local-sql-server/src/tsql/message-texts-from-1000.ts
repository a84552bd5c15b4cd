/** The messages with numbers from 1000; see `messages.ts`. */
export const textsFrom1000 = `
1001 15 Line %s: Length or precision specification %s is invalid.
1002 15 Line %s: Specified scale %s is invalid.
1007 15 The number '%s' is out of the range for numeric representation (maximum precision 38).
1008 16 The SELECT item identified by the ORDER BY number %s contains a variable as part of the expression identifying a column position. Variables are only allowed when ordering by an expression referencing a column name.
1013 16 The objects "%s" and "%s" in the FROM clause have the same exposed names. Use correlation names to distinguish them.
1023 15 Invalid parameter %s specified for %s.
1031 15 Percent values must be between 0 and 100.
1033 15 The ORDER BY clause is invalid in views, inline functions, derived tables, subqueries, and common table expressions, unless TOP, OFFSET or FOR XML is also specified.
1038 15 An object or column name is missing or empty. For SELECT INTO statements, verify each column has a name. For other statements, look for empty alias names. Aliases defined as "" or [] are not allowed. Change the alias to a valid name.
1046 15 Subqueries are not allowed in this context. Only scalar expressions are allowed.
1047 15 Conflicting locking hints specified.
1060 15 The number of rows provided for a TOP or FETCH clauses row count parameter must be an integer.
1062 15 The TOP N WITH TIES clause is not allowed without a corresponding ORDER BY clause.
1083 16 The lock owner 'Transaction' is valid only inside of a transaction.
1085 16 The value of parameter %s of procedure %s is not valid.
1087 15 Must declare the table variable "%s".
1088 16 Cannot find the object "%s" because it does not exist or you do not have permissions.
1105 17 Could not allocate space in database '%s', because its disk is full.
1205 13 Transaction (Process ID %s) was deadlocked on lock resources with another process and has been chosen as the deadlock victim. Rerun the transaction.
1222 16 Lock request time out period exceeded.
1223 16 Cannot release the application lock (Database Principal: 'public', Resource: '%s') because it is not currently held.
1505 16 The CREATE UNIQUE INDEX statement terminated because a duplicate key was found for the object name '%s' and the index name '%s'. The duplicate key value is (%s).
1761 16 Cannot create the foreign key "%s" with the SET NULL referential action, because one or more referencing columns are not nullable.
1767 16 Foreign key '%s' references invalid table '%s'.
1769 16 Foreign key '%s' references invalid column '%s' in referencing table '%s'.
1770 16 Foreign key '%s' references invalid column '%s' in referenced table '%s'.
1773 16 Foreign key '%s' has implicit reference to object '%s' which does not have a primary key defined on it.
1776 16 There are no primary or candidate keys in the referenced table '%s' that match the referencing column list in the foreign key '%s'.
1778 16 Column '%s' is not the same data type as referencing column '%s' in foreign key '%s'.
1779 16 Table '%s' already has a primary key defined on it.
1781 16 Column already has a DEFAULT bound to it.
1785 16 Introducing FOREIGN KEY constraint '%s' on table '%s' may cause cycles or multiple cascade paths. Specify ON DELETE NO ACTION or ON UPDATE NO ACTION, or modify other FOREIGN KEY constraints.
1801 16 Database '%s' already exists. Choose a different database name.
1902 16 Cannot create more than one clustered index on table '%s'. Drop the existing clustered index '%s' before creating another.
1909 16 Cannot use duplicate column names in %s. Column name '%s' listed more than once.
1911 16 Column name '%s' does not exist in the target table or view.
1913 16 The operation failed because an index or statistics with name '%s' already exists on table '%s'.
1919 16 Column '%s' in table '%s' is of a type that is invalid for use as a key column in an index.
1946 16 Operation failed. The index entry of length %s bytes for the index '%s' exceeds the maximum length of %s bytes for %s indexes.
2010 16 Cannot perform alter on '%s' because it is an incompatible object type.
2501 16 Cannot find a table or object with the name "%s". Check the system catalog.
2528 10 DBCC execution completed. If DBCC printed error messages, contact your system administrator.
2601 14 Cannot insert duplicate key row in object '%s' with unique index '%s'. The duplicate key value is (%s).
2627 14 Violation of %s constraint '%s'. Cannot insert duplicate key in object '%s'. The duplicate key value is (%s).
2628 16 String or binary data would be truncated in table '%s', column '%s'. Truncated value: '%s'.
2705 16 Column names in each table must be unique. Column name '%s' in table '%s' is specified more than once.
2714 16 There is already an object named '%s' in the database.
2715 16 Column, parameter, or variable #%s: Cannot find data type %s.
2716 16 Column, parameter, or variable #%s: Cannot specify a column width on data type %s.
2717 15 The size (%s) given to the %s '%s' exceeds the maximum allowed (%s).
2727 11 Cannot find index '%s'.
2732 16 Error number %s is invalid. The number must be from 13000 through 2147483647 and it cannot be 50000.
2738 16 A table can only have one timestamp column. Because table '%s' already has one, the column '%s' cannot be added.
2739 16 The text, ntext, and image data types are invalid for local variables.
2744 16 Multiple identity columns specified for table '%s'. Only one identity column per table is allowed.
2748 16 Cannot specify %s data type (parameter %s) as a substitution parameter.
2749 16 Identity column '%s' must be of data type int, bigint, smallint, tinyint, or decimal or numeric with a scale of 0, unencrypted, and constrained to be nonnullable.
2750 16 Column or parameter #%s: Specified column precision %s is greater than the maximum precision of %s.
2751 16 Column or parameter #%s: Specified column scale %s is greater than the specified precision of %s.
2754 16 Error severity levels greater than 18 can only be specified by members of the sysadmin role, using the WITH LOG option.
2760 16 The specified schema name "%s" either does not exist or you do not have permission to use it.
2772 16 Cannot access temporary tables from within a function.
2786 16 The data type of substitution parameter %s does not match the expected type of the format specification.
2787 16 Invalid format specification: '%s'.
2812 16 Could not find stored procedure '%s'.
3621 0 The statement has been terminated.
3623 16 An invalid floating point operation occurred.
3701 11 Cannot %s the %s '%s', because it does not exist or you do not have permission.
3705 16 Cannot use DROP %s with '%s' because '%s' is a %s. Use %s.
3723 16 An explicit DROP INDEX is not allowed on index '%s'. It is being used for %s constraint enforcement.
3725 16 The constraint '%s' is being referenced by table '%s', foreign key constraint.
3726 16 Could not drop object '%s' because it is referenced by a FOREIGN KEY constraint.
3728 16 '%s' is not a constraint.
3729 16 Cannot %s '%s' because it is being referenced by object '%s'.
3902 16 The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.
3903 16 The ROLLBACK TRANSACTION request has no corresponding BEGIN TRANSACTION.
3915 16 Cannot use the ROLLBACK statement within an INSERT-EXEC statement.
3930 16 The current transaction cannot be committed and cannot support operations that write to the log file. Roll back the transaction.
3931 16 The current transaction cannot be committed and cannot be rolled back to a savepoint. Roll back the entire transaction.
3998 16 Uncommittable transaction is detected at the end of the batch. The transaction is rolled back.
4060 11 Cannot open database "%s" requested by the login. The login failed.
4104 16 The multi-part identifier "%s" could not be bound.
4108 15 Windowed functions can only appear in the SELECT or ORDER BY clauses.
4109 15 Windowed functions cannot be used in the context of another windowed function or aggregate.
4112 15 The function '%s' must have an OVER clause with ORDER BY.
4113 16 The function '%s' is not a valid windowing function, and cannot be used with the OVER clause.
4121 16 Cannot find either column "%s" or the user-defined function or aggregate "%s", or the name is ambiguous.
4127 16 At least one of the arguments to COALESCE must be an expression that is not the NULL constant.
4145 15 An expression of non-boolean type specified in a context where a condition is expected, near '%s'.
4151 16 The type of the first argument to NULLIF cannot be the NULL constant because the type of the first argument has to be known.
4193 16 '%s' is not a valid window frame and cannot be used with the OVER clause.
4194 16 RANGE is only supported with UNBOUNDED and CURRENT ROW window frame delimiters.
4199 16 Argument value 0 is invalid for parameter 3 of generate_series function.
4403 16 Cannot update the view or function '%s' because it contains aggregates, or a DISTINCT or GROUP BY clause, or PIVOT or UNPIVOT operator.
4405 16 View or function '%s' is not updatable because the modification affects multiple base tables.
4406 16 Update or insert of view or function '%s' failed because it contains a derived or constant field.
4426 16 View '%s' is not updatable because the definition contains a UNION operator.
4506 16 Column names in each view or function must be unique. Column name '%s' in view or function '%s' is specified more than once.
4508 16 Views or functions are not allowed on temporary tables. Table names that begin with '#' denote temporary tables.
4511 16 Create View or Function failed because no column name was specified for column %s.
4514 16 CREATE FUNCTION failed because a column name is not specified for column %s.
4606 16 Granted or revoked privilege %s is not compatible with object.
4617 16 Cannot grant, deny or revoke permissions to or from special roles.
4624 16 Cannot grant, deny, or revoke permissions to sa, dbo, entity owner, information_schema, sys, or yourself.
4701 16 Cannot find the object "%s" because it does not exist or you do not have permissions.
4712 16 Cannot truncate table '%s' because it is being referenced by a FOREIGN KEY constraint.
4901 16 ALTER TABLE only allows columns to be added that can contain nulls, or have a DEFAULT definition specified, or the column being added is an identity or timestamp column, or alternatively if none of the previous conditions are satisfied the table must be empty to allow addition of this column. Column '%s' cannot be added to non-empty table '%s' because it does not satisfy these conditions.
4902 16 Cannot find the object "%s" because it does not exist or you do not have permissions.
4917 16 Constraint '%s' does not exist.
4922 16 %s %s failed because one or more objects access this column.
4923 16 ALTER TABLE DROP COLUMN failed because '%s' is the only data column in table '%s'. A table must have at least one data column.
4924 16 %s failed because column '%s' does not exist in table '%s'.
4936 16 Computed column '%s' in table '%s' cannot be persisted because the column is non-deterministic.
5308 16 Windowed functions, aggregates and NEXT VALUE FOR functions do not support integer indices as ORDER BY clause expressions.
5309 16 Windowed functions, aggregates and NEXT VALUE FOR functions do not support constants as ORDER BY clause expressions.
5324 15 In a MERGE statement, a '%s' clause with a search condition cannot appear after a '%s' clause with no search condition.
5701 10 Changed database context to '%s'.
6401 16 Cannot roll back %s. No transaction or savepoint of that name was found.
7202 11 Could not find server '%s' in sys.servers. Verify that the correct server name was specified. If necessary, execute the stored procedure sp_addlinkedserver to add the server to sys.servers.
7997 16 '%s' does not contain an identity column.
7998 10 Checking identity information: current identity value '%s', current column value '%s'.
7999 10 Checking identity information: current identity value '%s'.
8101 16 An explicit value for the identity column in table '%s' can only be specified when a column list is used and IDENTITY_INSERT is ON.
8102 16 Cannot update identity column '%s'.
8106 16 Table '%s' does not have the identity property. Cannot perform SET operation.
8107 16 IDENTITY_INSERT is already ON for table '%s'. Cannot perform SET operation for table '%s'.
8110 16 Cannot add multiple PRIMARY KEY constraints to table '%s'.
8111 16 Cannot define PRIMARY KEY constraint on nullable column in table '%s'.
8114 16 Error converting data type %s to %s.
8115 16 Arithmetic overflow error converting %s to data type %s.
8116 16 Argument data type %s is invalid for argument %s of %s function.
8117 16 Operand data type %s is invalid for %s operator.
8120 16 Column '%s' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause.
8121 16 Column '%s' is invalid in the HAVING clause because it is not contained in either an aggregate function or the GROUP BY clause.
8127 16 Column "%s" is invalid in the ORDER BY clause because it is not contained in either an aggregate function or the GROUP BY clause.
8133 16 At least one of the result expressions in a CASE specification must be an expression other than the NULL constant.
8134 16 Divide by zero error encountered.
8139 16 Number of referencing columns in foreign key differs from number of referenced columns, table '%s'.
8141 16 Column CHECK constraint for column '%s' references another column, table '%s'.
8143 16 Parameter '%s' was supplied multiple times.
8144 16 Procedure or function %s has too many arguments specified.
8145 16 %s is not a parameter for procedure %s.
8146 16 Procedure %s has no parameters and arguments were supplied.
8147 16 Could not create IDENTITY attribute on nullable column '%s', table '%s'.
8148 16 More than one column %s constraint specified for column '%s', table '%s'.
8155 16 No column name was specified for column %s of '%s'.
8156 16 The column '%s' was specified multiple times for '%s'.
8158 16 '%s' has more columns than were specified in the column list.
8159 16 '%s' has fewer columns than were specified in the column list.
8162 16 The formal parameter "%s" was not declared as an OUTPUT parameter, but the actual parameter passed in requested output.
8164 16 An INSERT EXEC statement cannot be nested.
8169 16 Conversion failed when converting from a character string to uniqueidentifier.
8178 16 The parameterized query '%s' expects the parameter '%s', which was not supplied.
8179 16 Could not find prepared statement with handle %s.
8180 16 Statement(s) could not be prepared.
8672 16 The MERGE statement attempted to UPDATE or DELETE the same row more than once. This happens when a target row matches more than one source row. A MERGE statement cannot UPDATE/DELETE the same row of the target table multiple times. Refine the ON clause to ensure a target row matches at most one source row, or use the GROUP BY clause to group the source rows.
8733 16 Separator parameter for STRING_AGG must be a string literal or variable.
9810 16 The datepart %s is not supported by date function %s for data type %s.
9812 16 The timezone provided to builtin function todatetimeoffset is invalid.
9818 16 The culture parameter '%s' provided in the function call is not supported.
9820 16 The time zone parameter '%s' provided to AT TIME ZONE clause is invalid.
9828 16 The second and third arguments of the TRANSLATE built-in function must contain an equal number of characters.
9829 16 STRING_AGG aggregation result exceeded the limit of 8000 bytes. Use LOB types to avoid result truncation.
10704 15 To rethrow an error, a THROW statement must be used inside a CATCH block. Insert the THROW statement inside a CATCH block, or add error parameters to the THROW statement.
10709 16 The number of columns for each row in a table value constructor must be the same.
10710 15 An action of type '%s' is not allowed in the 'WHEN NOT MATCHED' clause of a MERGE statement.
10711 15 An action of type '%s' is not allowed in the 'WHEN MATCHED' clause of a MERGE statement.
10713 15 A MERGE statement must be terminated by a semi-colon (;).
10714 15 An action of type '%s' cannot appear more than once in a '%s' clause of a MERGE statement.
10735 15 Incorrect WHERE clause for filtered %s '%s' on table '%s'.
10738 15 The number of row value expressions in the INSERT statement exceeds the maximum allowed number of 1000 row values.
10741 15 A TOP can not be used in the same query or sub-query as a OFFSET.
10742 15 The offset specified in a OFFSET clause may not be negative.
10744 15 The number of rows provided for a FETCH clause must be greater then zero.
10752 15 The function '%s' may not have a window frame.
10753 15 The function '%s' must have an OVER clause.
10756 15 Window frame with ROWS or RANGE must have an ORDER BY clause.
10759 15 Use of DISTINCT is not allowed with the OVER clause.
13600 16 FOR JSON AUTO requires at least one table for generating JSON objects. Use FOR JSON PATH or add a FROM clause with a table name.
13601 16 Property '%s' cannot be generated in JSON output due to a conflict with another column name or alias. Use different names and aliases for each column in SELECT list.
13605 16 Column expressions and data sources without names or aliases cannot be formatted as JSON text using FOR JSON clause. Add alias to the unnamed column or table.
13607 16 JSON path is not properly formatted. Unexpected character '%s' is found at position %s.
13608 16 Property cannot be found on the specified JSON path.
13609 16 JSON text is not properly formatted. Unexpected character '%s' is found at position %s.
13618 16 AS JSON option can be specified only for column of nvarchar(max) type in WITH clause, not for %s.
13620 16 FOR JSON ROOT option and WITHOUT_ARRAY_WRAPPER option cannot be used together in FOR JSON. Remove one of these options.
13623 16 Scalar value cannot be found in the specified JSON path.
13624 16 Object or array cannot be found in the specified JSON path.
13625 16 String value in the specified JSON path would be truncated.
15007 16 '%s' is not a valid login or you do not have permission.
15023 16 User, group, or role '%s' already exists in the current database.
15063 16 The login already has an account under a different user name.
15081 16 Membership of the public role cannot be changed.
15144 16 The role has members. It must be empty before it can be dropped.
15150 16 Cannot %s the %s '%s'.
15151 16 Cannot %s the %s '%s', because it does not exist or you do not have permission.
15247 16 User does not have permission to perform this action.
15405 11 Cannot use the special principal '%s'.
15413 11 Cannot make a role a member of itself.
15517 16 Cannot execute as the database principal because the principal "%s" does not exist, this type of principal cannot be impersonated, or you do not have permission.
18054 16 Error %s, severity %s, state %s was raised, but no message with that error number was found in sys.messages.
18456 14 Login failed for user '%s'.
35100 16 Error number %s in the THROW statement is outside the valid range. Specify an error number in the valid range of 50000 to 2147483647.
40508 16 USE statement is not supported to switch between databases. Use a new connection to connect to a different database.
40517 16 '%s' is not supported by the local SQL server (line %s, column %s).
`;
