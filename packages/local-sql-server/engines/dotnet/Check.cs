// A check: what a client does, and what it must give.

public record Check(string Name, Func<Task<object>> Run, object Expected)
{
    static readonly TimeSpan Timeout = TimeSpan.FromSeconds(20);

    /// <summary>Runs the checks one after the other; returns a line for each that fails, and their number.</summary>
    public static async Task<object> RunAll(IEnumerable<Check> checks)
    {
        var failures = new List<string>();
        var count = 0;
        foreach (var check in checks)
        {
            count++;
            try
            {
                var found = Text(await Task.Run(check.Run).WaitAsync(Timeout));
                var expected = Text(check.Expected);
                if (found != expected) failures.Add($"{check.Name}: {found}, expected {expected}");
            }
            catch (Exception error)
            {
                var inner = error.InnerException is { } cause ? $" <- {cause.Message}" : "";
                failures.Add($"{check.Name}: {error.GetType().Name} {error.Message}{inner}");
            }
        }
        return new { count, failures };
    }

    static string Text(object value) => value switch
    {
        null or DBNull => "null",
        string text => text,
        byte[] bytes => Convert.ToHexString(bytes),
        System.Collections.IEnumerable list => string.Join(", ", list.Cast<object>().Select(Text)),
        IFormattable number => number.ToString(null, System.Globalization.CultureInfo.InvariantCulture),
        _ => value.ToString(),
    };
}
