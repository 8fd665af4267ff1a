/**
 * Draws diagrams inside a sandboxed frame: no cookies, no storage, no network, no access to the page around it. That page sends
 * the source of a diagram and receives SVG text, which it shows as an image, where no script can run.
 */
import mermaid, { type MermaidConfig } from 'mermaid';
import type { DrawAnswer, DrawRequest } from './markdown/diagram/draw-messages.ts';

const FONT =
  'ui-sans-serif, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';

const LIGHT = {
  darkMode: false,
  background: '#ffffff',
  edgeLabelBackground: '#ffffff',
  primaryColor: '#eef0ff',
  primaryTextColor: '#16191d',
  primaryBorderColor: '#8b8fe0',
  secondaryColor: '#f6f7f9',
  tertiaryColor: '#fff4dc',
  noteBkgColor: '#fff4dc',
  noteTextColor: '#7a4d00',
  noteBorderColor: '#e0c48a',
  gridColor: '#e3e6ea',
  lineColor: '#57606a',
  textColor: '#16191d',
};

const DARK = {
  darkMode: true,
  background: '#101214',
  edgeLabelBackground: '#101214',
  primaryColor: '#232544',
  primaryTextColor: '#e8eaed',
  primaryBorderColor: '#6f74d6',
  secondaryColor: '#181b1f',
  tertiaryColor: '#352710',
  noteBkgColor: '#352710',
  noteTextColor: '#f2c268',
  noteBorderColor: '#6b5324',
  gridColor: '#2a2f35',
  lineColor: '#a0a8b1',
  textColor: '#e8eaed',
};

/** Settings that a diagram's own directives can't change: security, limits and the app's appearance. */
const SETTLED = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'suppressErrorRendering',
  'maxTextSize',
  'maxEdges',
  'dompurifyConfig',
  'theme',
  'themeCSS',
  'themeVariables',
  'darkMode',
  'fontFamily',
  'altFontFamily',
  'htmlLabels',
  'layout',
  'look',
  'elk',
];

const SHARED: MermaidConfig = {
  secure: SETTLED,
  securityLevel: 'strict',
  startOnLoad: false,
  suppressErrorRendering: true,
  maxTextSize: 20_000,
  maxEdges: 300,
  look: 'classic',
  layout: 'dagre',
  theme: 'base',
  fontFamily: FONT,
  htmlLabels: true,
  // A label may contain nothing that loads, links or styles itself.
  dompurifyConfig: {
    ALLOWED_TAGS: ['b', 'br', 'code', 'del', 'em', 'i', 'p', 'small', 'span', 'strong', 'sub', 'sup', 'u'],
    ALLOWED_ATTR: ['class'],
  },
};

addEventListener('message', ({ data, source }: MessageEvent<DrawRequest>) => {
  if (source !== parent) return;
  draw(data).then(answer, (error) => answer({ kind: 'failed', message: messageOf(error) }));
});
answer({ kind: 'ready' });

function answer(message: DrawAnswer): void {
  // The page's origin is unknown in here, and the reply isn't confidential.
  parent.postMessage(message, '*');
}

async function draw({ source, dark }: DrawRequest): Promise<DrawAnswer> {
  mermaid.initialize({ ...SHARED, themeVariables: dark ? DARK : LIGHT });
  const { svg } = await mermaid.render('diagram', source);
  const image = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  const box = image?.viewBox.baseVal;
  if (!image || !box || !(box.width > 0 && box.height > 0))
    return { kind: 'failed', message: 'There is nothing to draw.' };
  image.setAttribute('width', String(box.width));
  image.setAttribute('height', String(box.height));
  // Images are parsed as XML, which is stricter than Mermaid's output.
  const text = new XMLSerializer().serializeToString(image);
  return { kind: 'drawn', svg: text, width: box.width, height: box.height };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
