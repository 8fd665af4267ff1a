-- Plans keep the name of a removed repository. If not everyone could see the repository, not everyone may read its name afterwards.
ALTER TABLE plan_version_repositories ADD COLUMN was_private boolean NOT NULL DEFAULT false;
ALTER TABLE plan_pull_requests ADD COLUMN was_private boolean NOT NULL DEFAULT false;
