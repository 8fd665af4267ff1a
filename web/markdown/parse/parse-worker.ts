/** Parses in a worker, which the page terminates when it takes too long. */
import { parseMarkdown } from './parse.ts';

addEventListener('message', ({ data }: MessageEvent<{ source: string }>) =>
  postMessage(parseMarkdown(data.source)),
);
