/** The EVENTS domain: topics, queues and jobs, and the brokers behind them. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { BROKERS, findKnown } from '../known-software.ts';
import { foldersNamed } from '../main-folders.ts';
import { listSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

const BACKGROUND_FOLDER =
  /^(?:jobs?|queues?|workers?|consumers?|publishers?|subscribers?|event-?_?(?:handlers|listeners)|integrationevents|mailers?|sidekiq)$/i;

export function describeEvents(code: DescribedCode): (Sentence | null)[] {
  const published = distinct(code.of('event'));
  const consumed = distinct(code.of('event', 'uses'));
  return [
    listSentence('It publishes ', published, {
      some: `It publishes ${published.length} events and jobs, among them `,
    }),
    listSentence('It handles ', consumed, {
      some: `It handles ${consumed.length} events and jobs, among them `,
    }),
    listSentence('Messages and jobs go through ', findKnown(code, BROKERS)),
    listSentence('Background work is in ', foldersNamed(code.sources, BACKGROUND_FOLDER)),
  ];
}
