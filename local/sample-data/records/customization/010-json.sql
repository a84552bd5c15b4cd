-- repeatable
-- Mechanism "JSON": the value's own text, kept digit for digit. document-large has 200 of them.
IF NOT EXISTS (SELECT 1 FROM dbo.tCustomData WHERE propID = 401)
BEGIN
    INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES
        (401, N'remarks', 'JSON', N'"Signed by both parties on 2026-03-02."'),
        (401, N'tags', 'JSON', N'["contract", "road"]'),
        (401, N'amounts', 'JSON', N'{"net": 1200.10, "gross": 1500.125, "reference": 12345678901234567890}'),
        (401, N'approved', 'JSON', N'true'),
        (401, N'archivedBy', 'JSON', N'null'),
        (201, N'budget', 'JSON', N'{"year": 2026, "total": 250000.00}');
END
GO

-- The identifier of the examples in the API document, on one object of each kind.
INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData)
SELECT o.propID, N'amounts', 'JSON', N'{"net": 80.00}'
FROM (VALUES (101), (201), (301), (402)) o (propID)
WHERE NOT EXISTS (
    SELECT 1 FROM dbo.tCustomData d WHERE d.propID = o.propID AND d.customDataIdentifier = N'amounts');
GO

IF NOT EXISTS (SELECT 1 FROM dbo.tCustomData WHERE propID = 403)
BEGIN
    DECLARE @i int = 1;
    WHILE @i <= 200
    BEGIN
        INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData)
        VALUES (403, CONCAT(N'measurement', @i), 'JSON', CONCAT(N'{"depth": ', @i, N'.5, "unit": "m"}'));
        SET @i = @i + 1;
    END
END
GO
