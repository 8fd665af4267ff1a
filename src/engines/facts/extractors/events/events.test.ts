/** Publishers and consumers of each library. */
import { expect, it } from 'vitest';
import { describeFacts } from '../describe-facts.ts';
import { events } from './index.ts';

const CASES: [name: string, path: string, text: string, events: string[]][] = [
  [
    'kafkajs',
    'a.ts',
    `import { Kafka } from 'kafkajs';
const kafka = new Kafka({});
const producer = kafka.producer();
const TOPIC = 'orders.created';
await producer.send({ topic: TOPIC, messages: [] });
const consumer = kafka.consumer({ groupId: 'x' });
await consumer.subscribe({ topics: ['payments', \`dead-\${x}\`] });
emitter.send({ topic: 'no' });`,
    ['provides orders.created @5 kafka', 'uses payments @7 kafka'],
  ],
  ['no library', 'a.ts', "producer.send({ topic: 'x' });", []],
  [
    'amqplib',
    'a.js',
    "const amqp = require('amqplib');\nconst conn = await amqp.connect(url);\nconst ch = await conn.createChannel();\nch.sendToQueue('mail', b);\nch.publish('shop', 'order.paid', b);\nch.consume('mail', f);",
    ['provides mail @4 rabbitmq', 'provides order.paid @5 rabbitmq', 'uses mail @6 rabbitmq'],
  ],
  [
    'bullmq',
    'a.ts',
    "import { Queue, Worker } from 'bullmq';\nconst q = new Queue('emails');\nnew Worker('emails', run);",
    ['provides emails @2 bull', 'uses emails @3 bull'],
  ],
  [
    'python clients',
    'a.py',
    `from kafka import KafkaConsumer, KafkaProducer
import pika
producer = KafkaProducer()
producer.send('clicks', b'')
consumer = KafkaConsumer('views', group_id='a')
channel = pika.BlockingConnection().channel()
channel.basic_publish(exchange='', routing_key='tasks', body=b)
channel.basic_consume(queue='tasks', on_message_callback=f)`,
    [
      'provides clicks @4 kafka',
      'uses views @5 kafka',
      'provides tasks @7 rabbitmq',
      'uses tasks @8 rabbitmq',
    ],
  ],
  [
    'celery',
    'a.py',
    'from celery import shared_task\nfrom .other import resize\n@shared_task(bind=True)\ndef send_mail(self): ...\nsend_mail.delay(1)\nresize.apply_async()\ntimer.delay(5)',
    ['uses send_mail @3 celery', 'provides send_mail @5 celery', 'provides resize @6 celery'],
  ],
  [
    'go clients',
    'a.go',
    'package a\nimport (\n\t"github.com/IBM/sarama"\n\t"github.com/nats-io/nats.go"\n)\nfunc f() {\n\tmsg := sarama.ProducerMessage{Topic: "orders"}\n\tnc, err := nats.Connect(url)\n\tnc.Publish("updates", b)\n\tnc.QueueSubscribe("jobs", "q", f)\n}',
    ['provides orders @7 kafka', 'provides updates @9 nats', 'uses jobs @10 nats'],
  ],
  [
    'spring',
    'A.java',
    `import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
class A {
  private final KafkaTemplate<String, X> kafka;
  RabbitTemplate rabbitTemplate;
  @KafkaListener(topics = {"a", "b"}, groupId = "g") void on(X x) { kafka.send("c", x); }
  void f() { rabbitTemplate.convertAndSend("shipping-task", x); mail.send("no", x); }
}`,
    ['uses a @7 kafka', 'uses b @7 kafka', 'provides c @7 kafka', 'provides shipping-task @8 rabbitmq'],
  ],
  [
    'masstransit',
    'A.cs',
    'using MassTransit;\nclass A : IConsumer<OrderPaid> {\n  Task F(IBus bus) => bus.Publish(new OrderShipped(1));\n  Task G(IBus bus) => bus.Publish<OrderLost>(new { });\n}',
    [
      'uses OrderPaid @2 masstransit',
      'provides OrderShipped @3 masstransit',
      'provides OrderLost @4 masstransit',
    ],
  ],
  [
    'jobs in ruby',
    'a.rb',
    'class MailJob < ApplicationJob\nend\nclass HardWorker\n  include Sidekiq::Job\nend\nMailJob.set(wait: 1).perform_later(x)\nHardWorker.perform_async(1)',
    [
      'uses MailJob @1 activejob',
      'uses HardWorker @3 sidekiq',
      'provides MailJob @6 activejob',
      'provides HardWorker @7 sidekiq',
    ],
  ],
  [
    'jobs in php',
    'app/Http/A.php',
    '<?php\nuse App\\Jobs\\SendMail;\nSendMail::dispatch($x);\ndispatch(new SendMail($x));\nEvent::dispatch($y);',
    ['provides SendMail @3 laravel', 'provides SendMail @4 laravel'],
  ],
];

it.each(CASES)('finds events of %s', async (_name, path, text, expected) => {
  expect(await describeFacts(events, path, text)).toEqual(expected);
});
