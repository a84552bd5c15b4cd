-- Worked example of a change of the schema. The cases of a diary are listed by propID, page by page: without this index
-- every page sorts all of them, since UQ_tJournalizedCases_number has them by number.
CREATE INDEX IX_tJournalizedCases_parentPropID ON dbo.tJournalizedCases (parentPropID, propID);
GO
