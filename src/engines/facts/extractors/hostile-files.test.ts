/** No file makes an extractor throw, exceed its limits or take long. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../test/helpers/text/any-character.ts';
import type { ImportedModule } from '../../../platform/core/ports/code-facts.ts';
import type { FileSource } from '../extractor.ts';
import { languageOf } from '../language.ts';
import { MAX_DETAIL_CHARACTERS, MAX_NAME_CHARACTERS } from './fact-list.ts';
import { EXTRACTORS } from './index.ts';

const PATHS = [
  ...[
    'package.json',
    'pnpm-workspace.yaml',
    'pyproject.toml',
    'requirements.txt',
    'setup.cfg',
    'setup.py',
    'go.mod',
  ],
  ...[
    'go.work',
    'Cargo.toml',
    'pom.xml',
    'build.gradle',
    'settings.gradle',
    'a.csproj',
    'a.sln',
    'Gemfile',
    'a.gemspec',
  ],
  ...[
    'composer.json',
    'openapi.yaml',
    'openapi.json',
    'app/api/x/route.ts',
    'a.ts',
    'a.py',
    'a.go',
    'a.java',
    'a.kt',
  ],
  ...[
    'config/routes.rb',
    'a.rb',
    'a.cs',
    'a.php',
    'a.rs',
    'a.sql',
    'schema.prisma',
    '.env',
    'Dockerfile',
    'compose.yaml',
  ],
  ...[
    '.github/workflows/a.yml',
    'a.tf',
    'a.proto',
    'a.graphql',
    'README.md',
    'a.rst',
    'a.adoc',
    'CODEOWNERS',
    'Procfile',
  ],
];

/** One for each way of reading: the languages of code share theirs. */
const SLOW_PATHS = [
  ...[
    'package.json',
    'Cargo.toml',
    'pom.xml',
    'requirements.txt',
    'compose.yaml',
    'openapi.yaml',
    'README.md',
  ],
  ...['a.ts', 'a.py', 'a.rb', 'a.sql', 'a.proto', 'a.graphql', 'Dockerfile'],
];

/** Every framework is imported, so that all rules are tried. */
const IMPORTS: ImportedModule[] = [
  ...[
    'express',
    'fastify',
    '@nestjs/common',
    'axios',
    'kafkajs',
    'typeorm',
    'drizzle-orm',
    'ioredis',
    'bullmq',
  ],
  ...['flask', 'fastapi', 'django.urls', 'django.db', 'requests', 'celery', 'sqlalchemy', 'kafka', 'aiohttp'],
  ...[
    'net/http',
    'github.com/gin-gonic/gin',
    'github.com/gorilla/mux',
    'github.com/nats-io/nats.go',
    'gorm.io/gorm',
  ],
  ...[
    'org.springframework.web.bind.annotation',
    'javax.ws.rs',
    'jakarta.persistence',
    'org.springframework.kafka',
  ],
  ...['Microsoft.AspNetCore.Mvc', 'Refit', 'Confluent.Kafka', 'GuzzleHttp', 'Illuminate\\Support\\Facades'],
].map((module) => ({
  module,
  line: 1,
  names: [{ name: 'app' }, { name: 'client', as: 'c' }, { name: '*' }],
}));

function extractAll(path: string, text: string) {
  const language = languageOf(path);
  const file: FileSource = { path, language, text, tree: null, imports: IMPORTS, symbols: [] };
  return EXTRACTORS.filter((extractor) => extractor.accepts(path, language)).flatMap((extractor) =>
    extractor.extract(file),
  );
}

/** Pieces that mean something to one of the extractors, in any order. */
const PIECES = [
  ...[
    'app',
    'client',
    '.',
    'get',
    'post',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    ',',
    ':',
    '=',
    '@',
    '#',
    '\n',
    ' ',
  ],
  ...[
    '"',
    "'",
    '`',
    '"""',
    '${',
    '#{',
    '\\',
    '/',
    '/*',
    '*/',
    '//',
    '--',
    '/x/:id',
    '"/x"',
    'class',
    'Controller',
  ],
  ...[
    'SELECT * FROM',
    'CREATE TABLE',
    'UPDATE',
    'WITH',
    'AS (',
    'select',
    'Table',
    'openapi: 3.0',
    'paths:',
    'get:',
  ],
  ...[
    'resources :x do',
    'end',
    '<<~SQL',
    'SQL',
    'service A {',
    'rpc B(',
    'type Query {',
    'apiVersion: v1',
    'kind: A',
  ],
  ...[
    'services:',
    '- name: A',
    'env:',
    '&a',
    '*a',
    '?',
    '---',
    '===',
    '# H',
    '```',
    '<a>',
    '</a>',
    '<![CDATA[',
    '[[x]]',
  ],
];

const garbage = fc.oneof(
  fc.string({ maxLength: 300, unit: anyCharacter }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((pieces) => pieces.join('')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((pieces) => pieces.join(' ')),
);

/** Processor time on the slowest machine that runs the tests; quadratic work takes minutes. */
const MAX_MS = 2000;

describe('hostile files', () => {
  it('gives facts within the limits for any text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PATHS), garbage, (path, text) => {
        for (const { detail, line, name } of extractAll(path, text)) {
          expect(name.length).toBeGreaterThan(0);
          expect(name.length).toBeLessThanOrEqual(MAX_NAME_CHARACTERS);
          expect(detail?.length ?? 0).toBeLessThanOrEqual(MAX_DETAIL_CHARACTERS);
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(text.split('\n').length);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['nested brackets', '['.repeat(200_000)],
    ['nested objects', '{"a":'.repeat(100_000)],
    ['nested lists', '- '.repeat(100_000)],
    ['nested elements', '<a>'.repeat(100_000)],
    ['an unclosed comment', '/*'.repeat(200_000)],
    ['an unclosed string', '\\"'.repeat(200_000)],
    ['unclosed templates', '`${'.repeat(150_000)],
    ['unclosed documents', '<<~A '.repeat(100_000)],
    ['one long line', 'a'.repeat(1_000_000)],
    ['one long call', `app.get(${'"/x",'.repeat(200_000)})`],
    ['one long chain', `app${'.get'.repeat(200_000)}("/x")`],
    ['many chained calls', `app${'.get("/x", y)'.repeat(50_000)}`],
    ['many selects', 'SELECT '.repeat(140_000)],
    ['many slashes', '=/ '.repeat(300_000)],
    [
      'aliases of aliases',
      `a: &a [x]\n${Array.from({ length: 2000 }, (_, i) => `b${i}: &b${i} [*a, *a, *a, *a]`).join('\n')}`,
    ],
    ['spaces', `${' '.repeat(900_000)}x`],
    ['many annotations', '@Get("/x") '.repeat(80_000)],
    ['many classes', 'class A(models.Model): x\n'.repeat(40_000)],
  ])('reads %s quickly', (_name, text) => {
    for (const path of SLOW_PATHS) {
      const language = languageOf(path);
      const file: FileSource = { path, language, text, tree: null, imports: IMPORTS, symbols: [] };
      for (const extractor of EXTRACTORS.filter((one) => one.accepts(path, language))) {
        const before = process.threadCpuUsage().user;
        extractor.extract(file);
        const tookMs = (process.threadCpuUsage().user - before) / 1000;
        expect(tookMs, `${extractor.name} of ${path}`).toBeLessThan(MAX_MS);
      }
    }
  });
});
