-- Persons. The e-mail address connects a person with the user of the identity provider.
IF OBJECT_ID(N'dbo.tPersons', N'U') IS NULL
BEGIN
    CREATE TABLE dbo.tPersons (
        propID int NOT NULL,
        name nvarchar(200) NOT NULL,
        email nvarchar(254) NULL,
        CONSTRAINT PK_tPersons PRIMARY KEY (propID),
        CONSTRAINT FK_tPersons_tObjProperties FOREIGN KEY (propID) REFERENCES dbo.tObjProperties (propID)
    );
    CREATE INDEX IX_tPersons_email ON dbo.tPersons (email);
END
GO

-- Users: the persons who have an account, each with a language.
IF OBJECT_ID(N'dbo.tUserSettings', N'U') IS NULL
CREATE TABLE dbo.tUserSettings (
    usrPropID int NOT NULL,
    account nvarchar(128) NOT NULL,
    langID int NOT NULL,
    CONSTRAINT PK_tUserSettings PRIMARY KEY (usrPropID),
    CONSTRAINT UQ_tUserSettings_account UNIQUE (account),
    CONSTRAINT FK_tUserSettings_tPersons FOREIGN KEY (usrPropID) REFERENCES dbo.tPersons (propID),
    CONSTRAINT FK_tUserSettings_tLanguages FOREIGN KEY (langID) REFERENCES dbo.tLanguages (langID)
);
GO
