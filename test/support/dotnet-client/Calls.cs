// Makes calls by the generated clients: Calls <base URL> <token>; prints what came back.
using System.Net.Http.Headers;
using System.Text.Json;
using CalendarApi;
using RecordsApi;

var http = new HttpClient();
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", args[1]);
var records = new Records(http) { BaseUrl = args[0] };
var calendar = new Calendar(http) { BaseUrl = args[0] };

var diary = await records.PostDiariesAsync(new DiaryCreation { Title = "By .NET", Year = 2031, BkStr01 = "north", BkFloat01 = 1.5 });
var refused = 0;
try { await records.PatchDiariesAsync(diary.Id, if_Match: "\"old\"", body: new DiaryChange { Title = "x" }); }
catch (RecordsApi.ApiException error) { refused = error.StatusCode; }
var tags = new CustomData();
tags.AdditionalProperties["tags"] = new[] { "a" };
await records.PutCustomDataOfDiariesAsync(diary.Id, body: tags);
var data = await records.GetCustomDataOfDiariesAsync(diary.Id);
var created = await calendar.CreateEventAsync(body: new EventCreation
{
    Title = "By .NET", Start_date = "2027-06-01 19:00:00", End_date = "2027-06-01 21:00:00", Cost = "5",
});
var read = await calendar.GetEventAsync(created.Id);
Console.WriteLine(JsonSerializer.Serialize(new object[] { diary.BkStr01, diary.BkFloat01!, refused, data.AdditionalProperties, read.Title }));

namespace RecordsApi
{
    public partial class Records
    {
        static partial void UpdateJsonSerializerSettings(JsonSerializerOptions settings) => ClientJson.Configure(settings);
    }
}

namespace CalendarApi
{
    public partial class Calendar
    {
        static partial void UpdateJsonSerializerSettings(JsonSerializerOptions settings) => ClientJson.Configure(settings);
    }
}
