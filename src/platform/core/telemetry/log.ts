/** The logger, passed to everything as an argument: readable on a terminal, JSON otherwise, never with secrets. */
import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Nothing logs a secret on purpose; if one ends up in a log object under one of these names, its value is replaced. */
const SECRET_NAMES = new Set([
  'password',
  'currentPassword',
  'newPassword',
  'passwordHash',
  'secret',
  'token',
  'cookie',
  'authorization',
  'x-api-key',
  'headers',
  'body',
]);

let lastMs = 0;
let lastTimestamp = '';

/** The time as pino adds it to a line, formatted once per millisecond: a busy service writes many lines in each. */
function timestamp(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTimestamp = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTimestamp;
}

function settingsFor(level: string) {
  return {
    level,
    base: undefined,
    timestamp,
    serializers: { err: withoutRows },
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecrets },
  };
}

function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields) {
    if (SECRET_NAMES.has(name)) {
      return Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, SECRET_NAMES.has(key) ? '[hidden]' : value]),
      );
    }
  }
  return fields;
}

export function createLog(options: {
  level: string;
  terminal: boolean;
  destination?: 'stdout' | 'stderr' | DestinationStream;
}): Log {
  const { destination = 'stdout', level, terminal } = options;
  if (typeof destination === 'object') return pino(settingsFor(level), destination);
  const descriptor = destination === 'stderr' ? 2 : 1;
  if (!terminal)
    return pino(
      settingsFor(level),
      pino.destination({ dest: descriptor, sync: false, minLength: 16_000, periodicFlush: 100 }),
    );
  return pino(
    settingsFor(level),
    pretty({
      colorize: true,
      translateTime: 'SYS:HH:MM:ss.l',
      singleLine: true,
      destination: descriptor,
      sync: true,
    }),
  );
}

/** PostgreSQL repeats whole rows in an error's detail, including password hashes; its message and code are enough. */
function withoutRows(error: Error) {
  const {
    detail: _detail,
    where: _where,
    ...shown
  } = pino.stdSerializers.err(error) as Record<string, unknown>;
  return shown;
}
