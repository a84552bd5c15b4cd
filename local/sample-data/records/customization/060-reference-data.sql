-- repeatable
-- Custom reference data: every view named RefData_<identifier> is a list. priorities has a name in each language, so
-- its langID column selects the rows; departments is the same in every language.
IF OBJECT_ID(N'dbo.tPriorities', N'U') IS NULL
CREATE TABLE dbo.tPriorities (
    code int NOT NULL,
    langID int NOT NULL,
    name nvarchar(50) NOT NULL,
    CONSTRAINT PK_tPriorities PRIMARY KEY (code, langID)
);
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tPriorities)
BEGIN
    INSERT INTO dbo.tPriorities (code, langID, name) VALUES
        (1, 1030, N'lav'), (1, 1033, N'low'), (1, 1053, N'låg'),
        (2, 1030, N'middel'), (2, 1033, N'medium'), (2, 1053, N'medel'),
        (3, 1030, N'høj'), (3, 1033, N'high'), (3, 1053, N'hög');
END
GO

CREATE OR ALTER VIEW dbo.RefData_priorities AS
SELECT code, name, langID FROM dbo.tPriorities;
GO

IF OBJECT_ID(N'dbo.tDepartments', N'U') IS NULL
CREATE TABLE dbo.tDepartments (
    code nvarchar(10) NOT NULL,
    name nvarchar(100) NOT NULL,
    CONSTRAINT PK_tDepartments PRIMARY KEY (code)
);
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tDepartments)
BEGIN
    INSERT INTO dbo.tDepartments (code, name) VALUES
        (N'FIN', N'Finance'), (N'ROAD', N'Roads and harbour'), (N'SCH', N'Schools');
END
GO

CREATE OR ALTER VIEW dbo.RefData_departments AS
SELECT code, name FROM dbo.tDepartments;
GO
