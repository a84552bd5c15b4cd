// Microsoft.Data.SqlClient: what a .NET program does on its first day.
using System.Data;
using System.Data.SqlTypes;
using System.Transactions;
using Microsoft.Data.SqlClient;
using IsolationLevel = System.Data.IsolationLevel;

public static class ClientChecks
{
    const string Letters = "abcdefghijklmnopqrstuvwxyzæøå";

    static string Long(int length) => string.Concat(Enumerable.Repeat(Letters, length / Letters.Length + 1))[..length];

    public static IEnumerable<Check> All(string connectionString)
    {
        SqlConnection Open(string more = "")
        {
            var connection = new SqlConnection(connectionString + more);
            connection.Open();
            return connection;
        }
        T With<T>(Func<SqlConnection, T> work)
        {
            using var connection = Open();
            return work(connection);
        }
        object Scalar(SqlConnection connection, string sql, SqlTransaction transaction = null)
        {
            using var command = new SqlCommand(sql, connection, transaction);
            return command.ExecuteScalar();
        }
        Check Of(string name, Func<SqlConnection, object> run, object expected) =>
            new($"SqlClient: {name}", () => Task.FromResult(With(run)), expected);
        object NumberOf(Action work)
        {
            try { work(); return 0; }
            catch (SqlException error) { return error.Number; }
        }

        yield return Of("a table for the checks", c => { Scalar(c, """
            CREATE TABLE dbo.Account (id int IDENTITY PRIMARY KEY, name nvarchar(50) NOT NULL, amount decimal(12,2) NOT NULL DEFAULT 0, note nvarchar(max));
            INSERT dbo.Account (name, amount) VALUES (N'Ann', 10), (N'Bob', 20);
            """); return Scalar(c, "SELECT COUNT(*) FROM dbo.Account"); }, 2);

        // Long values, at every place in a packet.
        foreach (var length in new[] { 1, 3900, 3990, 4000, 8000, 20_000, 1_000_000 })
        {
            var text = Long(length);
            yield return Of($"nvarchar(max) of {length} by ExecuteScalar", c =>
            {
                using var command = new SqlCommand("SELECT @t", c);
                command.Parameters.Add("@t", SqlDbType.NVarChar, -1).Value = text;
                return (string)command.ExecuteScalar() == text;
            }, true);
            yield return new($"SqlClient: nvarchar(max) of {length}, read asynchronously", async () =>
            {
                using var c = Open();
                using var command = new SqlCommand("SELECT 1, CAST(@t AS nvarchar(max)), @t, CAST(N'æ' AS nvarchar(max))", c);
                command.Parameters.Add("@t", SqlDbType.NVarChar, -1).Value = text;
                using var reader = await command.ExecuteReaderAsync();
                await reader.ReadAsync();
                return await reader.GetFieldValueAsync<string>(1) == text && reader.GetString(2) == text && reader.GetString(3) == "æ";
            }, true);
            yield return new($"SqlClient: nvarchar(max) of {length}, read as it comes", async () =>
            {
                using var c = Open();
                using var command = new SqlCommand("SELECT CAST(@t AS nvarchar(max)), CAST(@b AS varbinary(max))", c);
                command.Parameters.Add("@t", SqlDbType.NVarChar, -1).Value = text;
                command.Parameters.Add("@b", SqlDbType.VarBinary, -1).Value = System.Text.Encoding.UTF8.GetBytes(text);
                using var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess);
                await reader.ReadAsync();
                using var texts = reader.GetTextReader(0);
                var found = await texts.ReadToEndAsync();
                using var bytes = new MemoryStream();
                await reader.GetStream(1).CopyToAsync(bytes);
                return found == text && System.Text.Encoding.UTF8.GetString(bytes.ToArray()) == text;
            }, true);
        }
        foreach (var offset in Enumerable.Range(3940, 60).Where(n => n % 3 == 0))
            yield return new($"SqlClient: two long values, the first of {offset}", async () =>
            {
                using var c = Open();
                using var command = new SqlCommand("SELECT CAST(@a AS varchar(max)), CAST(@t AS nvarchar(max))", c);
                command.Parameters.Add("@a", SqlDbType.VarChar, -1).Value = new string('x', offset);
                command.Parameters.Add("@t", SqlDbType.NVarChar, -1).Value = Long(9000);
                using var reader = await command.ExecuteReaderAsync();
                await reader.ReadAsync();
                return await reader.GetFieldValueAsync<string>(0) == new string('x', offset) && await reader.GetFieldValueAsync<string>(1) == Long(9000);
            }, true);

