-- The cases and diaries of the product, in tables of other names, types and collations.
CREATE TABLE dbo.tJournaler (
    journal nvarchar(40) COLLATE Danish_Norwegian_CI_AS NOT NULL CONSTRAINT PK_Journaler PRIMARY KEY,
    navn nvarchar(100) COLLATE Danish_Norwegian_CI_AS NULL,
    aar smallint NOT NULL
);
GO
CREATE TABLE dbo.tSager (
    sag char(12) COLLATE Danish_Norwegian_CI_AS NOT NULL CONSTRAINT PK_Sager PRIMARY KEY,
    journal varchar(40) COLLATE Latin1_General_CI_AI NULL,
    emne varchar(200) COLLATE Danish_Norwegian_CI_AS NOT NULL,
    loebenummer int NOT NULL,
    distrikt nchar(20) COLLATE Danish_Norwegian_CI_AS NULL,
    frist smalldatetime NULL,
    beloeb decimal(12, 2) NULL,
    lukket bit NOT NULL,
    antal varchar(10) NULL,
    oprettet datetime NOT NULL
);
GO
INSERT INTO dbo.tObjProperties (propID, objectID, moduleID, typeID) VALUES (5012, N'C-2', 7, 12), (5022, N'C-3', 7, 12);
INSERT INTO dbo.tJournaler (journal, navn, aar) VALUES (N'D-1', N'Byråd', 2026);
INSERT INTO dbo.tSager (sag, journal, emne, loebenummer, distrikt, frist, beloeb, lukket, antal, oprettet) VALUES
    ('C-1', 'D-1', 'Møllevej, ny bro', 17, N'nord', '2027-05-01T00:00:00', 1250.50, 0, '3', '2026-01-02T10:00:00'),
    ('C-2', 'D-1', 'Skole', 18, N'syd', NULL, NULL, 1, 'mange', '2026-02-03T10:00:00'),
    ('C-3', NULL, 'Uden journal', 19, NULL, '2026-12-31T00:00:00', 0.10, 0, NULL, '2026-03-04T10:00:00');
GO
-- What the product's owner creates for the service: a view for each kind, with the columns that the product has.
CREATE VIEW dbo.vDiaries AS SELECT journal AS objectID, navn AS title, aar AS year FROM dbo.tJournaler;
GO
CREATE VIEW dbo.vJournalizedCases AS
SELECT sag AS objectID, journal AS parentID, emne AS title, loebenummer AS number, distrikt AS bkStr01, frist AS bkDate01, frist AS bkStr02,
    beloeb AS bkFloat01, lukket AS bkInt01, antal AS bkInt02, oprettet AS createdAt
FROM dbo.tSager;
GO
