-- Which object of Entra ID (the claim oid of its tokens) a user of the main database is, from their first sign-in on, where the
-- setting BIND_USERS says so. To let a user sign in with another account, delete the row.
IF OBJECT_ID(N'dbo.tUserBindings', N'U') IS NULL
CREATE TABLE dbo.tUserBindings (
    usrPropID int NOT NULL,
    objectId nvarchar(128) COLLATE Latin1_General_BIN2 NOT NULL,
    boundAt datetime2(3) NOT NULL CONSTRAINT DF_tUserBindings_boundAt DEFAULT SYSUTCDATETIME(),
    CONSTRAINT PK_tUserBindings PRIMARY KEY (usrPropID)
);
GO
