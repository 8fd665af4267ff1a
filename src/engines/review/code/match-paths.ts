/** Whether a path matches one of several globs. Globs are checked when they are saved; one that no longer compiles matches nothing. */
import { compileGlob } from '../../search/index.ts';

export function matchPaths(globs: readonly string[]): (path: string) => boolean {
  const compiled = globs.map(compileGlob).flatMap((each) => (each.ok ? [each.glob] : []));
  return (path) => {
    const bytes = Buffer.from(path);
    return compiled.some((glob) => glob.matches(bytes, 0, bytes.length));
  };
}
