-- What the product's owner creates for the service: its view of the users, over tables of their own.
CREATE VIEW dbo.vServiceUsers AS
SELECT u.usrPropID, u.loginName AS account, c.firstName + N' ' + c.lastName AS name, c.mailAddress AS email, u.uiLanguage AS langID
FROM dbo.tUserSettings u LEFT JOIN dbo.tContacts c ON c.contactID = u.usrPropID;
GO
