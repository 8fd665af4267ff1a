/** Parses in a thread of its own, which the page ends when it takes too long. */
import { parseMarkdown } from './parse.ts';

addEventListener('message', ({ data }: MessageEvent<{ source: string }>) =>
  postMessage(parseMarkdown(data.source)),
);
