-- Every object of the service: its integer propID and the identifier under which the API knows it.
-- typeID: 1 person, 2 diary, 3 journalized case, 4 deed, 5 document. moduleID: 1 administration, 2 records.
IF OBJECT_ID(N'dbo.tObjProperties', N'U') IS NULL
CREATE TABLE dbo.tObjProperties (
    propID int IDENTITY(1, 1) NOT NULL,
    objectID nvarchar(64) COLLATE Latin1_General_BIN2 NOT NULL,
    moduleID int NOT NULL,
    typeID int NOT NULL,
    CONSTRAINT PK_tObjProperties PRIMARY KEY (propID),
    CONSTRAINT UQ_tObjProperties_objectID UNIQUE (objectID),
    CONSTRAINT CK_tObjProperties_typeID CHECK (typeID IN (1, 2, 3, 4, 5))
);
GO

-- The service confirms the type of an object through this procedure.
CREATE OR ALTER PROCEDURE dbo.pStructureObjectInfoGet
    @propID int
AS
BEGIN
    SET NOCOUNT ON;
    SELECT propID, objectID, moduleID, typeID
    FROM dbo.tObjProperties
    WHERE propID = @propID;
END
GO
