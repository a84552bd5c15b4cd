-- Worked example of a change of a list that an earlier script has filled: one more document type. Whoever has added it by hand keeps
-- their names, since a list belongs to the installation once it is filled.
INSERT INTO dbo.tDocumentTypes (code, langID, name)
SELECT N'decision', l.langID, CASE l.code WHEN N'da' THEN N'Afgørelse' WHEN N'sv' THEN N'Beslut' ELSE N'Decision' END
FROM dbo.tLanguages l
WHERE l.code IN (N'da', N'en', N'sv')
  AND NOT EXISTS (SELECT 1 FROM dbo.tDocumentTypes t WHERE t.code = N'decision' AND t.langID = l.langID);
GO
