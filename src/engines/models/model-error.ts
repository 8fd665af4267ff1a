/** Why a model gave no usable answer. */

export type ModelErrorCode =
  /** The key was refused. */
  | 'unauthorized'
  /** Too many requests, or the account has no credit left. */
  | 'rate_limited'
  /** No connection, no reply in time, or an error of the server. */
  | 'unavailable'
  /** The request was refused, for example because the model doesn't exist. */
  | 'refused'
  /** The reply was cut off or can't be read. */
  | 'unexpected_reply';

export class ModelError extends Error {
  readonly code: ModelErrorCode;
  /** The server's message as one short line; for administrators. */
  readonly said: string;

  constructor(code: ModelErrorCode, message: string, options: { said?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.said = options.said ?? '';
  }
}
