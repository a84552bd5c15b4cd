// What docs/dotnet-client.md adds to the generated clients.
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

/// <summary>Omits what is null, and reads `false` and `[]` in place of an object as null.</summary>
public static class ClientJson
{
    public static void Configure(JsonSerializerOptions options)
    {
        options.DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull;
        options.Converters.Add(new AbsentObject());
    }

    private sealed class AbsentObject : JsonConverterFactory
    {
        public override bool CanConvert(Type type) => type.Name.StartsWith("Image") || type.Name.StartsWith("Venue");

        public override JsonConverter CreateConverter(Type type, JsonSerializerOptions options) =>
            (JsonConverter)Activator.CreateInstance(typeof(Converter<>).MakeGenericType(type))!;
    }

    private sealed class Converter<T> : JsonConverter<T?> where T : class
    {
        public override T? Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) =>
            JsonNode.Parse(ref reader) is JsonObject value ? value.Deserialize<T>() : null;

        public override void Write(Utf8JsonWriter writer, T? value, JsonSerializerOptions options) =>
            JsonSerializer.Serialize(writer, value, new JsonSerializerOptions { DefaultIgnoreCondition = options.DefaultIgnoreCondition });
    }
}
