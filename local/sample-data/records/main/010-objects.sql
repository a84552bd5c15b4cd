-- repeatable
-- One diary with two journalized cases, their deeds and documents. Case 2026/1 uses each kind of bk-field.
IF NOT EXISTS (SELECT 1 FROM dbo.tObjProperties WHERE propID = 101)
BEGIN
    SET IDENTITY_INSERT dbo.tObjProperties ON;
    INSERT INTO dbo.tObjProperties (propID, objectID, moduleID, typeID) VALUES
        (101, N'diary-2026', 2, 2),
        (201, N'case-road', 2, 3),
        (202, N'case-school', 2, 3),
        (301, N'deed-tender', 2, 4),
        (302, N'deed-complaint', 2, 4),
        (401, N'document-contract', 2, 5),
        (402, N'document-letter', 2, 5),
        (403, N'document-large', 2, 5);
    SET IDENTITY_INSERT dbo.tObjProperties OFF;
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tDiaries WHERE propID = 101)
BEGIN
    INSERT INTO dbo.tDiaries (propID, title, description, year, nextNumber, bkStr01) VALUES
        (101, N'Municipal office 2026', N'Incoming matters of the year 2026.', 2026, 3, N'MO');
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tJournalizedCases WHERE propID = 201)
BEGIN
    INSERT INTO dbo.tJournalizedCases (propID, parentPropID, number, title, description, bkStr01, bkStr30, bkInt01, bkDate01, bkFloat01) VALUES
        (201, 101, N'2026/1', N'Repair of Harbour Road', N'The road is closed until the repair is done.', N'Harbour Road', N'north', 42, '2026-03-31', 1.5),
        (202, 101, N'2026/2', N'New school building', NULL, N'Mill Street', NULL, NULL, NULL, NULL);
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tDeeds WHERE propID = 301)
BEGIN
    INSERT INTO dbo.tDeeds (propID, parentPropID, title, description) VALUES
        (301, 201, N'Tender', N'Call for bids.'),
        (302, 202, N'Complaint', NULL);
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tDocuments WHERE propID = 401)
BEGIN
    INSERT INTO dbo.tDocuments (propID, parentPropID, title, description, bkStr01, bkInt01) VALUES
        (401, 301, N'Contract with the builder', NULL, N'signed', 3),
        (402, 302, N'Letter of a neighbour', NULL, NULL, NULL),
        (403, 302, N'Measurements', N'Carries 200 custom data values.', NULL, NULL);
END
GO
