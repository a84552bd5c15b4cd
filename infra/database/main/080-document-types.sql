-- The standard list of document types, with a name in each language of the service.
IF OBJECT_ID(N'dbo.tDocumentTypes', N'U') IS NULL
CREATE TABLE dbo.tDocumentTypes (
    code nvarchar(20) NOT NULL,
    langID int NOT NULL,
    name nvarchar(100) NOT NULL,
    CONSTRAINT PK_tDocumentTypes PRIMARY KEY (code, langID),
    CONSTRAINT FK_tDocumentTypes_tLanguages FOREIGN KEY (langID) REFERENCES dbo.tLanguages (langID)
);
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tDocumentTypes)
INSERT INTO dbo.tDocumentTypes (code, langID, name) VALUES
    (N'letter', 1030, N'Brev'), (N'letter', 1033, N'Letter'), (N'letter', 1053, N'Brev'),
    (N'contract', 1030, N'Kontrakt'), (N'contract', 1033, N'Contract'), (N'contract', 1053, N'Avtal'),
    (N'invoice', 1030, N'Faktura'), (N'invoice', 1033, N'Invoice'), (N'invoice', 1053, N'Faktura'),
    (N'report', 1030, N'Rapport'), (N'report', 1033, N'Report'), (N'report', 1053, N'Rapport');
GO

CREATE OR ALTER VIEW dbo.RefData_documentTypes AS
SELECT code, name, langID FROM dbo.tDocumentTypes;
GO
