// Entity Framework Core.
using Microsoft.EntityFrameworkCore;

public static class EntityChecks
{
    public class Blog
    {
        public int Id { get; set; }
        public string Title { get; set; }
        public DateTime Created { get; set; }
        public decimal? Price { get; set; }
        public bool Open { get; set; }
        public byte[] Version { get; set; }
        public List<Post> Posts { get; set; } = [];
    }
    public class Post
    {
        public int Id { get; set; }
        public int? BlogId { get; set; }
        public Blog Blog { get; set; }
        public string Text { get; set; }
    }
    public class Blogs(string connectionString) : DbContext
    {
        public DbSet<Blog> All => Set<Blog>();
        public DbSet<Post> Posts => Set<Post>();
        protected override void OnConfiguring(DbContextOptionsBuilder options) => options.UseSqlServer(connectionString);
        protected override void OnModelCreating(ModelBuilder model)
        {
            model.Entity<Blog>().ToTable("Blog").Property(b => b.Version).IsRowVersion();
            model.Entity<Blog>().Property(b => b.Price).HasPrecision(9, 2);
            model.Entity<Blog>().Property(b => b.Title).HasMaxLength(100).IsRequired();
            model.Entity<Blog>().HasIndex(b => b.Title);
            model.Entity<Post>().ToTable("Post").HasOne(p => p.Blog).WithMany(b => b.Posts).OnDelete(DeleteBehavior.SetNull);
        }
    }

