-- Who dismissed a review of plain git, and why. The reviewer and code hosts leave both out.
ALTER TABLE pull_request_verdicts
  ADD COLUMN dismissed_by uuid REFERENCES users (id),
  ADD COLUMN dismissal_reason text,
  ADD CHECK ((dismissed_by IS NULL) = (dismissal_reason IS NULL));

-- One more kind, beside those that earlier migrations allow.
DO $$ BEGIN
  EXECUTE (SELECT 'ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check, ADD CONSTRAINT inbox_items_kind_check '
      || replace(pg_get_constraintdef(oid), $kind$'merged'::text$kind$, $kind$'merged'::text, 'review_dismissed'::text$kind$)
    FROM pg_constraint WHERE conname = 'inbox_items_kind_check' AND conrelid = 'inbox_items'::regclass);
END $$;
