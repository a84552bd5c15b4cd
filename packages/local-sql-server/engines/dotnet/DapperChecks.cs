// Dapper.
using Dapper;
using Microsoft.Data.SqlClient;

public static class DapperChecks
{
    public record Row(int Id, string Name);
    public class Pair { public int Id { get; set; } public string Name { get; set; } public decimal Amount { get; set; } }

    public static IEnumerable<Check> All(string connectionString)
    {
        Check Of(string name, Func<SqlConnection, Task<object>> run, object expected) => new($"Dapper: {name}", async () =>
        {
            await using var connection = new SqlConnection(connectionString);
            return await run(connection);
        }, expected);

        yield return Of("Execute", async c => { await c.ExecuteAsync("CREATE TABLE dbo.Item (Id int IDENTITY PRIMARY KEY, Name nvarchar(50) NOT NULL, Amount decimal(9,2) NOT NULL)"); return 0; }, 0);
        yield return Of("Execute with a list", async c => await c.ExecuteAsync("INSERT dbo.Item (Name, Amount) VALUES (@Name, @Amount)", new[] { new { Name = "a", Amount = 1m }, new { Name = "b", Amount = 2m }, new { Name = "c", Amount = 3m } }), 3);
        yield return Of("Query of records", async c => (await c.QueryAsync<Row>("SELECT Id, Name FROM dbo.Item ORDER BY Id")).Select(r => r.Name), "a, b, c");
        yield return Of("Query of objects", async c => (await c.QuerySingleAsync<Pair>("SELECT * FROM dbo.Item WHERE Id = @id", new { id = 2 })).Amount, 2.00m);
        yield return Of("IN with a list", async c => (await c.QueryAsync<string>("SELECT Name FROM dbo.Item WHERE Id IN @ids ORDER BY Id", new { ids = new[] { 1, 3 } })), "a, c");
        yield return Of("dynamic rows", async c => { var row = (IDictionary<string, object>)await c.QueryFirstAsync("SELECT Id, Name FROM dbo.Item ORDER BY Id"); return row["Name"]; }, "a");
        yield return Of("QueryMultiple", async c => { using var grid = await c.QueryMultipleAsync("SELECT COUNT(*) FROM dbo.Item; SELECT Name FROM dbo.Item WHERE Id = 1"); return $"{await grid.ReadSingleAsync<int>()} {await grid.ReadSingleAsync<string>()}"; }, "3 a");
        yield return Of("multi-mapping", async c => (await c.QueryAsync<Pair, Pair, string>("SELECT a.*, b.* FROM dbo.Item a JOIN dbo.Item b ON b.Id = a.Id + 1", (a, b) => a.Name + b.Name, splitOn: "Id")), "ab, bc");
        yield return Of("a transaction", async c =>
        {
            await c.OpenAsync();
            await using var transaction = await c.BeginTransactionAsync();
            await c.ExecuteAsync("DELETE dbo.Item", transaction: transaction);
            await transaction.RollbackAsync();
            return await c.ExecuteScalarAsync<int>("SELECT COUNT(*) FROM dbo.Item");
        }, 3);
        yield return Of("a stored procedure with DynamicParameters", async c =>
        {
            await c.ExecuteAsync("CREATE OR ALTER PROCEDURE dbo.pAdd @a int, @b int, @sum int OUTPUT AS BEGIN SET @sum = @a + @b; RETURN 3 END");
            var given = new DynamicParameters(new { a = 1, b = 2 });
            given.Add("@sum", dbType: System.Data.DbType.Int32, direction: System.Data.ParameterDirection.Output);
            given.Add("@r", dbType: System.Data.DbType.Int32, direction: System.Data.ParameterDirection.ReturnValue);
            await c.ExecuteAsync("dbo.pAdd", given, commandType: System.Data.CommandType.StoredProcedure);
            return $"{given.Get<int>("@sum")} {given.Get<int>("@r")}";
        }, "3 3");
        yield return Of("SCOPE_IDENTITY", async c => await c.QuerySingleAsync<int>("INSERT dbo.Item (Name, Amount) VALUES (@n, 1); SELECT CAST(SCOPE_IDENTITY() AS int)", new { n = "d" }), 4);
        yield return Of("paging", async c => await c.QueryAsync<int>("SELECT Id FROM dbo.Item ORDER BY Id OFFSET @skip ROWS FETCH NEXT @take ROWS ONLY", new { skip = 1, take = 2 }), "2, 3");
        yield return Of("a long text", async c => (await c.QuerySingleAsync<string>("SELECT REPLICATE(CAST(N'æ' AS nvarchar(max)), 100000)")).Length, 100000);
        yield return Of("an unbuffered query", async c => { var sum = 0; await foreach (var id in c.QueryUnbufferedAsync<int>("SELECT Id FROM dbo.Item")) sum += id; return sum; }, 10);
        yield return Of("MERGE", async c => await c.ExecuteAsync("MERGE dbo.Item AS t USING (SELECT @Id AS Id, @Name AS Name) AS s ON t.Id = s.Id WHEN MATCHED THEN UPDATE SET Name = s.Name WHEN NOT MATCHED THEN INSERT (Name, Amount) VALUES (s.Name, 0);", new { Id = 4, Name = "dd" }), 1);
    }
}