        // Transactions.
        yield return Of("BeginTransaction and Commit", c =>
        {
            using var transaction = c.BeginTransaction();
            Scalar(c, "UPDATE dbo.Account SET amount = 11 WHERE id = 1", transaction);
            var inside = Scalar(c, "SELECT @@TRANCOUNT", transaction);
            transaction.Commit();
            return $"{inside} {Scalar(c, "SELECT amount FROM dbo.Account WHERE id = 1")}";
        }, "1 11.00");
        yield return Of("Rollback", c =>
        {
            using var transaction = c.BeginTransaction(IsolationLevel.Serializable);
            Scalar(c, "UPDATE dbo.Account SET amount = 12 WHERE id = 1", transaction);
            transaction.Rollback();
            return Scalar(c, "SELECT amount FROM dbo.Account WHERE id = 1");
        }, 11.00m);
        foreach (var level in new[] { IsolationLevel.ReadCommitted, IsolationLevel.ReadUncommitted, IsolationLevel.RepeatableRead, IsolationLevel.Serializable })
            yield return Of($"BeginTransaction({level})", c =>
            {
                using var transaction = c.BeginTransaction(level);
                Scalar(c, "UPDATE dbo.Account SET amount = amount", transaction);
                transaction.Commit();
                return Scalar(c, "SELECT @@TRANCOUNT");
            }, 0);
        yield return Of("a savepoint", c =>
        {
            using var transaction = c.BeginTransaction("outer");
            Scalar(c, "UPDATE dbo.Account SET amount = 21 WHERE id = 2", transaction);
            transaction.Save("s1");
            Scalar(c, "UPDATE dbo.Account SET amount = 22 WHERE id = 2", transaction);
            transaction.Rollback("s1");
            transaction.Commit();
            return Scalar(c, "SELECT amount FROM dbo.Account WHERE id = 2");
        }, 21.00m);
        yield return Of("Dispose rolls back", c =>
        {
            using (var transaction = c.BeginTransaction()) Scalar(c, "DELETE dbo.Account", transaction);
            return Scalar(c, "SELECT COUNT(*) FROM dbo.Account");
        }, 2);
        yield return Of("an error that dooms the transaction", c =>
        {
            using var transaction = c.BeginTransaction();
            var number = NumberOf(() => Scalar(c, "SELECT CAST('x' AS int)", transaction));
            return $"{number} {Scalar(c, "SELECT @@TRANCOUNT", transaction.Connection is null ? null : transaction)}";
        }, "245 0");
        yield return new("SqlClient: BeginTransactionAsync", async () =>
        {
            using var c = Open();
            await using var transaction = (SqlTransaction)await c.BeginTransactionAsync();
            Scalar(c, "DELETE dbo.Account", transaction);
            await transaction.RollbackAsync();
            return Scalar(c, "SELECT COUNT(*) FROM dbo.Account");
        }, 2);
        yield return new("SqlClient: TransactionScope that completes", () =>
        {
            using (var scope = new TransactionScope())
            {
                With(c => Scalar(c, "UPDATE dbo.Account SET amount = 30 WHERE id = 1"));
                With(c => Scalar(c, "UPDATE dbo.Account SET amount += 1 WHERE id = 1"));
                scope.Complete();
            }
            return Task.FromResult(With(c => Scalar(c, "SELECT amount FROM dbo.Account WHERE id = 1")));
        }, 31.00m);
        yield return new("SqlClient: TransactionScope that does not", () =>
        {
            using (new TransactionScope()) With(c => Scalar(c, "DELETE dbo.Account"));
            return Task.FromResult(With(c => Scalar(c, "SELECT COUNT(*) FROM dbo.Account")));
        }, 2);
        yield return new("SqlClient: TransactionScope over await", async () =>
        {
            var options = new TransactionOptions { IsolationLevel = System.Transactions.IsolationLevel.ReadCommitted };
            using (var scope = new TransactionScope(TransactionScopeOption.Required, options, TransactionScopeAsyncFlowOption.Enabled))
            {
                await using var c = new SqlConnection(connectionString);
                await c.OpenAsync();
                await new SqlCommand("UPDATE dbo.Account SET amount = 32 WHERE id = 1", c).ExecuteNonQueryAsync();
                scope.Complete();
            }
            return With(c => Scalar(c, "SELECT amount FROM dbo.Account WHERE id = 1"));
        }, 32.00m);

