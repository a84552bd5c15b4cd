-- repeatable
-- Mechanism "REF" through procedures: one invoice per document. _Set also keeps a history, which is exposed as the
-- read-only identifier invoiceHistory through its own _Get.
IF OBJECT_ID(N'dbo.tInvoices', N'U') IS NULL
CREATE TABLE dbo.tInvoices (
    propID int NOT NULL,
    number nvarchar(40) NOT NULL,
    amount decimal(18, 2) NOT NULL,
    dueDate date NULL,
    paid bit NOT NULL,
    CONSTRAINT PK_tInvoices PRIMARY KEY (propID)
);
GO

IF OBJECT_ID(N'dbo.tInvoiceHistory', N'U') IS NULL
CREATE TABLE dbo.tInvoiceHistory (
    id int IDENTITY(1, 1) NOT NULL,
    propID int NOT NULL,
    number nvarchar(40) NOT NULL,
    amount decimal(18, 2) NOT NULL,
    changedBy int NOT NULL,
    CONSTRAINT PK_tInvoiceHistory PRIMARY KEY (id)
);
GO

CREATE OR ALTER PROCEDURE dbo.pCustomData_invoice_Get
    @propID int, @usrPropID int, @langID int
AS
BEGIN
    SET NOCOUNT ON;
    SELECT number, amount, dueDate, paid FROM dbo.tInvoices WHERE propID = @propID;
END
GO

CREATE OR ALTER PROCEDURE dbo.pCustomData_invoice_Set
    @propID int, @usrPropID int, @pnumber nvarchar(40), @pamount decimal(18, 2), @pdueDate date, @ppaid bit
AS
BEGIN
    SET NOCOUNT ON;
    IF @pamount < 0
        THROW 50001, N'The amount of an invoice must not be negative.', 1;
    UPDATE dbo.tInvoices SET number = @pnumber, amount = @pamount, dueDate = @pdueDate, paid = @ppaid
    WHERE propID = @propID;
    IF @@ROWCOUNT = 0
        INSERT INTO dbo.tInvoices (propID, number, amount, dueDate, paid)
        VALUES (@propID, @pnumber, @pamount, @pdueDate, @ppaid);
    INSERT INTO dbo.tInvoiceHistory (propID, number, amount, changedBy)
    VALUES (@propID, @pnumber, @pamount, @usrPropID);
END
GO

CREATE OR ALTER PROCEDURE dbo.pCustomData_invoiceHistory_Get
    @propID int, @usrPropID int, @langID int
AS
BEGIN
    SET NOCOUNT ON;
    SELECT id, number, amount, changedBy FROM dbo.tInvoiceHistory WHERE propID = @propID ORDER BY id;
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tInvoices WHERE propID = 401)
BEGIN
    INSERT INTO dbo.tInvoices (propID, number, amount, dueDate, paid) VALUES
        (401, N'2026-0815', 1500.10, '2026-04-30', 0),
        (402, N'2026-0816', 80.00, NULL, 1);
    INSERT INTO dbo.tInvoiceHistory (propID, number, amount, changedBy) VALUES
        (401, N'2026-0815', 1400.00, 2),
        (401, N'2026-0815', 1500.10, 3);
    INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES
        (401, N'invoice', 'REF'), (401, N'invoiceHistory', 'REF_RO'),
        (402, N'invoice', 'REF'), (402, N'invoiceHistory', 'REF_RO');
END
GO
