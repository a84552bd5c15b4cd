-- Documents: the papers of a deed.
IF OBJECT_ID(N'dbo.tDocuments', N'U') IS NULL
BEGIN
    CREATE TABLE dbo.tDocuments (
        propID int NOT NULL,
        parentPropID int NOT NULL,
        title nvarchar(400) NOT NULL,
        description nvarchar(max) NULL,
        version int NOT NULL DEFAULT 1,
        createdAt datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(),
        updatedAt datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(),
        bkStr01 nvarchar(255) NULL, bkStr02 nvarchar(255) NULL, bkStr03 nvarchar(255) NULL, bkStr04 nvarchar(255) NULL, bkStr05 nvarchar(255) NULL,
        bkStr06 nvarchar(255) NULL, bkStr07 nvarchar(255) NULL, bkStr08 nvarchar(255) NULL, bkStr09 nvarchar(255) NULL, bkStr10 nvarchar(255) NULL,
        bkStr11 nvarchar(255) NULL, bkStr12 nvarchar(255) NULL, bkStr13 nvarchar(255) NULL, bkStr14 nvarchar(255) NULL, bkStr15 nvarchar(255) NULL,
        bkStr16 nvarchar(255) NULL, bkStr17 nvarchar(255) NULL, bkStr18 nvarchar(255) NULL, bkStr19 nvarchar(255) NULL, bkStr20 nvarchar(255) NULL,
        bkStr21 nvarchar(255) NULL, bkStr22 nvarchar(255) NULL, bkStr23 nvarchar(255) NULL, bkStr24 nvarchar(255) NULL, bkStr25 nvarchar(255) NULL,
        bkStr26 nvarchar(255) NULL, bkStr27 nvarchar(255) NULL, bkStr28 nvarchar(255) NULL, bkStr29 nvarchar(255) NULL, bkStr30 nvarchar(255) NULL,
        bkInt01 int NULL, bkInt02 int NULL, bkInt03 int NULL, bkInt04 int NULL, bkInt05 int NULL,
        bkInt06 int NULL, bkInt07 int NULL, bkInt08 int NULL, bkInt09 int NULL, bkInt10 int NULL,
        bkDate01 date NULL, bkDate02 date NULL, bkDate03 date NULL, bkDate04 date NULL, bkDate05 date NULL,
        bkDate06 date NULL, bkDate07 date NULL, bkDate08 date NULL, bkDate09 date NULL, bkDate10 date NULL,
        bkFloat01 float NULL, bkFloat02 float NULL, bkFloat03 float NULL, bkFloat04 float NULL, bkFloat05 float NULL,
        bkFloat06 float NULL, bkFloat07 float NULL, bkFloat08 float NULL, bkFloat09 float NULL, bkFloat10 float NULL,
        CONSTRAINT PK_tDocuments PRIMARY KEY (propID),
        CONSTRAINT FK_tDocuments_tObjProperties FOREIGN KEY (propID) REFERENCES dbo.tObjProperties (propID),
        CONSTRAINT FK_tDocuments_tDeeds FOREIGN KEY (parentPropID) REFERENCES dbo.tDeeds (propID)
    );
    CREATE INDEX IX_tDocuments_parentPropID ON dbo.tDocuments (parentPropID);
END
GO
