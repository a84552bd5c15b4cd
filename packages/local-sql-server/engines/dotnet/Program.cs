// `parse` reads statements and says what Microsoft's parser makes of them; `check <connection string>` runs the checks of the clients.
using System.Text.Encodings.Web;
using System.Text.Json;

var options = new JsonSerializerOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
if (args[0] == "parse")
{
    var statements = JsonSerializer.Deserialize<string[]>(File.ReadAllText(args[1]));
    Console.WriteLine(JsonSerializer.Serialize(statements.Select(Parser.Verdict), options));
}
else
{
    var checks = ClientChecks.All(args[1]).Concat(DapperChecks.All(args[1])).Concat(EntityChecks.All(args[1]));
    Console.WriteLine(JsonSerializer.Serialize(await Check.RunAll(checks), options));
}
