/** Software that is recognized by the names of packages and images, for example that a service uses Redis. */
import type { DescribedCode } from './described-code.ts';
import type { Listed } from './write-sentence.ts';

type Known = readonly (readonly [string, RegExp])[];

export const DATABASES: Known = [
  ['PostgreSQL', /postgres|(?:^|[:/])(?:pg|psycopg\d?|lib\/pq|pgx|npgsql)\b/i],
  ['MySQL', /mysql|mariadb/i],
  ['SQLite', /sqlite/i],
  ['MongoDB', /mongo/i],
  ['Redis', /redis|valkey/i],
  ['ClickHouse', /clickhouse/i],
  ['Elasticsearch', /elastic(?:search)?|opensearch/i],
  ['Prisma', /prisma/i],
  ['Spanner', /spanner/i],
  ['etcd', /etcd/i],
  ['Neo4j', /neo4j/i],
  ['Cassandra', /cassandra/i],
  ['DynamoDB', /dynamodb/i],
  ['Meilisearch', /meilisearch/i],
];
export const BROKERS: Known = [
  ['Kafka', /kafka|sarama/i],
  ['RabbitMQ', /rabbitmq|amqp/i],
  ['NATS', /(?:^|[:/-])nats\b/i],
  ['Celery', /celery/i],
  ['BullMQ', /bullmq|(?:^|:)bull$/i],
  ['Sidekiq', /sidekiq/i],
  ['Google Pub/Sub', /pubsub/i],
  ['Amazon SQS', /\bsqs\b/i],
  ['WebSocket', /websocket|socket\.io|(?:^|:)ws$/i],
];
export const USER_INTERFACES: Known = [
  ['React', /(?:^|:)react(?:-dom)?$/i],
  ['Next.js', /(?:^|:)next$/i],
  ['Vue', /(?:^|:)vue$/i],
  ['Angular', /@angular\/core/i],
  ['AngularJS', /(?:^|:)angular$/i],
  ['Svelte', /svelte/i],
  ['Yew', /(?:^|:)yew/i],
  ['Blazor', /components\.web/i],
  ['Tailwind', /tailwindcss/i],
  ['Bootstrap', /(?:^|:)bootstrap$/i],
  ['jQuery', /(?:^|:)jquery$/i],
  ['React Native', /react-native$/i],
  ['Electron', /(?:^|:)electron$/i],
  ['Livewire', /livewire/i],
  ['ProseMirror', /prosemirror/i],
];
export const COMMAND_LINES: Known = [
  ['Cobra', /spf13\/cobra/i],
  ['urfave/cli', /urfave\/cli/i],
  ['Kingpin', /kingpin/i],
  ['clap', /(?:^|:)clap$/i],
  ['Commander', /(?:^|:)commander$/i],
  ['yargs', /(?:^|:)yargs$/i],
  ['Click', /(?:^|:)(?:click|typer)$/i],
];
export const TEST_TOOLS: Known = [
  ['Jest', /(?:^|:)jest$/i],
  ['Vitest', /(?:^|:)vitest$/i],
  ['Mocha', /(?:^|:)mocha$/i],
  ['Playwright', /playwright/i],
  ['Cypress', /(?:^|:)cypress$/i],
  ['pytest', /pytest/i],
  ['PHPUnit', /phpunit/i],
  ['Pest', /pestphp/i],
  ['JUnit', /junit/i],
  ['RSpec', /rspec/i],
  ['Testify', /stretchr\/testify/i],
  ['Ginkgo', /onsi\/ginkgo/i],
  ['xUnit', /xunit/i],
  ['MSTest', /mstest/i],
  ['Testcontainers', /testcontainers/i],
];

/** Each with the first package or image that shows it. */
export function findKnown(code: DescribedCode, known: Known): Listed[] {
  const named = [...code.of('package', 'uses'), ...code.of('infrastructure')];
  return known.flatMap(([text, pattern]) => {
    const shown = named.find(({ detail, kind, name }) =>
      pattern.test(kind === 'infrastructure' ? `${name} ${detail ?? ''}` : name),
    );
    return shown ? [{ text, place: { path: shown.path, line: shown.line } }] : [];
  });
}
