-- Which object a POST with the header Idempotency-Key has created: stored in the transaction of the creation, so that the request can be sent
-- again whatever became of its reply. The key is a hash of the caller and the header, the body a fingerprint. A key ends after 24 hours; its
-- row stays with the object, and is used again with the key.
IF OBJECT_ID(N'dbo.tObjectCreations', N'U') IS NULL
CREATE TABLE dbo.tObjectCreations (
    creationKey nvarchar(22) COLLATE Latin1_General_BIN2 NOT NULL,
    body nvarchar(22) COLLATE Latin1_General_BIN2 NOT NULL,
    propID int NOT NULL,
    createdAt datetime2(3) NOT NULL,
    CONSTRAINT PK_tObjectCreations PRIMARY KEY (creationKey)
);
GO
