/** Syntax highlighting in a worker, which the page can terminate. */
import { createCssVariablesTheme, createHighlighterCore, type LanguageInput } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { LOADED } from '../reusable-worker.ts';
import { type ColoredWord, type ColorRequest, KINDS } from './code-colors.ts';
import type { Language } from './languages.ts';

/** Each grammar is loaded when the first code in its language is shown. */
const GRAMMARS: Record<Language, LanguageInput> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  dart: () => import('shiki/langs/dart.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  dotenv: () => import('shiki/langs/dotenv.mjs'),
  elixir: () => import('shiki/langs/elixir.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  graphql: () => import('shiki/langs/graphql.mjs'),
  haskell: () => import('shiki/langs/haskell.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  http: () => import('shiki/langs/http.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsonc: () => import('shiki/langs/jsonc.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  nginx: () => import('shiki/langs/nginx.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  powershell: () => import('shiki/langs/powershell.mjs'),
  proto: () => import('shiki/langs/proto.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  r: () => import('shiki/langs/r.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  scala: () => import('shiki/langs/scala.mjs'),
  scss: () => import('shiki/langs/scss.mjs'),
  shellsession: () => import('shiki/langs/shellsession.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  terraform: () => import('shiki/langs/terraform.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
  zig: () => import('shiki/langs/zig.mjs'),
};

const THEME = createCssVariablesTheme({ name: 'kinds', variablePrefix: '--' });
const KIND_BY_COLOR = new Map(KINDS.map((kind) => [`var(--token-${kind})`, kind]));
KIND_BY_COLOR.set('var(--token-string-expression)', 'string');

const highlighter = createHighlighterCore({
  themes: [THEME],
  langs: [],
  // Rules that the browser's regular expressions can't express are skipped.
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

addEventListener('message', ({ data }: MessageEvent<ColorRequest>) => {
  color(data).then(
    (words) => postMessage(words),
    () => postMessage([]),
  );
});

async function color({ code, language }: ColorRequest): Promise<ColoredWord[]> {
  const { codeToTokensBase, loadLanguage } = await highlighter;
  await loadLanguage(GRAMMARS[language]);
  postMessage(LOADED);
  const lines = codeToTokensBase(code, {
    lang: language,
    theme: THEME.name!,
    tokenizeMaxLineLength: 5000,
    // A line abandoned halfway would break the colors of everything after it; the caller terminates the worker instead.
    tokenizeTimeLimit: 0,
  });
  return lines.flat().flatMap(({ color, content, offset }): ColoredWord[] => {
    const kind = KIND_BY_COLOR.get(color ?? '');
    return kind ? [[offset, offset + content.length, kind]] : [];
  });
}
