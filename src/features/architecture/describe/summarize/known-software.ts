/** Software that is recognized by the exact names of packages and images, for example that a service uses Redis. */
import type { DescribedCode } from './described-code.ts';
import { isTool } from './kinds-of-paths.ts';
import type { Listed } from './write-sentence.ts';

type Known = readonly (readonly [string, RegExp])[];

export const DATABASES: Known = [
  [
    'PostgreSQL',
    /^(?:npm:(?:pg|postgres|pg-promise|@neondatabase\/serverless)|pypi:(?:psycopg\d?(?:-binary)?|asyncpg|pg8000)|go:github\.com\/(?:lib\/pq|jackc\/pgx.*)|gem:pg|cargo:(?:postgres|tokio-postgres|deadpool-postgres)|maven:org\.postgresql:.*|nuget:Npgsql(?:\..*)?|compose:\S* (?:\S*\/)?(?:postgres|postgis|pgvector)\b.*)$/i,
  ],
  [
    'MySQL',
    /^(?:npm:mysql2?|pypi:(?:mysqlclient|pymysql|aiomysql)|go:github\.com\/go-sql-driver\/mysql|gem:mysql2|cargo:mysql(?:_async)?|maven:(?:com\.mysql|mysql):mysql-connector.*|maven:org\.mariadb\.jdbc:.*|nuget:(?:MySql\.Data|MySqlConnector|Pomelo\..*)|compose:\S* (?:\S*\/)?(?:mysql|mariadb)\b.*)$/i,
  ],
  [
    'SQLite',
    /^(?:npm:(?:sqlite3?|better-sqlite3)|pypi:(?:aiosqlite|sqlite-utils)|go:(?:github\.com\/mattn\/go-sqlite3|modernc\.org\/sqlite)|gem:sqlite3|cargo:rusqlite|maven:org\.xerial:sqlite-jdbc|nuget:Microsoft\.(?:Data|EntityFrameworkCore)\.Sqlite)$/i,
  ],
  [
    'MongoDB',
    /^(?:npm:mongo(?:db|ose)|pypi:(?:pymongo|motor|mongoengine)|go:go\.mongodb\.org\/mongo-driver.*|gem:mongo(?:id)?|cargo:mongodb|maven:org\.mongodb:.*|nuget:MongoDB\.Driver|compose:\S* (?:\S*\/)?mongo\b.*)$/i,
  ],
  [
    'Redis',
    /^(?:npm:(?:redis|ioredis|@redis\/client)|pypi:(?:redis|aioredis|django-redis)|go:github\.com\/(?:redis\/go-redis|go-redis\/redis|gomodule\/redigo|redis\/rueidis).*|gem:redis(?:-client)?|cargo:(?:redis|fred)|maven:(?:redis\.clients:jedis|io\.lettuce:.*|org\.redisson:.*)|nuget:StackExchange\.Redis|composer:predis\/predis|compose:\S* (?:\S*\/)?(?:redis|valkey)\b.*)$/i,
  ],
  [
    'ClickHouse',
    /^(?:npm:@clickhouse\/client|pypi:clickhouse-(?:driver|connect)|go:github\.com\/ClickHouse\/(?:clickhouse-go|ch-go)(?:\/.*)?|cargo:clickhouse)$/i,
  ],
  [
    'Elasticsearch',
    /^(?:npm:@elastic\/elasticsearch|pypi:elasticsearch(?:-dsl)?|go:github\.com\/elastic\/go-elasticsearch.*|gem:elasticsearch|maven:org\.elasticsearch(?:\.client)?:.*)$/i,
  ],
  [
    'OpenSearch',
    /^(?:npm:@opensearch-project\/opensearch|pypi:opensearch-py|go:github\.com\/opensearch-project\/.*|maven:org\.opensearch\.client:.*)$/i,
  ],
  [
    'Spanner',
    /^(?:npm:@google-cloud\/spanner|go:cloud\.google\.com\/go\/spanner|pypi:google-cloud-spanner)$/i,
  ],
  ['etcd', /^go:go\.etcd\.io\/etcd\/client\/v3$/i],
  ['bbolt', /^go:go\.etcd\.io\/bbolt$/i],
  ['Neo4j', /^(?:npm:neo4j-driver|pypi:neo4j|go:github\.com\/neo4j\/.*|maven:org\.neo4j\.driver:.*)$/i],
  [
    'Cassandra',
    /^(?:npm:cassandra-driver|pypi:cassandra-driver|go:github\.com\/gocql\/gocql|maven:com\.datastax\.(?:oss|cassandra):.*|maven:org\.apache\.cassandra:java-driver-core)$/i,
  ],
  [
    'DynamoDB',
    /^(?:npm:@aws-sdk\/(?:client|lib)-dynamodb|go:github\.com\/aws\/aws-sdk-go-v2\/service\/dynamodb|gem:aws-sdk-dynamodb)$/i,
  ],
  ['Meilisearch', /^(?:npm:meilisearch|pypi:meilisearch|gem:meilisearch.*)$/i],
];
export const BROKERS: Known = [
  [
    'Kafka',
    /^(?:npm:kafkajs|pypi:(?:kafka-python|confluent-kafka|aiokafka)|go:github\.com\/(?:segmentio\/kafka-go|IBM\/sarama|Shopify\/sarama|confluentinc\/confluent-kafka-go|twmb\/franz-go).*|gem:(?:ruby-kafka|rdkafka|karafka)|cargo:rdkafka|maven:(?:org\.apache\.kafka:kafka-clients|org\.springframework\.kafka:.*)|nuget:Confluent\.Kafka)$/i,
  ],
  [
    'RabbitMQ',
    /^(?:npm:amqplib|pypi:(?:pika|aio-pika)|go:github\.com\/(?:rabbitmq|streadway)\/amqp.*|gem:bunny|cargo:lapin|maven:(?:com\.rabbitmq:amqp-client|org\.springframework\.amqp:.*)|nuget:RabbitMQ\.Client)$/i,
  ],
  ['NATS', /^(?:npm:nats|go:github\.com\/nats-io\/nats\.go|pypi:nats-py|cargo:async-nats)$/i],
  [
    'Pulsar',
    /^(?:maven:org\.apache\.pulsar:pulsar-client.*|npm:pulsar-client|go:github\.com\/apache\/pulsar-client-go.*)$/i,
  ],
  ['ActiveMQ', /^maven:org\.apache\.activemq:.*$/i],
  ['Celery', /^pypi:celery$/i],
  ['BullMQ', /^npm:bullmq$/i],
  ['Bull', /^npm:bull$/i],
  ['Sidekiq', /^gem:sidekiq$/i],
  [
    'Google Pub/Sub',
    /^(?:npm:@google-cloud\/pubsub|go:cloud\.google\.com\/go\/pubsub.*|pypi:google-cloud-pubsub)$/i,
  ],
  [
    'Amazon SQS',
    /^(?:npm:@aws-sdk\/client-sqs|go:github\.com\/aws\/aws-sdk-go-v2\/service\/sqs|gem:aws-sdk-sqs)$/i,
  ],
];
export const USER_INTERFACES: Known = [
  ['React', /^npm:react(?:-dom)?$/i],
  ['Next.js', /^npm:next$/i],
  ['Vue', /^npm:vue$/i],
  ['Angular', /^npm:@angular\/core$/i],
  ['AngularJS', /^npm:angular$/i],
  ['Ember', /^npm:ember-source$/i],
  ['Svelte', /^npm:svelte$/i],
  ['Yew', /^cargo:yew$/i],
  ['Leptos', /^cargo:leptos$/i],
  ['Blazor', /^nuget:Microsoft\.AspNetCore\.Components\.Web.*$/i],
  ['Tailwind', /^npm:tailwindcss$/i],
  ['Bootstrap', /^npm:bootstrap$/i],
  ['jQuery', /^npm:jquery$/i],
  ['React Native', /^npm:react-native$/i],
  ['Electron', /^npm:electron$/i],
  ['Livewire', /^composer:livewire\/livewire$/i],
  ['ProseMirror', /^npm:prosemirror-(?:view|model|state)$/i],
];
export const COMMAND_LINES: Known = [
  ['Cobra', /^go:github\.com\/spf13\/cobra$/i],
  ['urfave/cli', /^go:github\.com\/urfave\/cli.*$/i],
  ['Kingpin', /^go:(?:github\.com\/alecthomas|gopkg\.in\/alecthomas)\/kingpin.*$/i],
  ['clap', /^cargo:clap$/i],
  ['bpaf', /^cargo:bpaf$/i],
  ['Commander', /^npm:commander$/i],
  ['yargs', /^npm:yargs$/i],
  ['Click', /^pypi:click$/i],
  ['Typer', /^pypi:typer$/i],
  ['Thor', /^gem:thor$/i],
  ['picocli', /^maven:info\.picocli:.*$/i],
];
export const TEST_TOOLS: Known = [
  ['Jest', /^npm:jest$/i],
  ['Vitest', /^npm:vitest$/i],
  ['Mocha', /^npm:mocha$/i],
  ['QUnit', /^npm:qunit$/i],
  ['Playwright', /^(?:npm:(?:@playwright\/test|playwright)|pypi:(?:playwright|pytest-playwright))$/i],
  ['Cypress', /^npm:cypress$/i],
  ['pytest', /^pypi:pytest$/i],
  ['PHPUnit', /^composer:phpunit\/phpunit$/i],
  ['Pest', /^composer:pestphp\/pest$/i],
  ['JUnit', /^maven:(?:junit:junit|org\.junit\..*)$/i],
  ['RSpec', /^gem:rspec(?:-core|-rails)?$/i],
  ['Minitest', /^gem:minitest$/i],
  ['Testify', /^go:github\.com\/stretchr\/testify$/i],
  ['Ginkgo', /^go:github\.com\/onsi\/ginkgo.*$/i],
  ['xUnit', /^nuget:xunit$/i],
  ['MSTest', /^nuget:MSTest(?:\..*)?$/i],
  [
    'Testcontainers',
    /^(?:maven:org\.testcontainers:.*|npm:testcontainers|go:github\.com\/testcontainers\/.*|pypi:testcontainers)$/i,
  ],
];
export const AUTH_LIBRARIES: Known = [
  ['Passport', /^npm:(?:passport|koa-passport|@outlinewiki\/koa-passport)$/i],
  ['OmniAuth', /^gem:omniauth$/i],
  ['Devise', /^gem:devise$/i],
  ['Doorkeeper', /^gem:doorkeeper$/i],
  ['django-allauth', /^pypi:django-allauth$/i],
  ['Spring Security', /^maven:org\.springframework\.(?:security:.*|boot:spring-boot-starter-security)$/i],
  ['Auth.js', /^npm:(?:next-auth|@auth\/core)$/i],
  [
    'JSON Web Tokens',
    /^(?:npm:(?:jsonwebtoken|jose)|pypi:(?:pyjwt|python-jose)|go:github\.com\/golang-jwt\/jwt.*|gem:jwt|cargo:(?:jwt|jsonwebtoken)|maven:(?:io\.jsonwebtoken|com\.auth0):.*)$/i,
  ],
  [
    'OAuth 2.0',
    /^(?:npm:(?:@node-oauth\/oauth2-server|openid-client|oidc-provider|passport-oauth2)|pypi:(?:authlib|oauthlib|django-oauth-toolkit)|go:golang\.org\/x\/oauth2|gem:omniauth-oauth2)$/i,
  ],
  ['OpenID Connect', /^(?:npm:openid-client|go:github\.com\/coreos\/go-oidc.*|cargo:openidconnect)$/i],
  ['SAML', /^(?:npm:@node-saml\/.*|gem:ruby-saml|go:github\.com\/crewjam\/saml)$/i],
  [
    'passkeys',
    /^(?:npm:@simplewebauthn\/server|gem:webauthn|go:github\.com\/go-webauthn\/webauthn|pypi:webauthn|cargo:webauthn-rs)$/i,
  ],
  [
    'LDAP',
    /^(?:pypi:(?:python-ldap|ldap3)|go:github\.com\/go-ldap\/ldap.*|gem:net-ldap|cargo:ldap3(?:_proto)?|npm:ldapjs)$/i,
  ],
  ['OPAQUE', /^cargo:opaque-ke$/i],
];

/** Each with the first package or image that shows it. What only its tools, linters or tests depend on doesn't count, unless it is about those. */
export function findKnown(code: DescribedCode, known: Known): Listed[] {
  const packages =
    known === TEST_TOOLS
      ? code.of('package', 'uses').filter(({ detail }) => !/(?:^|\s)indirect$/.test(detail ?? ''))
      : code.dependencies;
  const services = code
    .of('infrastructure')
    .filter(({ name, path }) => name.startsWith('compose:') && !isTool(path))
    .map((fact) => ({ ...fact, name: `${fact.name} ${fact.detail ?? ''}` }));
  const named = [...packages, ...services];
  return known.flatMap(([text, pattern]) => {
    const shown = named.find(({ name }) => pattern.test(name));
    return shown ? [{ text, place: { path: shown.path, line: shown.line } }] : [];
  });
}

/** Whether another sentence names it. */
export const isKnown = (name: string) =>
  [DATABASES, BROKERS, USER_INTERFACES, COMMAND_LINES, AUTH_LIBRARIES].some((known) =>
    known.some(([, pattern]) => pattern.test(name)),
  );
