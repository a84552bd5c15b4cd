-- Registrations of custom data: one row per object and root property. Kind JSON holds the value's own text in
-- customData; REF and REF_RO name a source (pCustomData_<identifier>_Get or CustomData_<identifier>) and hold none.
-- propID is an object of the main database; it may be another database, so there is no foreign key.
IF OBJECT_ID(N'dbo.tCustomData', N'U') IS NULL
CREATE TABLE dbo.tCustomData (
    propID int NOT NULL,
    customDataIdentifier nvarchar(128) COLLATE Latin1_General_BIN2 NOT NULL,
    kind varchar(6) COLLATE Latin1_General_BIN2 NOT NULL CONSTRAINT DF_tCustomData_kind DEFAULT 'JSON',
    customData nvarchar(max) NULL,
    CONSTRAINT PK_tCustomData PRIMARY KEY (propID, customDataIdentifier),
    CONSTRAINT CK_tCustomData_kind CHECK (kind IN ('JSON', 'REF', 'REF_RO')),
    CONSTRAINT CK_tCustomData_customData CHECK (
        (kind = 'JSON' AND customData IS NOT NULL) OR (kind <> 'JSON' AND customData IS NULL))
);
GO

-- How often the custom data of an object was replaced; conditional requests rely on it.
IF OBJECT_ID(N'dbo.tCustomDataVersions', N'U') IS NULL
CREATE TABLE dbo.tCustomDataVersions (
    propID int NOT NULL,
    version int NOT NULL,
    CONSTRAINT PK_tCustomDataVersions PRIMARY KEY (propID)
);
GO
