-- repeatable
-- Mechanism "REF_RO" through a view: its rows belong to the object in its propID column.
IF OBJECT_ID(N'dbo.tParcels', N'U') IS NULL
CREATE TABLE dbo.tParcels (
    propID int NOT NULL,
    parcel nvarchar(20) NOT NULL,
    area decimal(9, 1) NOT NULL,
    registeredOn datetime2(0) NOT NULL,
    CONSTRAINT PK_tParcels PRIMARY KEY (propID, parcel)
);
GO

CREATE OR ALTER VIEW dbo.CustomData_parcels AS
SELECT propID, parcel, area, registeredOn FROM dbo.tParcels;
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tParcels WHERE propID = 401)
BEGIN
    INSERT INTO dbo.tParcels (propID, parcel, area, registeredOn) VALUES
        (401, N'12/1', 350.0, '2020-05-04 10:00:00'),
        (401, N'12/2', 80.5, '2021-06-01 08:30:00'),
        (301, N'12/1', 350.0, '2020-05-04 10:00:00');
    INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES
        (401, N'parcels', 'REF_RO'), (301, N'parcels', 'REF_RO');
END
GO
