-- Languages of the service. langID is the Windows language identifier (LCID).
IF OBJECT_ID(N'dbo.tLanguages', N'U') IS NULL
CREATE TABLE dbo.tLanguages (
    langID int NOT NULL,
    code nvarchar(10) NOT NULL,
    CONSTRAINT PK_tLanguages PRIMARY KEY (langID),
    CONSTRAINT UQ_tLanguages_code UNIQUE (code)
);
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tLanguages)
INSERT INTO dbo.tLanguages (langID, code) VALUES (1030, N'da'), (1033, N'en'), (1053, N'sv');
GO

-- The name of each language in each language.
IF OBJECT_ID(N'dbo.tLanguageNames', N'U') IS NULL
CREATE TABLE dbo.tLanguageNames (
    code nvarchar(10) NOT NULL,
    langID int NOT NULL,
    name nvarchar(100) NOT NULL,
    CONSTRAINT PK_tLanguageNames PRIMARY KEY (code, langID),
    CONSTRAINT FK_tLanguageNames_tLanguages FOREIGN KEY (langID) REFERENCES dbo.tLanguages (langID)
);
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tLanguageNames)
INSERT INTO dbo.tLanguageNames (code, langID, name) VALUES
    (N'da', 1030, N'dansk'), (N'da', 1033, N'Danish'), (N'da', 1053, N'danska'),
    (N'en', 1030, N'engelsk'), (N'en', 1033, N'English'), (N'en', 1053, N'engelska'),
    (N'sv', 1030, N'svensk'), (N'sv', 1033, N'Swedish'), (N'sv', 1053, N'svenska');
GO

CREATE OR ALTER VIEW dbo.RefData_languages AS
SELECT code, name, langID FROM dbo.tLanguageNames;
GO
