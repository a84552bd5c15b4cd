// Microsoft's own parser of T-SQL.
using Microsoft.SqlServer.TransactSql.ScriptDom;

public static class Parser
{
    /// <summary>The dialects of SQL Server 2019, 2022 and 2025, and of Azure SQL.</summary>
    static readonly TSqlParser[] Dialects =
        [new TSql150Parser(true), new TSql160Parser(true), new TSql170Parser(true), new TSql180Parser(true)];

    /// <summary>Returns whether any dialect parses a statement, and the first error of the newest.</summary>
    public static object Verdict(string sql)
    {
        string error = null;
        var parses = false;
        foreach (var dialect in Dialects)
        {
            dialect.Parse(new StringReader(sql), out var errors);
            if (errors.Count == 0) parses = true;
            else error = $"line {errors[0].Line}: {errors[0].Message}";
        }
        return new { parses, error };
    }
}