        // Prepared statements.
        yield return Of("Prepare, executed three times", c =>
        {
            using var command = new SqlCommand("SELECT name FROM dbo.Account WHERE id = @id", c);
            command.Parameters.Add("@id", SqlDbType.Int);
            command.Prepare();
            var names = new List<string>();
            foreach (var id in new[] { 1, 2, 1 })
            {
                command.Parameters[0].Value = id;
                names.Add((string)command.ExecuteScalar());
            }
            return names;
        }, "Ann, Bob, Ann");
        yield return Of("Prepare with a text and an output", c =>
        {
            using var command = new SqlCommand("SELECT @n = COUNT(*) FROM dbo.Account WHERE name LIKE @name", c);
            command.Parameters.Add("@name", SqlDbType.NVarChar, 50).Value = "A%";
            command.Parameters.Add("@n", SqlDbType.Int).Direction = ParameterDirection.Output;
            command.Prepare();
            command.ExecuteNonQuery();
            command.Parameters[0].Value = "%b%";
            command.ExecuteNonQuery();
            return command.Parameters[1].Value;
        }, 1);
        yield return Of("Prepare of a missing table", c => NumberOf(() =>
        {
            using var command = new SqlCommand("SELECT * FROM dbo.Missing WHERE id = @id", c);
            command.Parameters.Add("@id", SqlDbType.Int).Value = 1;
            command.Prepare();
            command.ExecuteNonQuery();
        }), 208);

        // Metadata.
        yield return Of("GetSchema", c => c.GetSchema().Rows.Count > 10, true);
        foreach (var (collection, least) in new[] { ("Tables", 1), ("Columns", 4), ("Views", 0), ("Procedures", 0), ("Indexes", 1), ("IndexColumns", 1), ("Databases", 1), ("Users", 1), ("DataTypes", 20), ("ReservedWords", 100), ("ForeignKeys", 0), ("ProcedureParameters", 0), ("Restrictions", 5), ("DataSourceInformation", 1) })
            yield return Of($"GetSchema(\"{collection}\")", c => c.GetSchema(collection).Rows.Count >= least, true);
        yield return Of("GetSchema with restrictions", c => c.GetSchema("Columns", [null, "dbo", "Account", null]).Rows.Cast<DataRow>().OrderBy(r => r["ORDINAL_POSITION"]).Select(r => $"{r["COLUMN_NAME"]} {r["DATA_TYPE"]}"), "id int, name nvarchar, amount decimal, note nvarchar");
        yield return Of("GetSchemaTable", c =>
        {
            using var reader = new SqlCommand("SELECT id, name, amount FROM dbo.Account", c).ExecuteReader();
            return reader.GetSchemaTable().Rows.Cast<DataRow>().Select(r => $"{r["ColumnName"]} {r["DataTypeName"]} {r["AllowDBNull"]}");
        }, "id int False, name nvarchar False, amount decimal False");
        yield return Of("CommandBehavior.SchemaOnly", c =>
        {
            using var reader = new SqlCommand("SELECT id, name FROM dbo.Account", c).ExecuteReader(CommandBehavior.SchemaOnly);
            return $"{reader.FieldCount} {reader.Read()}";
        }, "2 False");
        yield return Of("CommandBehavior.SingleRow", c =>
        {
            using var reader = new SqlCommand("SELECT id FROM dbo.Account ORDER BY id", c).ExecuteReader(CommandBehavior.SingleRow);
            return $"{reader.Read()} {reader.GetInt32(0)}";
        }, "True 1");

