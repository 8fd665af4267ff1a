/** Requests of the benchmarks, over keep-alive connections. `fetch` takes longer, and asks for compressed replies. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';

export interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

const agent = new Agent({ keepAlive: true });

/** Returns the whole reply. */
export async function send({ body, headers, method, url }: Sent): Promise<string> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = request(url, { method, agent, headers: { ...headers, ...length } });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let received = '';
  for await (const chunk of response.setEncoding('utf8')) received += chunk;
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${received}`);
  if (received.includes('"isError":true')) throw new Error(received);
  return received;
}

/** Milliseconds per call, run one after another. */
export async function timePerCall(sent: Sent, count: number): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await send(sent);
  return (performance.now() - started) / count;
}
