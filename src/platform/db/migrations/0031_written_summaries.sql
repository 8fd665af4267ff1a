-- What a model wrote a summary from; null when none did.
ALTER TABLE architecture_summaries ADD COLUMN written_from text;
