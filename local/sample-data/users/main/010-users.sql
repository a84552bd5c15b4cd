-- repeatable
-- The sample users' person records and settings. Gustav has none on purpose: the service does not know him.
-- Hanna has a person record but no settings, so she is no user. The service's own account has no e-mail address.
IF NOT EXISTS (SELECT 1 FROM dbo.tObjProperties WHERE propID = 1)
BEGIN
    SET IDENTITY_INSERT dbo.tObjProperties ON;
    INSERT INTO dbo.tObjProperties (propID, objectID, moduleID, typeID) VALUES
        (1, N'person-service', 1, 1),
        (2, N'person-alice', 1, 1),
        (3, N'person-bjorn', 1, 1),
        (4, N'person-dorte', 1, 1),
        (5, N'person-erik', 1, 1),
        (6, N'person-fiona', 1, 1),
        (7, N'person-hanna', 1, 1);
    SET IDENTITY_INSERT dbo.tObjProperties OFF;
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tPersons WHERE propID = 1)
BEGIN
    INSERT INTO dbo.tPersons (propID, name, email) VALUES
        (1, N'Records service', NULL),
        (2, N'Alice Archer', N'alice@example.org'),
        (3, N'Björn Berg', N'bjorn@example.org'),
        (4, N'Dorte Dahl', N'dorte@example.org'),
        (5, N'Erik Ek', N'erik@example.org'),
        (6, N'Fiona Finch', N'fiona@example.org'),
        (7, N'Hanna Holm', N'hanna@example.org');
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tUserSettings WHERE usrPropID = 1)
BEGIN
    INSERT INTO dbo.tUserSettings (usrPropID, account, langID) VALUES
        (1, N'records-service', 1033),
        (2, N'alice', 1033),
        (3, N'bjorn', 1053),
        (4, N'dorte', 1030),
        (5, N'erik', 1053),
        (6, N'fiona', 1033);
END
GO
