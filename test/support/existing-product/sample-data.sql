-- The users, objects and countries of our sample data, as a product of its own holds them.
INSERT INTO dbo.tUserSettings (usrPropID, loginName, uiLanguage) VALUES
    (1, 'records-service', 1033), (2, 'alice', 1033), (3, 'bjorn', 1053), (4, 'dorte', 1030), (5, 'erik', 1053), (6, 'fiona', 1033);
DELETE FROM dbo.tContacts;
INSERT INTO dbo.tContacts (contactID, firstName, lastName, mailAddress) VALUES
    (2, N'Alice', N'Archer', N'alice@example.org'), (3, N'Björn', N'Berg', N'bjorn@example.org'),
    (4, N'Dorte', N'Dahl', N'dorte@example.org'), (5, N'Erik', N'Ek', N'erik@example.org'),
    (6, N'Fiona', N'Finch', N'fiona@example.org'), (7, N'Hanna', N'Holm', N'hanna@example.org');
INSERT INTO dbo.tObjProperties (propID, objectID, moduleID, typeID) VALUES
    (101, N'diary-2026', 7, 11), (201, N'case-road', 7, 12), (202, N'case-school', 7, 12), (301, N'deed-tender', 7, 13),
    (302, N'deed-complaint', 7, 13), (401, N'document-contract', 7, 14), (402, N'document-letter', 7, 14), (403, N'document-large', 7, 14);
DELETE FROM dbo.tCountries;
INSERT INTO dbo.tCountries (countryID, isoCode, nameEN, nameSV)
SELECT ROW_NUMBER() OVER (ORDER BY code), code, MAX(CASE langID WHEN 1033 THEN name END), MAX(CASE langID WHEN 1053 THEN name END)
FROM dbo.tCountryNames GROUP BY code;
DROP TABLE dbo.tCountryNames;
GO
