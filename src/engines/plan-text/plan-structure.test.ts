/** Sections, steps and repositories are found in plans as agents write them, and in any other Markdown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/helpers/text/any-character.ts';
import { MAX_SECTIONS, MAX_STEPS, readPlanStructure } from './plan-structure.ts';
import { SECTION_KINDS } from './section-kinds.ts';

describe('sections', () => {
  it('end at the next heading of the same or a higher level', () => {
    const content = '# T\na\n## A\n### B\nb\n## C\nc\n';
    const parts = readPlanStructure(content).sections.map(({ end, level, start, title }) => [
      title,
      level,
      content.slice(start, end),
    ]);
    expect(parts).toEqual([
      ['T', 1, content],
      ['A', 2, '## A\n### B\nb\n'],
      ['B', 3, '### B\nb\n'],
      ['C', 2, '## C\nc\n'],
    ]);
  });

  it('do not start inside code, quotes and HTML', () => {
    expect(readPlanStructure('```\n# a\n```\n> # b\n\n<div>\n# c\n</div>\n').sections).toEqual([]);
  });
});

describe('steps', () => {
  const stepsOf = (content: string) =>
    readPlanStructure(content).steps.map(
      ({ done, section, text }) => `${done === null ? '-' : done ? 'x' : 'o'} ${text} @${section}`,
    );
  const cases: Array<[name: string, content: string, steps: string[]]> = [
    [
      'checklist items anywhere',
      '- [ ] a\n# N\n* [x] **b** `c`\n  1. [X] d',
      ['o a @null', 'x b c @N', 'x d @N'],
    ],
    ['items of a section about steps', '# T\n## Steps\n1. one\n2. two\n', ['- one @Steps', '- two @Steps']],
    [
      'but not items inside items',
      '# T\n## Steps\n1. one\n   - detail\n2. two\n  - detail\n',
      ['- one @Steps', '- two @Steps'],
    ],
    [
      'unless these have a checkbox',
      '# T\n## Steps\n1. one\n   - [ ] part\n',
      ['- one @Steps', 'o part @Steps'],
    ],
    ['not items of other sections', '# T\n## Notes\n- a\n## Risks\n- b\n', []],
    [
      'sections below it',
      '# T\n## Implementation plan\n### 1. Database\n- a\n### Backend\n- b\n',
      ['- a @1. Database', '- b @Backend'],
    ],
    [
      'not what lists something else there',
      '# T\n## Plan\n- a\n### Files to change\n- x\n### Risks\n- y\n### Testing\n- z\n',
      ['- a @Plan'],
    ],
    [
      'not the whole of a plan called plan',
      '# Implementation plan\n- a\n## Overview\n- b\n## Glossary\n- c\n',
      ['- a @Implementation plan'],
    ],
    [
      'numbered phases',
      '# T\n## Phase 1: Data\n- a\n## Phase 2: API\n- b\n',
      ['- a @Phase 1: Data', '- b @Phase 2: API'],
    ],
    ['with their wrapped lines', '# Steps\n- one\n  two\n\n  three\n', ['- one two @Steps']],
    ['inside a quote', '> - [x] a\n> - b', ['x a @null']],
    ['not inside code', '```\n- [ ] a\n```\n', []],
    ['not without words', '# Steps\n- [ ]\n-\n', []],
    [
      'of the front matter',
      '---\nname: x\ntodos:\n  - id: a\n    content: "Add \\"b\\""\n    status: completed\n  - id: c\n    content: >-\n      Write it\n    status: pending\nother:\n  - content: no\n---\n',
      ['x Add "b" @null', 'o Write it @null'],
    ],
  ];
  it.each(cases)('are found: %s', (_, content, steps) => {
    expect(stepsOf(content)).toEqual(steps);
  });

  it('have positions', () => {
    const content = '# Steps\r\n- a\r\n  b\r\n> - [ ] c\r\n';
    const texts = readPlanStructure(content).steps.map(({ end, start }) => content.slice(start, end));
    expect(texts).toEqual(['- a\r\n  b', '> - [ ] c']);
  });
});

describe('repositories', () => {
  const cases: Array<[section: string, repositories: string[]]> = [
    ['- acme/api: the endpoint\n- `web`\n- **tools** (scripts)\n', ['acme/api', 'web', 'tools']],
    ['* `acme/api` — adds a table\n* acme/web - shows it\n', ['acme/api', 'acme/web']],
    [
      '1. [acme/api](https://github.com/acme/api)\n2. https://github.com/acme/web.git\n3. git@gitlab.com:acme/ops.git\n',
      ['acme/api', 'acme/web', 'acme/ops'],
    ],
    ['- [the API](https://github.com/acme/api/tree/main)\n', ['acme/api']],
    ['- Backend: `acme/api`\n- api: change `src/a.ts`\n', ['acme/api', 'api']],
    ['`api`, `web` and `ops`\n', ['api', 'web', 'ops']],
    ['acme/api, acme/web\n', ['acme/api', 'acme/web']],
    ['| Repository | Why |\n|---|---|\n| `acme/api` | x |\n| web | y |\n', ['acme/api', 'web']],
    ['### acme/api\n- a change\n### `web`\n- another\n', ['acme/api', 'web']],
    ['- acme/api\n  - src/a.ts\n- Acme/API\n', ['acme/api']],
    ['- None\n- N/A\n- TBD\n- This repository\n- The other one\n', []],
    ['Only this repository is changed.\n', []],
  ];
  it.each(cases)('of %j', (section, repositories) => {
    expect(
      readPlanStructure(`# T\n## Affected repos\n${section}## Next\n- acme/other\n`).repositories,
    ).toEqual(repositories);
  });

  it('are at most 100', () => {
    const items = Array.from({ length: 150 }, (_, index) => `- r${index}`).join('\n');
    expect(readPlanStructure(`# Repositories\n${items}`).repositories).toHaveLength(100);
  });
});

describe('whole plans', () => {
  it('as Claude Code writes them', () => {
    const structure = readPlanStructure(CLAUDE_CODE_PLAN);
    expect(structure.sections.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
      'other: Plan: Retry failed webhook deliveries',
      'why: Context',
      'change: Approach',
      'repositories: Affected repos',
      'decisions: Key decisions',
      'steps: Implementation steps',
      'other: 1. Schema',
      'other: 2. Worker',
      'other: Critical files',
      'questions: Open questions',
      'verification: Verification',
    ]);
    expect(structure.steps.map(({ text }) => text)).toEqual([
      'Add attempt and next_attempt_at to webhook_deliveries.',
      'Backfill existing rows in batches of 1,000.',
      'Pick due deliveries with FOR UPDATE SKIP LOCKED.',
      'Give up after 8 attempts and mark the endpoint failing.',
    ]);
    expect(structure.files).toEqual([
      'src/webhooks/deliver.ts',
      'src/db/migrations/0042_webhook_attempts.sql',
      'src/jobs/retry-deliveries.ts',
      'src/webhooks/deliver.test.ts',
      'docs/webhooks.md',
    ]);
    expect(structure.repositories).toEqual(['acme/api', 'acme/infra']);
  });

  it('as Codex writes them', () => {
    const structure = readPlanStructure(CODEX_PLAN);
    expect(structure.sections.map(({ kind }) => kind)).toEqual([
      'other',
      'change',
      'change',
      'verification',
      'other',
    ]);
    expect(structure.files).toEqual([
      'crates/cli/src/main.rs',
      'crates/core/src/cache.rs',
      'Cargo.toml',
      'tests/cache.rs',
    ]);
    expect(structure.steps).toEqual([]);
  });

  it('as Cursor writes them', () => {
    const structure = readPlanStructure(CURSOR_PLAN);
    expect(structure.steps.map(({ done, text }) => [text, done])).toEqual([
      ['Create the theme context in src/theme/ThemeProvider.tsx', true],
      ['Add the toggle to the header', false],
      ['Ship it', false],
    ]);
    expect(structure.files).toEqual([
      'src/theme/ThemeProvider.tsx',
      'src/components/Header.tsx',
      'tailwind.config.js',
      'src/index.css',
    ]);
    expect(structure.sections.map(({ kind }) => kind)).toEqual(['other', 'change', 'other', 'steps']);
  });
});

describe('any other text', () => {
  it('is read without errors, with positions inside it', () => {
    const piece = fc.constantFrom(
      '# ',
      '## Steps\n',
      '- ',
      '[ ] ',
      '`',
      '```',
      '\n',
      'src/a.ts',
      'a',
      '> ',
      '---\n',
      'todos:\n',
      '  - content: x\n',
      '(',
      '](',
      '|',
      '\u202e',
      '\0',
      '\ud800',
      '## Repos\n',
      '/',
      '.',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
          fc.string({ unit: anyCharacter }),
        ),
        (content) => {
          const { files, repositories, sections, steps } = readPlanStructure(content);
          for (const { end, start } of [...sections, ...steps]) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(end).toBeLessThanOrEqual(content.length);
          }
          for (const { kind } of sections) expect(SECTION_KINDS).toContain(kind);
          for (const path of files) expect(path).toMatch(/^[^\s`*?{}]{1,400}$/);
          expect(new Set(files).size).toBe(files.length);
          for (const name of repositories) expect(name).toMatch(/^[^\s`]{1,300}$/);
        },
      ),
      { numRuns: 600 },
    );
  });

  it.each([
    '# a\n',
    '- [ ] a\n',
    '> - [ ] a\n',
    'a.b ',
    'a/b.ts ',
    'a/b.qq ',
    '[](',
    '`',
    '\\`',
    '`a` ',
    '(',
    '# *a',
    '- a\n',
    '| a |\n',
    '.',
    ':1',
    ')',
    '~~',
    'www.a ',
    'a://b ',
  ])('finishes with a mebibyte of %j, within its limits', (unit) => {
    for (const start of ['', '# Repos\n- a\n', '# Steps\n- a\n']) {
      const structure = readPlanStructure(start + unit.repeat(2 ** 20 / unit.length));
      expect(structure.sections.length).toBeLessThanOrEqual(MAX_SECTIONS);
      expect(structure.steps.length).toBeLessThanOrEqual(MAX_STEPS);
    }
  });

  it('finishes with a mebibyte of front matter, code or table', () => {
    for (const [start, unit, end] of [
      ['---\ntodos:\n', '  - content: a\n', '---\n'],
      ['---\ntodos:\n', '            ', '\n---\n'],
      ['```\n', '--- a/b\n', ''],
      ['# Repos\n| a |\n|---|\n', '| a |\n', ''],
    ] as const) {
      const structure = readPlanStructure(start + unit.repeat(2 ** 20 / unit.length) + end);
      expect(structure.steps.length).toBeLessThanOrEqual(MAX_STEPS);
    }
  });
});

const CLAUDE_CODE_PLAN = `# Plan: Retry failed webhook deliveries

## Context

Deliveries that fail once are lost (see \`src/webhooks/deliver.ts:88-121\`). Customers on flaky networks
lose about 0.4 % of their events, e.g. during deploys.

## Approach

Keep an attempt counter per delivery and/or endpoint, and retry with backoff (1s/2s/4s …). Requests stay
\`application/json\`; see https://example.com/docs/webhooks.html for the contract.

## Affected repos

- **acme/api**: table, worker, docs
- **acme/infra**: one more worker process

## Key decisions

| Decision | Why |
| --- | --- |
| Backoff in the database, not in Redis | one thing less to run |

## Implementation steps

### 1. Schema

**File:** \`src/db/migrations/0042_webhook_attempts.sql\`

1. Add \`attempt\` and \`next_attempt_at\` to \`webhook_deliveries\`.
2. Backfill existing rows in batches of 1,000.
   - keep the old column until v2.3.0

### 2. Worker

- Pick due deliveries with \`FOR UPDATE SKIP LOCKED\`.
- Give up after 8 attempts and mark the endpoint *failing*.

\`\`\`ts
// src/jobs/retry-deliveries.ts
import { deliver } from '../webhooks/deliver.ts';
\`\`\`

### Critical files

- \`src/webhooks/deliver.ts\` - the call itself
- \`src/webhooks/deliver.test.ts\` - cases for 429 and 5xx

## Open questions

- Should a manual re-send reset the counter?

## Verification

- Run \`npm test\` and post to a port that is closed
- Read docs/webhooks.md once more
`;

const CODEX_PLAN = `<proposed_plan>
# Cache parsed manifests between runs

## Summary
Parsing takes 40 % of the start. Keep the result on disk, keyed by content hash.

## Key Changes
- \`crates/cli/src/main.rs\`: a \`--no-cache\` flag.
- \`crates/core/src/cache.rs\` (new): read/write with a version header.
- Add \`blake3 = "1.5"\` to Cargo.toml.

## Test Plan
- \`cargo test -p core\` with tests/cache.rs covering a torn file.

## Assumptions
- Node.js users are not affected.
</proposed_plan>
`;

const CURSOR_PLAN = `---
name: Dark mode
overview: Add a dark theme with a toggle.
todos:
  - id: context
    content: Create the theme context in src/theme/ThemeProvider.tsx
    status: completed
  - id: toggle
    content: 'Add the toggle to the header'
    status: in_progress
    dependencies:
      - context
---

# Dark mode

## Overview

The header ([Header.tsx](src/components/Header.tsx)) gets a toggle.

## Files

- \`tailwind.config.js\`: \`darkMode: 'class'\`
- [src/index.css](src/index.css)

### To-dos

- [ ] Ship it
`;
