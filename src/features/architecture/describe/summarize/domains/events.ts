/** The EVENTS domain: topics, queues and jobs, and the brokers behind them. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isUi } from '../kinds-of-paths.ts';
import { BROKERS, findKnown } from '../known-software.ts';
import { foldersNamed } from '../main-folders.ts';
import { listSentence, someSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

const BACKGROUND_FOLDER =
  /^(?:jobs?|queues?|workers?|consumers?|publishers?|subscribers?|event-?_?(?:handlers|listeners)|integrationevents|sidekiq)$/i;
/** Pages about jobs, and messages that are only written there. */
const SHOWS = /(?:^|\/)(?:ui|web|frontend|client|views?|templates?|pages|components|controllers)\//i;

export function describeEvents(code: DescribedCode): (Sentence | null)[] {
  const published = distinct(code.of('event'));
  const consumed = distinct(code.of('event', 'uses'));
  const paths = code.sources.filter((path) => !isUi(path) && !SHOWS.test(path));
  return [
    someSentence('It publishes events and jobs such as ', published),
    someSentence('It handles events and jobs such as ', consumed),
    listSentence('Messages and jobs go through ', findKnown(code, BROKERS)),
    listSentence('Background work is in ', foldersNamed(paths, BACKGROUND_FOLDER)),
  ];
}
