/** Options of every comparison of two commits, so that it depends on nothing but the two. */

/** Larger files count as binary: git doesn't read them. */
export const MAX_DIFF_FILE_BYTES = 16 * 1024 * 1024;

export const DIFF_OPTIONS = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--diff-algorithm=myers',
  '--submodule=short',
  '--ignore-submodules=none',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

export const DIFF_CONFIGURATION = {
  'core.bigFileThreshold': String(MAX_DIFF_FILE_BYTES),
  'core.quotePath': 'true',
  // Newer versions of git read attributes from a bare repository's default branch, which could hide differences.
  'attr.tree': '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
};
