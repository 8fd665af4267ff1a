/** The name of a package as its ecosystem compares names: one spelling for all that it takes for the same. */
import type { Ecosystem } from './code-review.ts';

export function packageName(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === 'PyPI') return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
  return ecosystem === 'Packagist' ? name.toLowerCase() : name;
}
