-- Language models that reviews use: what an organization set up, and what was used.

CREATE TABLE model_settings (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  -- {format, url, model}; null when the organization uses no model, whatever the environment says.
  finding jsonb,
  -- Encrypted.
  finding_key bytea,
  -- The same for the model of the second look; null when the first one does that too.
  second_look jsonb,
  second_look_key bytea,
  run_tokens bigint NOT NULL,
  pull_request_tokens bigint NOT NULL,
  month_tokens bigint NOT NULL,
  -- What the last test showed: {finding, secondLook}, each {answers, callsTools, problem}.
  tested jsonb,
  tested_at timestamptz,
  updated_by uuid NOT NULL REFERENCES users (id),
  updated_at timestamptz NOT NULL
);

-- Tokens by what they were used for. A review's id is that of its run, which is written after it.
CREATE TABLE model_usage (
  id uuid NOT NULL,
  model text NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  purpose text NOT NULL CHECK (purpose IN ('review', 'architecture', 'test')),
  pull_request_id uuid REFERENCES pull_requests (id) ON DELETE SET NULL,
  -- In UTC, such as 2026-01.
  month text NOT NULL,
  requests integer NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  PRIMARY KEY (id, model)
);
CREATE INDEX model_usage_month ON model_usage (organization_id, month);
CREATE INDEX model_usage_pull_request ON model_usage (pull_request_id) WHERE pull_request_id IS NOT NULL;
