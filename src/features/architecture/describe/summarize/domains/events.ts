/** The EVENTS domain: topics, queues and jobs, and the brokers behind them. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { BROKERS, findKnown } from '../known-software.ts';
import { listSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';
import { subjectsOf } from './business-logic.ts';

const EVENT_PATH =
  /(?:^|\/)(?:events?|listeners?|jobs?|queues?|workers?|consumers?|publishers?|subscribers?|subscriptions?|tasks|notifications?|notification-providers|webhooks?|mailers?|messaging|integrationevents)\/|(?:event|job|listener|consumer|producer|publisher|subscriber|worker|queue|webhook)s?\.\w+$/i;

export function describeEvents(code: DescribedCode): (Sentence | null)[] {
  const paths = code.sources.filter((path) => EVENT_PATH.test(path));
  return [
    listSentence('It publishes ', distinct(code.of('event')), { maxItems: 60 }),
    listSentence('It consumes ', distinct(code.of('event', 'uses')), { maxItems: 60 }),
    listSentence('Messages and jobs go through ', findKnown(code, BROKERS)),
    listSentence('Its events, jobs and notifications are about ', subjectsOf(paths, code), {
      maxCharacters: 1200,
      maxItems: 80,
    }),
  ];
}
