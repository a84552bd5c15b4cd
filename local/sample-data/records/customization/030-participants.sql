-- repeatable
-- Mechanism "REF" with several rows: the participants of a case. PUT calls _Set once per element, in order.
IF OBJECT_ID(N'dbo.tParticipants', N'U') IS NULL
CREATE TABLE dbo.tParticipants (
    propID int NOT NULL,
    name nvarchar(100) NOT NULL,
    role nvarchar(40) NULL,
    CONSTRAINT PK_tParticipants PRIMARY KEY (propID, name)
);
GO

CREATE OR ALTER PROCEDURE dbo.pCustomData_participants_Get
    @propID int, @usrPropID int, @langID int
AS
BEGIN
    SET NOCOUNT ON;
    SELECT name, role FROM dbo.tParticipants WHERE propID = @propID ORDER BY name;
END
GO

CREATE OR ALTER PROCEDURE dbo.pCustomData_participants_Set
    @propID int, @usrPropID int, @pname nvarchar(100), @prole nvarchar(40)
AS
BEGIN
    SET NOCOUNT ON;
    UPDATE dbo.tParticipants SET role = @prole WHERE propID = @propID AND name = @pname;
    IF @@ROWCOUNT = 0
        INSERT INTO dbo.tParticipants (propID, name, role) VALUES (@propID, @pname, @prole);
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tParticipants WHERE propID = 201)
BEGIN
    INSERT INTO dbo.tParticipants (propID, name, role) VALUES
        (201, N'Harbour Office', N'owner'),
        (201, N'Stone & Sons', N'builder');
    INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (201, N'participants', 'REF');
END
GO
