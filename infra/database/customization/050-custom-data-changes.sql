-- The last replacement of each object's custom data, in the order in which they were committed: what GET /changes reads. The row of
-- propID 0 counts, as in tObjectChanges. Objects whose custom data was replaced before this script have no change.
ALTER TABLE dbo.tCustomDataVersions ADD change bigint NULL, changedBy int NULL, changedAt datetime2(3) NULL;
GO

CREATE INDEX IX_tCustomDataVersions_change ON dbo.tCustomDataVersions (change) INCLUDE (changedBy, changedAt);
GO

INSERT INTO dbo.tCustomDataVersions (propID, version, change) VALUES (0, 0, 0);
GO
