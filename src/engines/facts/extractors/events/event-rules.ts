/** Rules for calls that publish or consume, for each library. */
import type { Call, Code, TokenRange } from '../code/read-code.ts';
import { option, stringList, stringValue } from '../code/values.ts';

export interface EventName {
  value: string;
  line?: number;
}

export interface EventRule {
  languages: string;
  /** The module that the receiver comes from. */
  module: RegExp;
  detail: string;
  role: 'provides' | 'uses';
  /** The last name of the call. */
  call: RegExp;
  /** The names that the call is about. */
  names(code: Code, call: Call): EventName[];
  isAnnotation?: boolean;
  /** Must match the receiver, as a path of names since the import. */
  origin?: RegExp;
}

type Names = EventRule['names'];

const values = (code: Code, range: TokenRange | undefined): EventName[] => stringList(code, range);

const argument =
  (index: number): Names =>
  (code, call) =>
    values(code, call.args[index]);

const named =
  (...keys: string[]): Names =>
  (code, call) =>
    keys.map((key) => values(code, option(code, call, key))).find((found) => found.length > 0) ?? [];

/** The option if it's there, else the argument. */
const namedOr =
  (index: number, ...keys: string[]): Names =>
  (code, call) => {
    const found = named(...keys)(code, call);
    const range = call.args[index];
    const isNamed = range && /^[=:]$/.test(code.tokens[range.start + 1]?.text ?? '');
    return found.length > 0 || isNamed ? found : values(code, range);
  };

/** Exchange and routing key: the key is the name, unless it's empty. */
const routing =
  (exchange: number): Names =>
  (code, call) => {
    const find = (keys: string[], index: number) =>
      stringValue(code, keys.map((key) => option(code, call, key, 0)).find(Boolean) ?? call.args[index]);
    const value = find(['routing_key', 'routingKey'], exchange + 1) || find(['exchange'], exchange);
    return value ? [{ value }] : [];
  };

/** The last part of the URL or ARN of a queue or topic. */
const resource =
  (key: string): Names =>
  (code, call) =>
    named(key)(code, call).map(({ line, value }) => ({ line, value: value.replace(/^.*[/:]/s, '') }));

const convertAndSend: Names = (code, call) => (call.args.length > 2 ? routing(0) : argument(0))(code, call);
const detailType: Names = (code, call) => values(code, option(code, call, 'DetailType', 4));

const JS = 'javascript typescript';
const JVM = 'java kotlin';
const KAFKA_JS = /^(?:kafkajs|@confluentinc\/kafka-javascript)$/;
const KAFKA_PYTHON = /^(?:kafka|aiokafka)(?:\.|$)/;
const AMQP_JS = /^(?:amqplib|amqp-connection-manager)/;
const AMQP_PYTHON = /^(?:pika|aio_pika)(?:\.|$)/;
const AMQP_GO = /(?:amqp091-go|streadway\/amqp)$/;
const NATS_JS = /^(?:nats|@nats-io\/.*)$/;
const NATS_GO = /nats-io\/(?:nats\.go|stan\.go)/;
const REDIS_GO = /(?:go-redis\/redis|redis\/go-redis)/;
const PUBSUB_GO = /cloud\.google\.com\/go\/pubsub/;
const annotation = { isAnnotation: true };
const template = { origin: /^(?:KafkaTemplate|RabbitTemplate|AmqpTemplate|JmsTemplate)/ };