        // Values.
        foreach (var (type, value) in new (SqlDbType, object)[] { (SqlDbType.Bit, true), (SqlDbType.TinyInt, (byte)255), (SqlDbType.SmallInt, (short)-5), (SqlDbType.Int, int.MinValue), (SqlDbType.BigInt, long.MaxValue), (SqlDbType.Real, 1.5f), (SqlDbType.Float, 1.25e10), (SqlDbType.Money, 12.3456m), (SqlDbType.SmallMoney, -1.5m), (SqlDbType.Decimal, 123456.789m), (SqlDbType.Date, new DateTime(2026, 11, 24)), (SqlDbType.DateTime, new DateTime(2026, 11, 24, 1, 2, 3, 330)), (SqlDbType.DateTime2, new DateTime(2026, 11, 24, 1, 2, 3).AddTicks(1234567)), (SqlDbType.SmallDateTime, new DateTime(2026, 11, 24, 1, 2, 0)), (SqlDbType.Time, new TimeSpan(0, 1, 2, 3, 4)), (SqlDbType.DateTimeOffset, new DateTimeOffset(2026, 11, 24, 1, 2, 3, TimeSpan.FromHours(2))), (SqlDbType.UniqueIdentifier, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")), (SqlDbType.NVarChar, "æøå €"), (SqlDbType.VarChar, "abc"), (SqlDbType.NChar, "æ"), (SqlDbType.Char, "a"), (SqlDbType.VarBinary, new byte[] { 1, 2, 255 }), (SqlDbType.Binary, new byte[] { 7 }) })
            yield return Of($"a parameter and a column of {type}", c =>
            {
                using var command = new SqlCommand("SELECT @p, @p WHERE @p IS NOT NULL", c);
                command.Parameters.Add("@p", type).Value = value;
                using var reader = command.ExecuteReader();
                reader.Read();
                return value is byte[] bytes ? ((byte[])reader.GetValue(0)).SequenceEqual(bytes) : reader.GetValue(0).Equals(value);
            }, true);
        yield return Of("AddWithValue", c =>
        {
            using var command = new SqlCommand("INSERT dbo.Account (name, amount, note) OUTPUT inserted.id VALUES (@n, @a, @o)", c);
            command.Parameters.AddWithValue("@n", "Eve");
            command.Parameters.AddWithValue("@a", 5.5m);
            command.Parameters.AddWithValue("@o", DBNull.Value);
            return command.ExecuteScalar();
        }, 3);
        yield return Of("ExecuteNonQuery counts", c => new SqlCommand("UPDATE dbo.Account SET note = N'x'", c).ExecuteNonQuery(), 3);
        yield return Of("NextResult", c =>
        {
            using var reader = new SqlCommand("SELECT 1; SELECT N'b', 2", c).ExecuteReader();
            reader.Read();
            var first = reader.GetInt32(0);
            return $"{first} {reader.NextResult()} {reader.Read()} {reader.GetString(0)} {reader.NextResult()}";
        }, "1 True True b False");
        yield return Of("a stored procedure with output and return value", c =>
        {
            Scalar(c, "CREATE OR ALTER PROCEDURE dbo.pRaise @id int, @by decimal(12,2) = 1, @now decimal(12,2) OUTPUT AS BEGIN UPDATE dbo.Account SET amount += @by WHERE id = @id; SELECT @now = amount FROM dbo.Account WHERE id = @id; RETURN 7; END");
            using var command = new SqlCommand("dbo.pRaise", c) { CommandType = CommandType.StoredProcedure };
            command.Parameters.AddWithValue("@id", 2);
            var now = command.Parameters.Add("@now", SqlDbType.Decimal);
            (now.Precision, now.Scale, now.Direction) = (12, 2, ParameterDirection.Output);
            var result = command.Parameters.Add("@r", SqlDbType.Int);
            result.Direction = ParameterDirection.ReturnValue;
            command.ExecuteNonQuery();
            return $"{now.Value} {result.Value}";
        }, "22.00 7");
        yield return Of("DeriveParameters", c =>
        {
            using var command = new SqlCommand("dbo.pRaise", c) { CommandType = CommandType.StoredProcedure };
            SqlCommandBuilder.DeriveParameters(command);
            return command.Parameters.Cast<SqlParameter>().Select(p => $"{p.ParameterName} {p.SqlDbType} {p.Direction}");
        }, "@RETURN_VALUE Int ReturnValue, @id Int Input, @by Decimal Input, @now Decimal InputOutput");
        yield return Of("InfoMessage", c =>
        {
            var heard = new List<string>();
            c.InfoMessage += (_, e) => heard.Add(e.Message);
            Scalar(c, "PRINT 'one'; RAISERROR('two', 0, 1) WITH NOWAIT");
            return heard;
        }, "one, two");
        yield return Of("errors with their numbers and lines", c =>
        {
            try { Scalar(c, "SELECT 1\nRAISERROR('a %s', 16, 3, 'b')\nSELECT 1/0"); return null; }
            catch (SqlException error) { return error.Errors.Cast<SqlError>().Select(e => $"{e.Number} {e.Class} {e.State} {e.LineNumber} {e.Message}"); }
        }, "50000 16 3 2 a b");
        yield return Of("a duplicate key", c => NumberOf(() => Scalar(c, "SET IDENTITY_INSERT dbo.Account ON; INSERT dbo.Account (id, name) VALUES (1, N'x')")), 2627);
        yield return Of("a command timeout", c =>
        {
            using var command = new SqlCommand("WAITFOR DELAY '00:00:20'", c) { CommandTimeout = 1 };
            return $"{NumberOf(() => command.ExecuteNonQuery())} {Scalar(c, "SELECT 1")}";
        }, "-2 1");
        yield return new("SqlClient: cancellation", async () =>
        {
            using var c = Open();
            using var source = new CancellationTokenSource(200);
            try { await new SqlCommand("WAITFOR DELAY '00:00:20'", c).ExecuteNonQueryAsync(source.Token); return "ran"; }
            catch (Exception error) when (error is SqlException or OperationCanceledException) { return Scalar(c, "SELECT 5"); }
        }, 5);
        yield return Of("SqlDataAdapter.Fill", c =>
        {
            var table = new DataTable();
            new SqlDataAdapter("SELECT id, name FROM dbo.Account ORDER BY id", c).Fill(table);
            return $"{table.Rows.Count} {table.Rows[1]["name"]}";
        }, "3 Bob");
        yield return Of("SqlDataAdapter.Update", c =>
        {
            using var adapter = new SqlDataAdapter("SELECT id, name FROM dbo.Account ORDER BY id", c);
            adapter.UpdateCommand = new SqlCommand("UPDATE dbo.Account SET name = @name WHERE id = @id", c);
            adapter.UpdateCommand.Parameters.Add("@name", SqlDbType.NVarChar, 50, "name");
            adapter.UpdateCommand.Parameters.Add("@id", SqlDbType.Int, 0, "id");
            var table = new DataTable();
            adapter.Fill(table);
            table.Rows[1]["name"] = "Bo";
            return adapter.Update(table);
        }, 1);
        yield return Of("ServerVersion and Database", c => $"{c.ServerVersion.Split('.')[0]} {c.Database}", "16 engines");
        yield return Of("ChangeDatabase to itself", c => { c.ChangeDatabase("engines"); return c.Database; }, "engines");
        yield return Of("temporary tables over commands", c =>
        {
            Scalar(c, "CREATE TABLE #t (a int); INSERT #t VALUES (1), (2)");
            return Scalar(c, "SELECT SUM(a) FROM #t");
        }, 3);
        yield return Of("a pooled connection is reset", c => Scalar(c, "SELECT OBJECT_ID('tempdb..#t')"), DBNull.Value);
        yield return new("SqlClient: encryption", () =>
        {
            using var c = Open(";Encrypt=True;TrustServerCertificate=True");
            return Task.FromResult(Scalar(c, "SELECT 1"));
        }, 1);
        yield return Of("SqlTypes", c =>
        {
            using var reader = new SqlCommand("SELECT CAST(1.10 AS decimal(9,2)), CAST(NULL AS int), N'a'", c).ExecuteReader();
            reader.Read();
            return $"{reader.GetSqlDecimal(0)} {reader.GetSqlInt32(1).IsNull} {reader.GetSqlString(2)}";
        }, "1.10 True a");
        yield return Of("ExecuteXmlReader is refused", c => NumberOf(() => new SqlCommand("SELECT 1 AS a FOR XML RAW", c).ExecuteXmlReader()), 40517);
    }
}
