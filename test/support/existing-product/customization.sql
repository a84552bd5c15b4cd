-- The customization database of the product: registrations with a collation and a shape of their own, and sources of every kind.
CREATE TABLE dbo.tCustomData (
    propID int NOT NULL,
    customDataIdentifier nvarchar(200) COLLATE Danish_Norwegian_CI_AS NOT NULL,
    kind varchar(10) NOT NULL CONSTRAINT DF_CustomData_kind DEFAULT 'JSON',
    customData nvarchar(max) NULL,
    changedBy sysname NOT NULL CONSTRAINT DF_CustomData_changedBy DEFAULT 'api',
    CONSTRAINT PK_CustomData PRIMARY KEY (propID, customDataIdentifier)
);
GO
CREATE TABLE dbo.tBudget (caseID int NOT NULL CONSTRAINT PK_Budget PRIMARY KEY, amount decimal(19, 4) NOT NULL, note nvarchar(100) NULL);
GO
CREATE PROCEDURE dbo.pCustomData_budget_Get @propID int, @usrPropID int, @langID int AS
BEGIN
    SET NOCOUNT ON;
    SELECT amount, note, @usrPropID AS reader, @langID AS language FROM dbo.tBudget WHERE caseID = @propID;
END
GO
CREATE PROCEDURE dbo.pCustomData_budget_Set @propID int, @usrPropID int, @pamount decimal(19, 4), @pnote nvarchar(100) = NULL AS
BEGIN
    SET NOCOUNT ON;
    IF @pamount < 0 THROW 50001, N'A budget is not below zero.', 1;
    UPDATE dbo.tBudget SET amount = @pamount, note = @pnote WHERE caseID = @propID;
    IF @@ROWCOUNT = 0 INSERT INTO dbo.tBudget (caseID, amount, note) VALUES (@propID, @pamount, @pnote);
END
GO
CREATE VIEW dbo.CustomData_budgetSize AS
SELECT caseID AS propID, CASE WHEN amount >= 1000 THEN N'large' ELSE N'small' END AS size FROM dbo.tBudget;
GO
CREATE VIEW dbo.RefData_priorities AS SELECT 1 AS rank, N'high' AS name UNION ALL SELECT 2, N'low';
GO
INSERT INTO dbo.tBudget (caseID, amount, note) VALUES (5002, 1250.5000, N'first');
INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (5002, N'budget', 'REF'), (5002, N'budgetSize', 'REF_RO');
INSERT INTO dbo.tCustomData (propID, customDataIdentifier, customData) VALUES (5004, N'tags', N'["old", 1.50]');
GO
