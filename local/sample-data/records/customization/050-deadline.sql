-- repeatable
-- An identifier with both a procedure and a view: the procedure is used, and the view is never read. This one
-- fails when it is touched.
CREATE OR ALTER VIEW dbo.CustomData_deadline AS
SELECT propID, CAST(N'this view must not be read' AS int) AS deadline FROM dbo.tCustomData;
GO

CREATE OR ALTER PROCEDURE dbo.pCustomData_deadline_Get
    @propID int, @usrPropID int, @langID int
AS
BEGIN
    SET NOCOUNT ON;
    SELECT CAST('2026-12-31' AS date) AS deadline, @usrPropID AS readBy, @langID AS langID;
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tCustomData WHERE propID = 401 AND customDataIdentifier = N'deadline')
BEGIN
    INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (401, N'deadline', 'REF_RO');
END
GO
