-- repeatable
-- What the customer calls two fields of journalized cases (typeID 3), in English, Danish and Swedish.
IF NOT EXISTS (SELECT 1 FROM dbo.tFieldLabels)
INSERT INTO dbo.tFieldLabels (typeID, field, langID, label) VALUES
    (3, N'bkStr01', 1033, N'District'), (3, N'bkStr01', 1030, N'Bydel'), (3, N'bkStr01', 1053, N'Stadsdel'),
    (3, N'bkDate01', 1033, N'Deadline'), (3, N'bkDate01', 1030, N'Frist'), (3, N'bkDate01', 1053, N'Tidsfrist');
GO
