/** Reads the events of an operation that streams them and ends, such as a search. */
import { ApiProblem, addressOf, type CallInput, type CallOutput, Unreachable } from './client.ts';
import type { OperationName } from './operations.ts';

export type EventData<Name extends OperationName> =
  CallOutput<Name> extends AsyncIterable<{ data: infer Data }> ? Data : never;

/** The data of each event. Unlike `EventSource`, it reports what is wrong with the request, and never connects again. */
export async function* readEvents<Name extends OperationName>(
  name: Name,
  input: CallInput<Name>,
  signal: AbortSignal,
): AsyncGenerator<EventData<Name>> {
  let response: Response;
  try {
    response = await fetch(addressOf(name, input), { signal, credentials: 'same-origin' });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Unreachable(error);
  }
  if (!response.ok) throw new ApiProblem(response.status, await response.json().catch(() => ({})), undefined);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += next.value;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as EventData<Name>;
    }
  }
}
