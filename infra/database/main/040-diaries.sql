-- Diaries. A diary numbers its journalized cases: year/nextNumber, for example 2026/17.
-- version rises by one with every change of the row; conditional requests rely on it.
IF OBJECT_ID(N'dbo.tDiaries', N'U') IS NULL
CREATE TABLE dbo.tDiaries (
    propID int NOT NULL,
    title nvarchar(400) NOT NULL,
    description nvarchar(max) NULL,
    year int NOT NULL,
    nextNumber int NOT NULL DEFAULT 1,
    version int NOT NULL DEFAULT 1,
    createdAt datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(),
    updatedAt datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(),
    bkStr01 nvarchar(255) NULL, bkStr02 nvarchar(255) NULL, bkStr03 nvarchar(255) NULL, bkStr04 nvarchar(255) NULL, bkStr05 nvarchar(255) NULL,
    bkStr06 nvarchar(255) NULL, bkStr07 nvarchar(255) NULL, bkStr08 nvarchar(255) NULL, bkStr09 nvarchar(255) NULL, bkStr10 nvarchar(255) NULL,
    bkInt01 int NULL, bkInt02 int NULL, bkInt03 int NULL, bkInt04 int NULL, bkInt05 int NULL,
    bkInt06 int NULL, bkInt07 int NULL, bkInt08 int NULL, bkInt09 int NULL, bkInt10 int NULL,
    bkDate01 date NULL, bkDate02 date NULL, bkDate03 date NULL, bkDate04 date NULL, bkDate05 date NULL,
    bkDate06 date NULL, bkDate07 date NULL, bkDate08 date NULL, bkDate09 date NULL, bkDate10 date NULL,
    bkFloat01 float NULL, bkFloat02 float NULL, bkFloat03 float NULL, bkFloat04 float NULL, bkFloat05 float NULL,
    bkFloat06 float NULL, bkFloat07 float NULL, bkFloat08 float NULL, bkFloat09 float NULL, bkFloat10 float NULL,
    CONSTRAINT PK_tDiaries PRIMARY KEY (propID),
    CONSTRAINT FK_tDiaries_tObjProperties FOREIGN KEY (propID) REFERENCES dbo.tObjProperties (propID)
);
GO