type Row = [
  languages: string,
  module: RegExp,
  detail: string,
  role: 'provides' | 'uses',
  call: RegExp,
  names: Names,
];
const rows: [...Row, Pick<EventRule, 'isAnnotation' | 'origin'>?][] = [
  [JS, KAFKA_JS, 'kafka', 'provides', /^send$/, named('topic')],
  [JS, KAFKA_JS, 'kafka', 'uses', /^subscribe$/, named('topics', 'topic')],
  ['python', KAFKA_PYTHON, 'kafka', 'provides', /^(?:send|send_and_wait)$/, namedOr(0, 'topic')],
  ['python', KAFKA_PYTHON, 'kafka', 'uses', /^(?:AIO)?KafkaConsumer$/, argument(0)],
  ['python', KAFKA_PYTHON, 'kafka', 'uses', /^subscribe$/, namedOr(0, 'topics')],
  ['python', /^confluent_kafka(?:\.|$)/, 'kafka', 'uses', /^subscribe$/, namedOr(0, 'topics')],
  ['python', /^confluent_kafka(?:\.|$)/, 'kafka', 'provides', /^produce$/, namedOr(0, 'topic')],
  ['go', /sarama$/, 'kafka', 'provides', /^ProducerMessage$/, named('Topic')],
  ['go', /sarama$/, 'kafka', 'uses', /^ConsumePartition$/, argument(0)],
  ['go', /sarama$/, 'kafka', 'uses', /^Consume$/, argument(1)],
  ['go', /segmentio\/kafka-go$/, 'kafka', 'provides', /^(?:Writer|WriterConfig|Message)$/, named('Topic')],
  ['go', /segmentio\/kafka-go$/, 'kafka', 'uses', /^ReaderConfig$/, named('Topic')],
  ['go', /confluent-kafka-go/, 'kafka', 'uses', /^Subscribe(?:Topics)?$/, argument(0)],
  [JVM, /^org\.springframework\.kafka/, 'kafka', 'provides', /^send$/, argument(0), template],
  [JVM, /^org\.springframework\.kafka/, 'kafka', 'uses', /^KafkaListener$/, named('topics'), annotation],
  [JVM, /^org\.apache\.kafka/, 'kafka', 'provides', /^ProducerRecord$/, argument(0)],
  ['csharp', /^Confluent\.Kafka/, 'kafka', 'provides', /^Produce(?:Async)?$/, argument(0)],
  ['csharp', /^Confluent\.Kafka/, 'kafka', 'uses', /^Subscribe$/, argument(0)],

  [JS, AMQP_JS, 'rabbitmq', 'provides', /^sendToQueue$/, argument(0)],
  [JS, AMQP_JS, 'rabbitmq', 'provides', /^publish$/, routing(0)],
  [JS, AMQP_JS, 'rabbitmq', 'uses', /^consume$/, argument(0)],
  ['python', AMQP_PYTHON, 'rabbitmq', 'provides', /^basic_publish$/, routing(0)],
  ['python', AMQP_PYTHON, 'rabbitmq', 'uses', /^basic_consume$/, namedOr(0, 'queue')],
  ['go', AMQP_GO, 'rabbitmq', 'provides', /^Publish$/, routing(0)],
  ['go', AMQP_GO, 'rabbitmq', 'provides', /^PublishWithContext$/, routing(1)],
  ['go', AMQP_GO, 'rabbitmq', 'uses', /^Consume$/, argument(0)],
  [JVM, /^org\.springframework\.amqp/, 'rabbitmq', 'provides', /^convertAndSend$/, convertAndSend, template],
  [JVM, /^org\.springframework\.amqp/, 'rabbitmq', 'uses', /^RabbitListener$/, named('queues'), annotation],
  [JVM, /^org\.springframework\.amqp/, 'rabbitmq', 'uses', /^(?:set|add)QueueNames$/, argument(0)],
  [JVM, /^org\.springframework\.jms/, 'jms', 'provides', /^convertAndSend$/, argument(0), template],
  [JVM, /^org\.springframework\.jms/, 'jms', 'uses', /^JmsListener$/, named('destination'), annotation],
  ['csharp', /^RabbitMQ\.Client/, 'rabbitmq', 'provides', /^BasicPublish(?:Async)?$/, routing(0)],
  ['csharp', /^RabbitMQ\.Client/, 'rabbitmq', 'uses', /^BasicConsume(?:Async)?$/, namedOr(0, 'queue')],

  [JS, NATS_JS, 'nats', 'provides', /^(?:publish|request)$/, argument(0)],
  [JS, NATS_JS, 'nats', 'uses', /^subscribe$/, argument(0)],
  ['go', NATS_GO, 'nats', 'provides', /^(?:Publish|PublishAsync|Request)$/, argument(0)],
  ['go', NATS_GO, 'nats', 'uses', /^(?:Queue)?Subscribe(?:Sync)?$/, argument(0)],
  ['python', /^nats(?:\.|$)/, 'nats', 'provides', /^(?:publish|request)$/, argument(0)],
  ['python', /^nats(?:\.|$)/, 'nats', 'uses', /^subscribe$/, argument(0)],

  [JS, /^(?:redis|ioredis)$/, 'redis', 'provides', /^(?:publish|xAdd|xadd)$/, argument(0)],
  [JS, /^(?:redis|ioredis)$/, 'redis', 'uses', /^p?[sS]ubscribe$/, argument(0)],
  ['python', /^redis(?:\.|$)/, 'redis', 'provides', /^(?:publish|xadd)$/, argument(0)],
  ['python', /^redis(?:\.|$)/, 'redis', 'uses', /^p?subscribe$/, argument(0)],
  ['go', REDIS_GO, 'redis', 'provides', /^Publish$/, argument(1)],
  ['go', REDIS_GO, 'redis', 'provides', /^XAddArgs$/, named('Stream')],
  ['go', REDIS_GO, 'redis', 'uses', /^P?Subscribe$/, argument(1)],

  [JS, /^(?:bullmq|bull|bee-queue)$/, 'bull', 'provides', /^(?:Queue|Bull|BeeQueue)$/, argument(0)],
  [JS, /^bullmq$/, 'bull', 'uses', /^Worker$/, argument(0)],
  [JS, /^@nestjs\/bull(?:mq)?$/, 'bull', 'uses', /^Processor$/, namedOr(0, 'name'), annotation],
  [JS, /^@nestjs\/bull(?:mq)?$/, 'bull', 'provides', /^InjectQueue$/, argument(0), annotation],
  [JS, /^@nestjs\/microservices$/, 'nestjs', 'uses', /^(?:Event|Message)Pattern$/, argument(0), annotation],
  [
    JS,
    /^@nestjs\/microservices$/,
    'nestjs',
    'provides',
    /^(?:emit|send)$/,
    argument(0),
    { origin: /^Client/ },
  ],
  ['go', /hibiken\/asynq$/, 'asynq', 'provides', /^NewTask$/, argument(0)],
  ['go', /hibiken\/asynq$/, 'asynq', 'uses', /^HandleFunc$/, argument(0)],

  [JS, /^@aws-sdk\/client-sqs$/, 'sqs', 'provides', /^SendMessage(?:Batch)?Command$/, resource('QueueUrl')],
  [JS, /^@aws-sdk\/client-sqs$/, 'sqs', 'uses', /^ReceiveMessageCommand$/, resource('QueueUrl')],
  [JS, /^@aws-sdk\/client-sns$/, 'sns', 'provides', /^PublishCommand$/, resource('TopicArn')],
  [JS, /^@aws-sdk\/client-eventbridge$/, 'eventbridge', 'provides', /^PutEventsCommand$/, detailType],
  ['python', /^boto3$/, 'sqs', 'provides', /^send_message$/, resource('QueueUrl')],
  ['python', /^boto3$/, 'sqs', 'uses', /^receive_message$/, resource('QueueUrl')],
  ['python', /^boto3$/, 'sns', 'provides', /^publish$/, resource('TopicArn')],
  ['go', /service\/sqs$/, 'sqs', 'provides', /^SendMessageInput$/, resource('QueueUrl')],
  ['go', /service\/sqs$/, 'sqs', 'uses', /^ReceiveMessageInput$/, resource('QueueUrl')],
  ['go', /service\/sns$/, 'sns', 'provides', /^PublishInput$/, resource('TopicArn')],
  [JVM, /^io\.awspring/, 'sqs', 'uses', /^SqsListener$/, namedOr(0, 'value', 'queueNames'), annotation],
  [JS, /^@google-cloud\/pubsub$/, 'pubsub', 'provides', /^topic$/, argument(0)],
  [JS, /^@google-cloud\/pubsub$/, 'pubsub', 'uses', /^subscription$/, argument(0)],
  ['python', /^google\.cloud/, 'pubsub', 'provides', /^topic_path$/, argument(1)],
  ['python', /^google\.cloud/, 'pubsub', 'uses', /^subscription_path$/, argument(1)],
  ['go', PUBSUB_GO, 'pubsub', 'provides', /^(?:Topic|Publisher)$/, argument(0)],
  ['go', PUBSUB_GO, 'pubsub', 'uses', /^(?:Subscription|Subscriber)$/, argument(0)],
  ['csharp', /^Azure\.Messaging\.ServiceBus/, 'service bus', 'provides', /^CreateSender$/, argument(0)],
  [
    'csharp',
    /^Azure\.Messaging\.ServiceBus/,
    'service bus',
    'uses',
    /^Create(?:Receiver|Processor)$/,
    argument(0),
  ],
];

export const EVENT_RULES: EventRule[] = rows.map(([languages, module, detail, role, call, names, more]) => ({
  languages,
  module,
  detail,
  role,
  call,
  names,
  ...more,
}));
