-- Registrations by type: every object of a type (typeID of tObjProperties) has the identifier, unless it has a row of its own in
-- tCustomData. shape fixes the JSON of the value, for objects with a row of their own too: one is an object or null, many an array.
CREATE TABLE dbo.tCustomDataTypes (
    typeID int NOT NULL,
    customDataIdentifier nvarchar(128) COLLATE Latin1_General_BIN2 NOT NULL,
    kind varchar(6) COLLATE Latin1_General_BIN2 NOT NULL,
    shape varchar(4) COLLATE Latin1_General_BIN2 NULL,
    CONSTRAINT PK_tCustomDataTypes PRIMARY KEY (typeID, customDataIdentifier),
    CONSTRAINT CK_tCustomDataTypes_kind CHECK (kind IN ('REF', 'REF_RO')),
    CONSTRAINT CK_tCustomDataTypes_shape CHECK (shape IN ('one', 'many'))
);
GO
