-- The members who wrote, co-wrote or committed the commits that owners were read for: their approval would be one of their own work.
ALTER TABLE pull_request_owners ADD COLUMN writer_ids uuid[] NOT NULL DEFAULT '{}';
