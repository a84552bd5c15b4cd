-- What the fields of objects are called: by type of object (typeID of tObjProperties), name of the field and language (langID).
IF OBJECT_ID(N'dbo.tFieldLabels', N'U') IS NULL
CREATE TABLE dbo.tFieldLabels (
    typeID int NOT NULL,
    field nvarchar(30) COLLATE Latin1_General_BIN2 NOT NULL,
    langID int NOT NULL,
    label nvarchar(200) NOT NULL,
    CONSTRAINT PK_tFieldLabels PRIMARY KEY (typeID, field, langID)
);
GO
