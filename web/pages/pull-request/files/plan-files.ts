/** The files that a plan names, compared with those that a pull request changes. Pure. */

export interface PlanFiles {
  /** Named by the plan and changed. */
  touched: string[];
  /** Named by the plan and not changed. */
  untouched: string[];
  /** Changed and not named: tests, lock files and generated files don't count. */
  beyond: string[];
}

interface Changed {
  path: string;
  oldPath: string | null;
  generated: boolean;
}

const TEST = /(^|[/._-])(tests?|specs?|__tests__|fixtures?|snapshots?|__snapshots__|testdata)([/._-]|$)/i;

export function comparePlanFiles(named: readonly string[], changed: readonly Changed[]): PlanFiles {
  const isNamed = (path: string) => named.some((name) => covers(name, path));
  const paths = changed.flatMap(({ oldPath, path }) => (oldPath === null ? [path] : [path, oldPath]));
  return {
    touched: named.filter((name) => paths.some((path) => covers(name, path))),
    untouched: named.filter((name) => !paths.some((path) => covers(name, path))),
    beyond: changed
      .filter(({ generated, path }) => !generated && !TEST.test(path))
      .filter(({ oldPath, path }) => !isNamed(path) && !(oldPath !== null && isNamed(oldPath)))
      .map(({ path }) => path),
  };
}

/** A plan names files, by their whole path or its end, and folders. */
export function covers(name: string, path: string): boolean {
  const plain = name.replace(/^\.?\//, '');
  if (plain === path || path.endsWith(`/${plain}`)) return true;
  return path.startsWith(plain.endsWith('/') ? plain : `${plain}/`);
}
