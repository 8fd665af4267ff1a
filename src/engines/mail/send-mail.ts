/** Hands one message to the mail server and says what became of it. */
import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isUntrusted, UNTRUSTED_CERTIFICATE } from '../../platform/core/network/outgoing-network.ts';
import type { MailServer } from '../../platform/core/ports/mail-server.ts';

const CONNECT_WITHIN_MS = 10_000;
const SILENT_FOR_MS = 30_000;
const NOTE_CHARACTERS = 300;

export interface MailMessage {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** With angle brackets. */
  messageId: string;
  /** The message that starts the thread, with angle brackets. */
  thread?: string;
  headers?: Record<string, string>;
}

/**
 * `refused`: the server will never accept it. `retry`: the server certainly doesn't have it. `unclear`: the connection was lost
 * after the message was handed over, before the server answered; it may have been delivered.
 */
export type MailOutcome =
  | { result: 'sent' }
  | { result: 'refused' | 'retry' | 'unclear'; note: string; serverFailed: boolean };

interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  originalCode?: string;
}

function connectionTo(server: MailServer): SMTPConnection {
  return new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.credentials !== undefined,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: SILENT_FOR_MS,
  });
}

async function signIn(connection: SMTPConnection, { credentials }: MailServer): Promise<void> {
  await step(connection, (done) => connection.connect(done));
  if (credentials) await step(connection, (done) => connection.login({ credentials }, done));
}

/** Undefined if the server accepts our credentials; otherwise what it said. */
export async function checkMailServer(server: MailServer): Promise<string | undefined> {
  const connection = connectionTo(server);
  try {
    await signIn(connection, server);
    connection.quit();
    return undefined;
  } catch (error) {
    connection.close();
    return noteOn(error as SmtpError);
  }
}

export async function sendMail(server: MailServer, message: MailMessage): Promise<MailOutcome> {
  const composed = new MailComposer({
    from: server.from,
    to: message.to,
    // Otherwise a mail program would decode what someone wrote to look like an encoded word.
    subject: message.subject.replaceAll('=?', '= ?'),
    text: message.text,
    html: message.html,
    messageId: message.messageId,
    ...(message.thread && { inReplyTo: message.thread, references: message.thread }),
    headers: message.headers ?? {},
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const content = await composed.build();
  const connection = connectionTo(server);
  let handedOver = false;
  const body = new Readable({
    read() {
      handedOver = true;
      this.push(content);
      this.push(null);
    },
  });
  let connected = false;
  try {
    await signIn(connection, server);
    connected = true;
    await step(connection, (done) => connection.send(composed.getEnvelope(), body, done));
    connection.quit();
    return { result: 'sent' };
  } catch (error) {
    connection.close();
    return outcomeOf(error as SmtpError, { connected, handedOver });
  }
}

/** The connection reports some failures by its callback and others by an event. */
function step(
  connection: SMTPConnection,
  run: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  connection.once('error', reject);
  run((error) => (error ? reject(error) : resolve()));
  return promise;
}

/** The library replaces the code of a TLS failure with its own. */
function noteOn({ message, originalCode }: SmtpError): string {
  return (isUntrusted(originalCode) ? UNTRUSTED_CERTIFICATE : message).slice(0, NOTE_CHARACTERS);
}

function outcomeOf(
  error: SmtpError,
  { connected, handedOver }: { connected: boolean; handedOver: boolean },
): MailOutcome {
  const note = noteOn(error);
  const { responseCode } = error;
  // A server that refuses everyone, for example a wrong password, is the operator's to repair: the message waits.
  if (!connected) return { result: 'retry', note, serverFailed: true };
  if (responseCode !== undefined) {
    return { result: responseCode >= 500 ? 'refused' : 'retry', note, serverFailed: false };
  }
  return { result: handedOver ? 'unclear' : 'retry', note, serverFailed: true };
}
