/** The web app's own layers. From the service it imports only the types of contracts, and `engines/text`. */
import { expect, it } from 'vitest';
import { findCycle, isWithin, readFolder } from './source-files.ts';

/** The folders of the web app that each may import. */
const PLACES: Record<string, { imports: string[]; why: string }> = {
  api: { imports: [], why: 'calling the service knows no page' },
  components: { imports: ['api'], why: 'components are used by every page and know none' },
  frame: { imports: ['api', 'components'], why: 'the frame surrounds pages and knows none' },
  markdown: { imports: ['components', 'frame'], why: 'rendering text knows no page' },
  parts: {
    imports: ['api', 'components', 'frame', 'markdown', 'page-search.ts'],
    why: 'a part is shown by several pages and knows none',
  },
  pages: {
    imports: [
      ...['api', 'components', 'frame', 'markdown', 'parts', 'page-search.ts', 'name-device.ts'],
      'take-token.ts',
    ],
    why: 'pages do not know the table of routes that shows them',
  },
  'routes.tsx': {
    imports: ['api', 'frame', 'pages', 'page-search.ts'],
    why: 'the table lists pages and their addresses',
  },
  'main.tsx': {
    imports: ['api', 'components', 'frame', 'nonce.ts', 'routes.tsx'],
    why: 'the entry only puts the app on the page',
  },
  'mermaid-frame.ts': { imports: ['markdown'], why: 'the sandboxed frame that draws diagrams' },
  'page-search.ts': { imports: [], why: 'reading an address knows no page' },
  'name-device.ts': { imports: [], why: 'a pure function' },
  'nonce.ts': { imports: [], why: 'read before anything else' },
  'take-token.ts': { imports: [], why: 'a pure function' },
  'vite.config.ts': { imports: [], why: 'the build' },
};

const web = readFolder('web').filter(({ file }) => !file.startsWith('web/dist/'));
const imports = web.flatMap((entry) => entry.imports);

it('has a rule for everything in web', () => {
  const places = new Set(web.map(({ file }) => file.split('/')[1]!));
  expect([...places].sort()).toEqual(Object.keys(PLACES).sort());
});

it('imports only what its place may import', () => {
  const wrong = imports.flatMap(({ file, specifier, target }) => {
    if (!target?.startsWith('web/') || target.endsWith('.css')) return [];
    const [from, to] = [file.split('/')[1]!, target.split('/')[1]!];
    const rule = PLACES[from]!;
    return from === to || rule.imports.includes(to)
      ? []
      : [`${file} imports ${specifier}, but ${from} may not import ${to}: ${rule.why}`];
  });
  expect(wrong).toEqual([]);
});

it('imports no page from another: what two pages show is a part', () => {
  const pageOf = (file: string) => file.split('/')[2]!.replace(/\.tsx?$/, '');
  const wrong = imports.filter(
    ({ file, target }) =>
      file.startsWith('web/pages/') && target?.startsWith('web/pages/') && pageOf(file) !== pageOf(target),
  );
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

it('allows nothing that is not needed', () => {
  const unused = Object.entries(PLACES).flatMap(([place, rule]) =>
    rule.imports
      .filter(
        (allowed) =>
          !imports.some(
            ({ file, target }) => file.split('/')[1] === place && target?.split('/')[1] === allowed,
          ),
      )
      .map((allowed) => `${place} → ${allowed}`),
  );
  expect(unused).toEqual([]);
});

it('sees of the service the types of contracts, and the text engine, which imports nothing', () => {
  const wrong = imports.filter(
    ({ target, typeOnly }) =>
      target?.startsWith('src/') &&
      !(typeOnly && (target.endsWith('/contract.ts') || target === 'src/operation-types.ts')) &&
      target !== 'src/engines/text/index.ts',
  );
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  const ofTextEngine = readFolder('src/engines/text').flatMap(({ imports }) => imports);
  expect(ofTextEngine.filter(({ target }) => !target || !isWithin(target, 'engines/text'))).toEqual([]);
});

it('has no import cycles', () => {
  expect(findCycle(web)).toBeUndefined();
});
