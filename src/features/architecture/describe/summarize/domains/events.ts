/** The EVENTS domain: topics, queues and jobs, and the brokers behind them. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isUi } from '../kinds-of-paths.ts';
import { BROKERS, findKnown } from '../known-software.ts';
import { foldersNamed } from '../main-folders.ts';
import { someSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

const BACKGROUND_FOLDER =
  /^(?:jobs|queues?|workers?|consumers|event-?_?(?:handlers|listeners)|integrationevents|sidekiq)$/i;
/** Pages about jobs, and messages that are only written there. */
const SHOWS = /(?:^|\/)(?:ui|web|frontend|client|views?|templates?|pages|components|controllers)\//i;

/** A class of these languages has a file of its own name; another name there is that of a module around it. */
const isNamedAlike = ({ name, path }: PlacedFact) =>
  !/\.(?:rb|php)$/.test(path) ||
  plain(path.replace(/^.*\/|\.\w+$/gs, '')) === plain(name.replace(/^.*(?:::|\\)/s, ''));
const plain = (name: string) => name.replaceAll('_', '').toLowerCase();

export function describeEvents(code: DescribedCode): (Sentence | null)[] {
  const published = distinct(code.of('event'));
  const consumed = distinct(code.of('event', 'uses').filter(isNamedAlike));
  const paths = code.sources.filter((path) => !isUi(path) && !SHOWS.test(path));
  return [
    someSentence('It dispatches jobs, events or messages such as ', published),
    someSentence('It has handlers of jobs, events or messages such as ', consumed),
    someSentence('For jobs and messages it has clients or containers of ', findKnown(code, BROKERS)),
    someSentence('It has code for background work in ', foldersNamed(paths, BACKGROUND_FOLDER)),
  ];
}
