-- The main database of a product that was there before the service: its own tables, type numbers, collation and filter.
CREATE TABLE dbo.tUserSettings (
    usrPropID int NOT NULL CONSTRAINT PK_UserSettings PRIMARY KEY,
    loginName varchar(60) COLLATE Danish_Norwegian_CI_AS NOT NULL,
    uiLanguage smallint NOT NULL,
    theme nvarchar(20) NULL
);
GO
CREATE TABLE dbo.tContacts (
    contactID int NOT NULL CONSTRAINT PK_Contacts PRIMARY KEY,
    firstName nvarchar(80) COLLATE Danish_Norwegian_CI_AS NOT NULL,
    lastName nvarchar(80) COLLATE Danish_Norwegian_CI_AS NOT NULL,
    mailAddress nvarchar(200) COLLATE Danish_Norwegian_CI_AS NULL
);
GO
CREATE TABLE dbo.tObjProperties (
    propID int NOT NULL CONSTRAINT PK_ObjProperties PRIMARY KEY,
    objectID nvarchar(40) COLLATE Danish_Norwegian_CI_AS NOT NULL,
    moduleID int NOT NULL,
    typeID int NOT NULL,
    isDeleted bit NOT NULL CONSTRAINT DF_ObjProperties_isDeleted DEFAULT 0
);
GO
CREATE INDEX IX_ObjProperties_objectID ON dbo.tObjProperties (objectID);
GO
-- The product hides what it has deleted.
CREATE PROCEDURE dbo.pStructureObjectInfoGet
    @propID int
AS
BEGIN
    SET NOCOUNT ON;
    SELECT propID, objectID, moduleID, typeID
    FROM dbo.tObjProperties
    WHERE propID = @propID AND isDeleted = 0;
END
GO
-- A table of the name that ours has, of another shape.
CREATE TABLE dbo.tCountries (
    countryID int NOT NULL CONSTRAINT PK_Countries PRIMARY KEY,
    isoCode char(2) NOT NULL,
    nameEN nvarchar(60) NOT NULL,
    nameSV nvarchar(60) NOT NULL
);
GO
CREATE VIEW dbo.RefData_countries AS
SELECT isoCode AS code, nameEN AS name, 1033 AS langID FROM dbo.tCountries
UNION ALL
SELECT isoCode, nameSV, 1053 FROM dbo.tCountries;
GO
INSERT INTO dbo.tUserSettings (usrPropID, loginName, uiLanguage, theme) VALUES
    (9001, 'svc-records', 1033, NULL), (9002, 'aarc', 1033, N'dark'), (9003, 'bber', 1053, NULL);
INSERT INTO dbo.tContacts (contactID, firstName, lastName, mailAddress) VALUES
    (9002, N'Alice', N'Archer', N'Alice@Example.org'), (9003, N'Björn', N'Berg', N'bjorn@example.org');
INSERT INTO dbo.tObjProperties (propID, objectID, moduleID, typeID, isDeleted) VALUES
    (5001, N'D-1', 7, 11, 0), (5002, N'C-1', 7, 12, 0), (5003, N'W-1', 7, 13, 0), (5004, N'P-1', 7, 14, 0),
    (5005, N'P-2', 7, 14, 1), (9002, N'U-2', 1, 1, 0);
INSERT INTO dbo.tCountries (countryID, isoCode, nameEN, nameSV) VALUES
    (1, 'DK', N'Denmark', N'Danmark'), (2, 'SE', N'Sweden', N'Sverige');
GO
