-- The last change of each object's metadata, in the order in which the changes were committed: what GET /changes reads. The row of
-- propID 0 counts. A change raises it last, and so holds it until it is committed: no change gets a number before an earlier one is there.
IF OBJECT_ID(N'dbo.tObjectChanges', N'U') IS NULL
CREATE TABLE dbo.tObjectChanges (
    propID int NOT NULL,
    change bigint NOT NULL,
    changedBy int NULL,
    changedAt datetime2(3) NULL,
    CONSTRAINT PK_tObjectChanges PRIMARY KEY (propID)
);
GO

CREATE INDEX IX_tObjectChanges_change ON dbo.tObjectChanges (change) INCLUDE (changedBy, changedAt);
GO

INSERT INTO dbo.tObjectChanges (propID, change) VALUES (0, 0);
GO