    public static IEnumerable<Check> All(string connectionString)
    {
        Check Of(string name, Func<Blogs, Task<object>> run, object expected) => new($"EF Core: {name}", async () =>
        {
            await using var db = new Blogs(connectionString);
            return await run(db);
        }, expected);
        var at = new DateTime(2026, 11, 24);

        yield return Of("CanConnect", async db => await db.Database.CanConnectAsync(), true);
        yield return Of("the tables of the model", async db => { await db.Database.ExecuteSqlRawAsync(db.Database.GenerateCreateScript().Replace("\r\nGO\r\n", "\r\n").Replace("\nGO\n", "\n")); return await db.All.CountAsync(); }, 0);
        yield return Of("one insert", async db => { db.Add(new Blog { Title = "First", Created = at, Price = 1.5m, Open = true }); return await db.SaveChangesAsync(); }, 1);
        yield return Of("many inserts, by MERGE", async db =>
        {
            for (var i = 2; i <= 9; i++) db.Add(new Blog { Title = $"Blog {i}", Created = at.AddDays(i), Open = i % 2 == 0, Posts = [new Post { Text = $"p{i}" }, new Post { Text = "x" }] });
            await db.SaveChangesAsync();
            return await db.All.CountAsync();
        }, 9);
        yield return Of("an update", async db => { var blog = await db.All.SingleAsync(b => b.Title == "First"); blog.Price = 2; return await db.SaveChangesAsync(); }, 1);
        yield return Of("an update that has lost a race", async db =>
        {
            var blog = await db.All.SingleAsync(b => b.Title == "First");
            await db.Database.ExecuteSqlRawAsync("UPDATE Blog SET Price = 3 WHERE Title = N'First'");
            blog.Price = 4;
            try { await db.SaveChangesAsync(); return "saved"; } catch (DbUpdateConcurrencyException) { return "conflict"; }
        }, "conflict");
        yield return Of("several updates and a delete", async db =>
        {
            foreach (var blog in await db.All.Where(b => b.Id <= 3).ToListAsync()) blog.Open = true;
            db.Remove(await db.All.SingleAsync(b => b.Id == 9));
            await db.SaveChangesAsync();
            return await db.Posts.CountAsync(p => p.BlogId == null);
        }, 2);
        yield return Of("Include", async db => (await db.All.Include(b => b.Posts).OrderBy(b => b.Id).ToListAsync()).Select(b => b.Posts.Count), "0, 2, 2, 2, 2, 2, 2, 2");
        yield return Of("paging", async db => (await db.All.OrderBy(b => b.Id).Skip(1).Take(2).Select(b => b.Id).ToListAsync()), "2, 3");
        yield return Of("GroupBy", async db => (await db.All.GroupBy(b => b.Open).OrderBy(g => g.Key).Select(g => new { g.Key, N = g.Count(), Last = g.Max(b => b.Created) }).ToListAsync()).Select(g => $"{g.Key} {g.N}"), "False 2, True 6");
        yield return Of("Contains of a list", async db => { var ids = new List<int> { 1, 3 }; return await db.All.Where(b => ids.Contains(b.Id)).OrderBy(b => b.Id).Select(b => b.Title).ToListAsync(); }, "First, Blog 3");
        yield return Of("texts", async db => await db.All.Where(b => b.Title.StartsWith("Blog") && b.Title.Contains("3") && b.Title.ToUpper() == "BLOG 3").Select(b => b.Title.Substring(0, 2) + b.Title.Length).SingleAsync(), "Bl6");
        yield return Of("dates", async db => await db.All.CountAsync(b => b.Created.Year == 2026 && b.Created.AddDays(1) > at.AddDays(5) && b.Created.Date == b.Created), 4);
        yield return Of("Any and All", async db => $"{await db.All.AnyAsync(b => b.Posts.Any(p => p.Text == "p4"))} {await db.All.AllAsync(b => b.Price == null)}", "True False");
        yield return Of("a left join", async db => (await (from b in db.All join p in db.Posts on b.Id equals p.BlogId into posts from p in posts.DefaultIfEmpty() where b.Id < 3 orderby b.Id, p.Id select b.Id + (p == null ? "-" : p.Text)).ToListAsync()), "1-, 2p2, 2x");
        yield return Of("the first of each", async db => (await db.All.Where(b => b.Id < 4).OrderBy(b => b.Id).Select(b => b.Posts.OrderByDescending(p => p.Id).Select(p => p.Text).FirstOrDefault()).ToListAsync()), "null, x, x");
        yield return Of("Distinct, Union", async db => (await db.All.Select(b => b.Open).Distinct().ToListAsync()).Count + (await db.All.Where(b => b.Id == 1).Union(db.All.Where(b => b.Id == 2)).ToListAsync()).Count, 4);
        yield return Of("sums and averages", async db => $"{await db.All.SumAsync(b => b.Id)} {await db.All.AverageAsync(b => b.Id)}", "36 4.5");
        yield return Of("ExecuteUpdate", async db => await db.All.Where(b => b.Id > 5).ExecuteUpdateAsync(s => s.SetProperty(b => b.Price, b => b.Id * 2)), 3);
        yield return Of("ExecuteDelete", async db => await db.Posts.Where(p => p.Text == "x").ExecuteDeleteAsync(), 8);
        yield return Of("FromSql", async db => (await db.All.FromSql($"SELECT * FROM Blog WHERE Id < {3}").OrderBy(b => b.Id).Select(b => b.Id).ToListAsync()), "1, 2");
        yield return Of("SqlQuery", async db => await db.Database.SqlQuery<int>($"SELECT COUNT(*) AS Value FROM Blog").SingleAsync(), 8);
        yield return Of("a transaction with a savepoint", async db =>
        {
            await using var transaction = await db.Database.BeginTransactionAsync();
            db.Add(new Blog { Title = "T", Created = at });
            await db.SaveChangesAsync();
            await transaction.CreateSavepointAsync("s");
            db.Add(new Blog { Title = "U", Created = at });
            await db.SaveChangesAsync();
            await transaction.RollbackToSavepointAsync("s");
            await transaction.CommitAsync();
            return await db.All.CountAsync();
        }, 9);
        yield return Of("split queries", async db => (await db.All.Include(b => b.Posts).AsSplitQuery().OrderBy(b => b.Id).Take(3).ToListAsync()).Sum(b => b.Posts.Count), 2);
        yield return Of("GetPendingMigrations", async db => (await db.Database.GetAppliedMigrationsAsync()).Count(), 0);
    }
}
