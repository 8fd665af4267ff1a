/** The language of a file for syntax highlighting: by its extension, or by its full name where that is known. */

const FULL_NAMES = new Map([
  ['dockerfile', 'docker'],
  ['containerfile', 'docker'],
  ['makefile', 'make'],
  ['gnumakefile', 'make'],
  ['gemfile', 'ruby'],
  ['rakefile', 'ruby'],
  ['nginx.conf', 'nginx'],
  ['tsconfig.json', 'jsonc'],
]);

const ENDINGS = new Map([
  ['bzl', 'python'],
  ['cxx', 'cpp'],
  ['hh', 'cpp'],
  ['ipynb', 'json'],
  ['mk', 'make'],
  ['pyi', 'python'],
  ['svelte', 'html'],
  ['tfvars', 'terraform'],
  ['vue', 'html'],
  ['webmanifest', 'json'],
]);

/** Empty if neither is known. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot + 1);
  return FULL_NAMES.get(name) ?? ENDINGS.get(ending) ?? ending;
}
