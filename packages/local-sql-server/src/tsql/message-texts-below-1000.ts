/** The messages with numbers below 1000; see `messages.ts`. */
export const textsBelow1000 = `
102 15 Incorrect syntax near '%s'.
103 15 The identifier that starts with '%s' is too long. Maximum length is 128.
104 15 ORDER BY items must appear in the select list if the statement contains a UNION, INTERSECT or EXCEPT operator.
105 15 Unclosed quotation mark after the character string '%s'.
107 15 The column prefix '%s' does not match with a table name or alias name used in the query.
108 15 The ORDER BY position number %s is out of range of the number of items in the select list.
109 15 There are more columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.
110 15 There are fewer columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.
111 15 '%s' must be the first statement in a query batch.
113 15 Missing end comment mark '*/'.
116 16 Only one expression can be specified in the select list when the subquery is not introduced with EXISTS.
117 15 The object name '%s' contains more than the maximum number of prefixes. The maximum is %s.
119 15 Must pass parameter number %s and subsequent parameters as '@name = value'. After the form '@name = value' has been used, all subsequent parameters must be passed in the form '@name = value'.
120 15 The select list for the INSERT statement contains fewer items than the insert list. The number of SELECT values must match the number of INSERT columns.
121 15 The select list for the INSERT statement contains more items than the insert list. The number of SELECT values must match the number of INSERT columns.
127 15 A TOP N or FETCH rowcount value may not be negative.
128 15 The name "%s" is not permitted in this context. Valid expressions are constants, constant expressions, and (in some contexts) variables. Column names are not permitted.
130 15 Cannot perform an aggregate function on an expression containing an aggregate or a subquery.
131 15 The size (%s) given to the %s '%s' exceeds the maximum allowed for any data type (8000).
134 15 The variable name '%s' has already been declared. Variable names must be unique within a query batch or stored procedure.
135 15 Cannot use a BREAK statement outside the scope of a WHILE statement.
136 15 Cannot use a CONTINUE statement outside the scope of a WHILE statement.
137 15 Must declare the scalar variable "%s".
141 15 A SELECT statement that assigns a value to a variable must not be combined with data-retrieval operations.
144 15 Cannot use an aggregate or a subquery in an expression used for the group by list of a GROUP BY clause.
145 15 ORDER BY items must appear in the select list if SELECT DISTINCT is specified.
147 15 An aggregate may not appear in the WHERE clause unless it is in a subquery contained in a HAVING clause or a select list, and the column being aggregated is an outer reference.
153 15 Invalid usage of the option %s in the %s statement.
154 15 a USE database statement is not allowed in a procedure, function or trigger.
155 15 '%s' is not a recognized %s option.
156 15 Incorrect syntax near the keyword '%s'.
157 15 An aggregate may not appear in the set list of an UPDATE statement.
164 15 Each GROUP BY expression must contain at least one column that is not an outer reference.
166 15 '%s' does not allow specifying the database name as a prefix to the object name.
168 15 The floating point value '%s' is out of the range of computer representation (8 bytes).
174 15 The %s function requires %s argument(s).
178 15 A RETURN statement with a return value cannot be used in this context.
179 15 Cannot use the OUTPUT option when passing a constant to a stored procedure.
189 15 The %s function requires %s to %s arguments.
191 15 Some part of your SQL statement is nested too deeply. Rewrite the query or break it up into smaller queries.
195 15 '%s' is not a recognized %s.
201 16 Procedure or function '%s' expects parameter '%s', which was not supplied.
205 16 All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number of expressions in their target lists.
206 16 Operand type clash: %s is incompatible with %s
207 16 Invalid column name '%s'.
208 16 Invalid object name '%s'.
209 16 Ambiguous column name '%s'.
213 16 Column name or number of supplied values does not match table definition.
214 16 Procedure expects parameter '%s' of type '%s'.
217 16 Maximum stored procedure, function, trigger, or view nesting level exceeded (limit 32).
220 16 Arithmetic overflow error for data type %s, value = %s.
226 16 %s statement not allowed within multi-statement transaction.
229 14 The %s permission was denied on the object '%s', database '%s', schema '%s'.
232 16 Arithmetic overflow error for type %s, value = %s.
235 16 Cannot convert a char value to money. The char value has incorrect syntax.
239 16 Duplicate common table expression name '%s' was specified.
240 16 Types don't match between the anchor and the recursive part in column "%s" of recursive query "%s".
241 16 Conversion failed when converting date and/or time from character string.
242 16 The conversion of a %s data type to a %s data type resulted in an out-of-range value.
243 16 Type %s is not a defined system type.
244 16 The conversion of the %s value '%s' overflowed an %s column. Use a larger integer column.
245 16 Conversion failed when converting the %s value '%s' to data type %s.
248 16 The conversion of the %s value '%s' overflowed an int column.
252 16 Recursive common table expression '%s' does not contain a top-level UNION ALL operator.
253 16 Recursive member of a common table expression '%s' has multiple recursive references.
257 16 Implicit conversion from data type %s to %s is not allowed. Use the CONVERT function to run this query.
262 14 %s permission denied in database '%s'.
263 16 Must specify table to select from.
264 16 The column name '%s' is specified more than once in the SET clause or column list of an INSERT. A column cannot be assigned more than one value in the same clause. Modify the clause to make sure that a column is updated only once. If this statement updates or inserts columns into a view, column aliasing can conceal the duplication in your code.
266 16 Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements. Previous count = %s, current count = %s.
271 16 The column "%s" cannot be modified because it is either a computed column or is the result of a UNION operator.
272 16 Cannot update a timestamp column.
273 16 Cannot insert an explicit value into a timestamp column. Use INSERT with a column list to exclude the timestamp column, or insert a DEFAULT into the timestamp column.
281 16 %s is not a valid style number when converting from %s to a character string.
289 16 Cannot construct data type %s, some of the arguments have values which are not valid.
295 16 Conversion failed when converting character string to smalldatetime data type.
308 16 Index '%s' on table '%s' (specified in the FROM clause) does not exist.
313 16 An insufficient number of arguments were supplied for the procedure or function %s.
319 15 Incorrect syntax near the keyword 'with'. If this statement is a common table expression, an xmlnamespaces clause or a change tracking context clause, the previous statement must be terminated with a semicolon.
321 15 "%s" is not a recognized table hints option. If it is intended as a parameter to a table-valued function or to the CHANGETABLE function, ensure that your database compatibility mode is set to 90.
402 16 The data types %s and %s are incompatible in the %s operator.
408 16 A constant expression was encountered in the ORDER BY list, position %s.
443 16 Invalid use of a side-effecting operator '%s' within a function.
444 16 Select statements included within a function cannot return data to a client.
447 16 Expression type %s is invalid for COLLATE clause.
448 16 Invalid collation '%s'.
455 16 The last statement included within a function must be a return statement.
460 16 DISTINCT operator is not allowed in the recursive part of a recursive common table expression '%s'.
461 16 The TOP or OFFSET operator is not allowed in the recursive part of a recursive common table expression '%s'.
462 16 Outer join is not allowed in the recursive part of a recursive common table expression '%s'.
467 16 GROUP BY, HAVING, or aggregate functions are not allowed in the recursive part of a recursive common table expression '%s'.
468 16 Cannot resolve the collation conflict between "%s" and "%s" in the %s operation.
506 16 The invalid escape character "%s" was specified in a %s.
512 16 Subquery returned more than 1 value. This is not permitted when the subquery follows =, !=, <, <= , >, >= or when the subquery is used as an expression.
515 16 Cannot insert the value NULL into column '%s', table '%s'; column does not allow nulls. %s fails.
517 16 Adding a value to a '%s' column caused an overflow.
529 16 Explicit conversion from data type %s to %s is not allowed.
530 16 The statement terminated. The maximum recursion %s has been exhausted before statement completion.
535 16 The datediff function resulted in an overflow. The number of dateparts separating two date/time instances is too large. Try to use datediff with a less precise datepart.
536 16 Invalid length parameter passed to the %s function.
537 16 Invalid length parameter passed to the LEFT or SUBSTRING function.
544 16 Cannot insert explicit value for identity column in table '%s' when IDENTITY_INSERT is set to OFF.
545 16 Explicit value must be specified for identity column in table '%s' either when IDENTITY_INSERT is set to ON or when a replication user is inserting into a NOT FOR REPLICATION identity column.
547 16 The %s statement conflicted with the %s constraint "%s". The conflict occurred in database "%s", table "%s"%s.
628 16 Cannot issue SAVE TRANSACTION when there is no active transaction.
911 16 Database '%s' does not exist. Make sure that the name is entered correctly.
916 14 The server principal "%s" is not able to access the database "%s" under the current security context.
`;
