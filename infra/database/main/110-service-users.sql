-- repeatable
-- The users of the service: the one view through which it reads them. The database of an existing product has its own, over its tables.
CREATE OR ALTER VIEW dbo.vServiceUsers AS
SELECT u.usrPropID, u.account, p.name, p.email, u.langID
FROM dbo.tUserSettings u LEFT JOIN dbo.tPersons p ON p.propID = u.usrPropID;
GO
