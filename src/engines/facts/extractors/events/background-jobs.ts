/** Jobs and messages named after a class or function: Celery, Sidekiq, ActiveJob, Laravel, MassTransit, NServiceBus. */
import type { FileSource } from '../../extractor.ts';
import { type Code, readCode } from '../code/read-code.ts';
import { option, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';

type Add = (role: 'provides' | 'uses', name: string, line: number, detail: string) => void;

const READERS: Record<string, { words: RegExp; read(file: FileSource, add: Add): void }> = {
  python: { words: /celery|shared_task|\.delay\(|\.apply_async\(|dramatiq/, read: readPython },
  ruby: { words: /perform_(?:async|later|in)\b|Sidekiq::|ApplicationJob|ActiveJob/, read: readRuby },
  php: { words: /ShouldQueue|dispatch/, read: readPhp },
  csharp: { words: /MassTransit|NServiceBus|IntegrationEvent/, read: readCSharp },
};

export function readBackgroundJobs(file: FileSource, facts: FactList): void {
  const reader = READERS[file.language ?? ''];
  if (!reader?.words.test(file.text)) return;
  reader.read(file, (role, name, line, detail) => facts.add({ kind: 'event', role, name, line, detail }));
}

function readPython(file: FileSource, add: Add): void {
  const code = readCode(file);
  // Large projects import the app from a module of their own, such as `celeryconf`.
  const isCelery = file.imports.some(({ module }) => /celery/.test(module));
  for (const call of code.calls) {
    const name = call.chain.at(-1)!;
    const isTask = name === 'shared_task' || (name === 'task' && call.chain.length > 1);
    if (
      call.isAnnotation &&
      ((isTask && isCelery) || (name === 'actor' && call.origin?.module === 'dramatiq'))
    ) {
      const task = stringValue(code, option(code, call, 'name', 0)) ?? functionBehind(code, call.end + 1);
      if (task) add('uses', task, call.line, isTask ? 'celery' : 'dramatiq');
    }
    const receiver = call.chain.at(-2);
    if ((name === 'delay' || name === 'apply_async') && receiver && /^[a-z_]\w*$/.test(receiver)) {
      // A task that this file defines or imports; other things have a `delay` too.
      const isKnown =
        code.bindings.names.has(receiver) || file.symbols.some((symbol) => symbol.name === receiver);
      if (isKnown) add('provides', receiver, call.line, 'celery');
    }
    if (name === 'send_task' && isCelery) {
      const task = stringValue(code, call.args[0]);
      if (task) add('provides', task, call.line, 'celery');
    }
  }
}

/** The function that a decorator stands before, behind other decorators. */
function functionBehind(code: Code, from: number): string | null {
  for (let i = from; i < from + 200 && i < code.tokens.length; i += 1) {
    if (code.partners[i]! > i) i = code.partners[i]!;
    else if (code.tokens[i]!.text === 'def') return code.tokens[i + 1]?.text ?? null;
    else if (code.tokens[i]!.text === 'class') return null;
  }
  return null;
}

function readRuby(file: FileSource, add: Add): void {
  const code = readCode(file);
  for (const one of code.classes) {
    const body = code.tokens.slice(one.start, Math.min(one.end, one.start + 30)).map(({ text }) => text);
    const isSidekiq = /include Sidekiq :: (?:Job|Worker)/.test(body.join(' '));
    const isActiveJob = one.heritage.some((name) => name === 'ApplicationJob' || name === 'ActiveJob');
    if (!/^[A-Z]/.test(one.name) || one.name === 'ApplicationJob') continue;
    if (isSidekiq || isActiveJob) add('uses', one.name, one.line, isSidekiq ? 'sidekiq' : 'activejob');
  }
  for (const call of code.calls) {
    const method = call.chain.at(-1)!;
    // `Mail.set(wait: 1).perform_later` too.
    const receiver = call.previous ? call.previous.chain.at(-2) : call.chain.at(-2);
    if (!receiver || !/^[A-Z]\w*$/.test(receiver)) continue;
    if (/^perform_(?:async|in|at)$/.test(method)) add('provides', receiver, call.line, 'sidekiq');
    if (method === 'perform_later') add('provides', receiver, call.line, 'activejob');
  }
}

function readPhp(file: FileSource, add: Add): void {
  const code = readCode(file);
  for (const one of code.classes) {
    const isQueued = one.heritage.includes('ShouldQueue') && /(?:^|\/)Jobs\//.test(file.path);
    if (isQueued) add('uses', one.name, one.line, 'laravel');
  }
  const isJob = (name: string | undefined): name is string =>
    name !== undefined && /\\Jobs(?:\\|$)/.test(code.bindings.names.get(name)?.module ?? '');
  for (const call of code.calls) {
    const name = call.chain.at(-1)!;
    if (/^dispatch/.test(name) && isJob(call.chain[0])) add('provides', call.chain[0], call.line, 'laravel');
    if (!/^(?:dispatch|dispatchSync|dispatchNow)$/.test(name) || !call.args[0]) continue;
    const { start } = call.args[0];
    const job = code.tokens[start]?.text === 'new' ? code.tokens[start + 1]?.text : undefined;
    if (isJob(job)) add('provides', job, call.line, 'laravel');
  }
}

const HANDLERS: Record<string, string> = {
  IConsumer: 'masstransit',
  IHandleMessages: 'nservicebus',
  IIntegrationEventHandler: 'integration event',
};

function readCSharp(file: FileSource, add: Add): void {
  const code = readCode(file);
  const library = /NServiceBus/.test(file.text)
    ? 'nservicebus'
    : /MassTransit/.test(file.text)
      ? 'masstransit'
      : null;
  for (const one of code.classes) {
    for (const [index, name] of one.heritage.entries()) {
      const detail = HANDLERS[name];
      const message = one.heritage[index + 1];
      // One letter, or `TEvent`, is a type parameter.
      if (detail && message && !/^(?:in|where|T|T[A-Z]\w*)$/.test(message))
        add('uses', message, one.line, detail);
    }
  }
  for (const call of code.calls) {
    const name = call.chain.at(-1)!;
    const isMade = code.tokens[call.index - 1]?.text === 'new';
    if (isMade && /\w+IntegrationEvent$/.test(name)) add('provides', name, call.line, 'integration event');
    if (!library || !/^(?:Publish|Send)(?:Async)?$/.test(name)) continue;
    const published = publishedType(code, call.index + 2 * call.chain.length - 1, call.args[0]?.start);
    if (published) add('provides', published, call.line, library);
  }
}

/** `Publish<Message>(…)` or `Publish(new Message…)`. */
function publishedType(code: Code, behindName: number, argument: number | undefined): string | null {
  const isTyped = code.tokens[behindName]?.text === '<' && code.tokens[behindName + 2]?.text === '>';
  if (isTyped) return code.tokens[behindName + 1]!.text;
  if (argument === undefined || code.tokens[argument]?.text !== 'new') return null;
  const type = code.tokens[argument + 1];
  return type?.kind === 'word' ? type.text : null;
}
