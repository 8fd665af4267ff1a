-- Descriptions that the service writes for pull requests whose author left them empty.

-- What was written last; a description that differs from it is a person's.
ALTER TABLE pull_requests ADD COLUMN generated_description text;

ALTER TABLE review_reports
  -- The description to write on the host, and the one that it may replace.
  ADD COLUMN description text,
  ADD COLUMN replaced_description text;
