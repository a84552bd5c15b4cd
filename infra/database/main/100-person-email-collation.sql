-- Look-ups by e-mail compare in this collation, whatever the database's own is; so they find the index.
DROP INDEX IX_tPersons_email ON dbo.tPersons;
ALTER TABLE dbo.tPersons ALTER COLUMN email nvarchar(254) COLLATE Latin1_General_100_CI_AS NULL;
CREATE INDEX IX_tPersons_email ON dbo.tPersons (email);
GO
