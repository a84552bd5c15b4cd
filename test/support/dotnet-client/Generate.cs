// Writes a C# client of an OpenAPI document, as NSwag's own tool does: Generate <document> <class> <file>.
using NJsonSchema.CodeGeneration.CSharp;
using NSwag;
using NSwag.CodeGeneration.CSharp;

var document = await OpenApiDocument.FromJsonAsync(await File.ReadAllTextAsync(args[0]));
var settings = new CSharpClientGeneratorSettings { ClassName = args[1] };
settings.CSharpGeneratorSettings.Namespace = args[1] + "Api";
settings.CSharpGeneratorSettings.JsonLibrary = CSharpJsonLibrary.SystemTextJson;
settings.CSharpGeneratorSettings.GenerateOptionalPropertiesAsNullable = true;
settings.GenerateOptionalParameters = true;
await File.WriteAllTextAsync(args[2], new CSharpClientGenerator(document, settings).GenerateFile());
